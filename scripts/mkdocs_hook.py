"""What `make docs` adds to docs/: the reference, made from the code, and the notebooks as pages."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import notebooks
import reference


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from code."""
    for place, text in (reference.pages() | notebooks.pages()).items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(text: str, **page: Any) -> str:
    """Lead to the page of a notebook where a link names its file, which is what readers of the repository need."""
    return re.sub(r"(notebooks/\w+)\.ipynb\)", r"\1.md)", text)
