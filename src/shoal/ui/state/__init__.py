"""What a visitor of the workbench has opened, chosen and made; knows nothing of pages."""
