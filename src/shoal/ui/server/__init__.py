"""The server of the workbench: who may talk to it, and how it answers."""
