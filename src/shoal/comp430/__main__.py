"""The command line of the assignment: `python -m shoal.comp430`."""

from shoal.cli import run

if __name__ == "__main__":
    run("shoal.cli.commands.comp430")
