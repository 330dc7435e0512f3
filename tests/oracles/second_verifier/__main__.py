"""So that the folder runs by itself, wherever it is put."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from second_verifier.command import main

sys.exit(main())
