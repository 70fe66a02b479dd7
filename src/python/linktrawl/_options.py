"""Turns keyword arguments into options of the program."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Optional, Union, cast

Path = Union[str, bytes, "os.PathLike[str]"]
Scalar = Union[str, int, float, "os.PathLike[str]"]
Option = Union[Scalar, bool, None, Sequence[Scalar]]

# Bytes of paths that are passed as arguments; Windows takes 32 KiB of them in all.
ARGUMENTS_LEN_MAX = 16 * 1024

# Options that this package sets, and those with which the program writes no stream.
RESERVED = frozenset({"format", "quiet", "generate", "summary", "watch", "split", "help", "version"})


def arguments(options: Mapping[str, Option]) -> list[str]:
    """Returns the arguments for `options`: `grammar="rfc1738"` is `--grammar=rfc1738`.

    `True` is an option without a value, `None` and `False` are no option, and of a list each item
    is an option of its own.

    Raises:
        TypeError: this package sets the option itself, or a value is none of these.
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
        is_one = isinstance(value, (str, bytes, int, float, os.PathLike))
        values: Iterable[object] = [value] if is_one else cast(Sequence[Scalar], value)
        out.extend(f"{flag}={_text(flag, it)}" for it in values)
    return out


def _text(flag: str, value: object) -> str:
    """Returns the text of one value of the option `flag`."""
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f"{flag}: expected a text, a number or a path, found {value!r}")
    return str(value)


def inputs(
    paths: Path | Iterable[Path], options: Mapping[str, Option]
) -> tuple[list[str], Optional[IO[bytes]]]:
    """Returns the arguments for `paths`, and the standard input that lists them if they are many.

    Raises:
        ValueError: there are none, and `options` name no list of them, or one is `-`: the program
            would read standard input, which is not passed on.
    """
    given = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    has_list = options.get("files_from") is not None
    if not given and not has_list:
        raise ValueError("expected at least one path")
    names = [os.fsencode(path) for path in given]
    if b"-" in names:
        raise ValueError("expected paths, found -: `linktrawl.links` reads bytes")
    if has_list or sum(len(name) + 1 for name in names) <= ARGUMENTS_LEN_MAX:
        return ["--", *map(os.fsdecode, names)], None
    # No system takes any number of arguments.
    listed = tempfile.TemporaryFile()
    listed.writelines(name + b"\0" for name in names)
    listed.seek(0)
    return ["--files-from=-", "--null"], listed
