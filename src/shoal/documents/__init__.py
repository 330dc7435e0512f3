"""How pages, papers and pictures are drawn; this room knows nothing about releases."""
