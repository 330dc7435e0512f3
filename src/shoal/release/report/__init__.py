"""The report on a release as a page or on paper: what was done, what is guaranteed, what it cost."""
