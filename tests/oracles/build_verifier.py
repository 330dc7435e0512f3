"""`make verifier`: the second verifier as one file that Python runs, with the same bytes wherever it is built."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

SOURCES = sorted((Path(__file__).parent / "second_verifier").glob("*.py"))
MAIN = "import sys\n\nfrom second_verifier.command import main\n\nsys.exit(main())\n"


def sources_sha256():
    """The SHA-256 of the sources one after the other, by which certificates name the verifier."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()


def build(target):
    """Write the file; nothing in it is compressed or dated."""
    content = {f"second_verifier/{path.name}": path.read_bytes() for path in SOURCES} | {"__main__.py": MAIN.encode()}
    with ZipFile(target, "w") as archive:
        for name, data in content.items():
            archive.writestr(ZipInfo(name), data)


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "second_verifier.pyz")
    place.parent.mkdir(parents=True, exist_ok=True)
    build(place)
    sys.stdout.write(f"{place}\nSHA-256 of its sources: {sources_sha256()}\n")
