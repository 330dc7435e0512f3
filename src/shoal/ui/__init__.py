"""The workbench in the browser, `shoal ui`; it calls the public names of shoal alone."""
