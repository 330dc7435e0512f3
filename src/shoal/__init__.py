"""shoal makes tables of personal data safe to release.

The public names are listed in __init__.pyi; each is imported when it is first used, so that `import shoal` and the
command line start at once.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
