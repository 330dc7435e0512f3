"""`python -m shoal.comp430` is the command line of the assignment."""

from shoal.cli import run

if __name__ == "__main__":
    run("shoal.cli.commands.comp430")
