"""Finds the program that was installed with this package."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator

_NAME = "linktrawl" + (sysconfig.get_config_var("EXE") or "")


def binary() -> str:
    """Returns the absolute path of the program that was installed with this package.

    PATH is not searched: another version may be first there.

    Raises:
        FileNotFoundError: no directory in which pip installs programs has it.
    """
    tried = []
    for directory in _directories():
        path = os.path.abspath(os.path.join(directory, _NAME))
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            return path
        tried.append(path)
    raise FileNotFoundError("the package has no program at " + ", ".join(tried))


def _directories() -> Iterator[str]:
    """Yields the directories in which installers put the programs of this package."""
    package = os.path.dirname(os.path.abspath(__file__))
    # `pip install --target` and `--prefix` of build environments: DIR/linktrawl and DIR/bin, or
    # PREFIX/lib/pythonX.Y/site-packages/linktrawl and PREFIX/bin. First, because the interpreter
    # that runs may have another version in its own directory.
    parent = os.path.dirname(package)
    yield os.path.join(parent, "bin")
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(parent))), "bin")
    yield sysconfig.get_path("scripts")
    # `pip install --user`.
    user = "osx_framework_user" if sys.platform == "darwin" else f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=user)
