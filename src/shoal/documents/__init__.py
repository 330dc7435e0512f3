"""How pages, papers and pictures are drawn; knows nothing of releases."""
