"""Turns keyword arguments into options of the program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Union

Path = Union[str, bytes, "os.PathLike[str]"]
Scalar = Union[str, int, float, "os.PathLike[str]"]
Option = Union[Scalar, bool, None, Sequence[Scalar]]

# Options that this package sets, and those with which the program writes no stream.
RESERVED = frozenset({"format", "quiet", "generate", "summary", "watch", "split", "help", "version"})


def arguments(options: Mapping[str, Option]) -> list[str]:
    """Returns the arguments for `options`: `grammar="rfc1738"` is `--grammar=rfc1738`.

    `True` is an option without a value, `None` and `False` are no option, and of a list each item
    is an option of its own.

    Raises:
        TypeError: this package sets the option itself.
    """
    out = []
    for name, value in options.items():
        flag = "--" + name.strip("_").replace("_", "-")
        if flag[2:] in RESERVED:
            raise TypeError(f"the option {flag} is set by the package")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
            continue
        values = [value] if isinstance(value, (str, int, float, os.PathLike)) else value
        out.extend(f"{flag}={os.fspath(it) if isinstance(it, os.PathLike) else it}" for it in values)
    return out


def inputs(paths: Path | Iterable[Path]) -> list[str]:
    """Returns the arguments for `paths`, of which there may be one.

    Raises:
        ValueError: there are none, or one is `-`: the program would read standard input, which is
            not passed on.
    """
    given = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    if not given:
        raise ValueError("expected at least one path")
    paths_given = [os.fsdecode(path) for path in given]
    if "-" in paths_given:
        raise ValueError("expected paths, found -: `linktrawl.links` reads bytes")
    return ["--", *paths_given]
