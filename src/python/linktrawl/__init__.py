"""Finds every URI in mail spools, news spools, archives and documentation.

The package carries the program `linktrawl`. `scan` and `check` run it and give its findings as a
stream of columns, which needs `pyarrow` (`pip install linktrawl[arrow]`):

    linktrawl.scan("Mail").read_pandas()
    polars.from_arrow(linktrawl.scan(["a.mbox", "lists"]).read_all())
    links = linktrawl.scan("lists", grammar="rfc1738")
    duckdb.sql("SELECT site, count(*) FROM links GROUP BY site")

`links` finds the links of a text, and `binary` returns the path of the program, for anything else:

    [link.uri for link in linktrawl.links(b"see <URL:http://w3.org/>.")]
    subprocess.run([linktrawl.binary(), "fix", "docs"])
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Optional

from linktrawl._binary import binary
from linktrawl._options import Option, Path, arguments, inputs
from linktrawl._stream import FOUND, Error, Run, table

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Error", "Link", "binary", "check", "links", "scan"]


class Link(NamedTuple):
    """A link in a text.

    Attributes:
        uri: the link, cleaned by the rules of what is around it; passwords are `***`.
        raw: the text itself, perhaps broken over lines.
        offset: the offset of its first byte.
        length: its length in bytes.
        line: its line, from 1.
        column: its column in characters, from 1.
        scheme: the scheme in lower case; None for `www.` and for relative links.
        fault: the rule that the link breaks; None if it is valid.
    """

    uri: str
    raw: str
    offset: int
    length: int
    line: int
    column: int
    scheme: Optional[str]
    fault: Optional[str]


def scan(
    paths: Path | Iterable[Path], *, allow_incomplete: bool = False, **options: Option
) -> pyarrow.RecordBatchReader:
    """Finds and validates the links in `paths`, and opens no connection.

    Each row is a finding; corpus/schema/arrow.json describes the columns. The batches come while
    the program runs, and the last one when it has ended well: a program that fails or is killed is
    an exception, and never a short table.

    Args:
        paths: files and directories, one or several.
        allow_incomplete: whether inputs may be unreadable; they are notes of the run then.
        **options: the options of `linktrawl scan`: `hidden=True` is `--hidden`,
            `grammar="rfc1738"` is `--grammar=rfc1738`, and of a list each item is an option.

    Raises:
        Error: the program failed; while the batches are read, too.
        ImportError: `pyarrow` is not installed.
    """
    return _table("scan", paths, allow_incomplete, options)


def check(
    paths: Path | Iterable[Path], *, allow_incomplete: bool = False, **options: Option
) -> pyarrow.RecordBatchReader:
    """Finds the links in `paths` as `scan` does, and asks each whether it answers.

    Links in mail are asked for no more than their host, unless `probe="get"` is given; with
    `offline=True`, no connection is opened. Dead links are rows, and no exception.

    Args:
        paths: files and directories, one or several.
        allow_incomplete: whether inputs may be unreadable; they are notes of the run then.
        **options: the options of `linktrawl check`.

    Raises:
        Error: the program failed; while the batches are read, too.
        ImportError: `pyarrow` is not installed.
    """
    return _table("check", paths, allow_incomplete, options)


def links(text: bytes | str, **options: Option) -> list[Link]:
    """Returns the links in `text`, in their order; nothing but the standard library is needed.

    Args:
        text: bytes of any kind that `scan` reads, or a text, which is encoded in UTF-8.
        **options: the options of `linktrawl scan`. Of configurations only one that is named counts.

    Raises:
        Error: the program failed.
    """
    found = arguments(options)
    with tempfile.TemporaryFile() as file:
        file.write(text.encode() if isinstance(text, str) else text)
        file.seek(0)
        # The directory says nothing about the text, unless a configuration is named.
        alone = [] if "config" in options else ["--no-config"]
        run = Run(["scan", "--quiet", "--format=ndjson", *alone, *found, "--", "-"], file)
        try:
            lines = run.stdout.read().splitlines()
            code = run.wait()
            if code not in (0, FOUND):
                raise run.error(f"linktrawl failed with exit code {code}")
            records = _records(lines)
            if not records or records[-1].get("type") != "summary":
                raise run.error(f"linktrawl wrote no report (exit code {code})")
        finally:
            run.stop()
    return [_link(record) for record in records if record["type"] == "finding"]


def _records(lines: list[bytes]) -> list[dict[str, object]]:
    """Returns the records that `lines` are; none if one is something else."""
    try:
        records = [json.loads(line) for line in lines]
    except ValueError:
        return []
    return records if all(isinstance(record, dict) for record in records) else []


def _link(record: dict[str, object]) -> Link:
    """Returns the link of a record."""
    place, syntax = record["place"], record["syntax"]
    assert isinstance(place, dict) and (syntax is None or isinstance(syntax, dict))
    return Link(
        uri=str(record["uri"]),
        raw=str(record["raw"]),
        offset=place["offset"],
        length=place["len"],
        line=place["line"],
        column=place["column"],
        scheme=None if record["scheme"] is None else str(record["scheme"]),
        fault=None if syntax is None else syntax.get("rule"),
    )


def _table(
    command: str, paths: Path | Iterable[Path], allow_incomplete: bool, options: dict[str, Option]
) -> pyarrow.RecordBatchReader:
    found, (given, listed) = arguments(options), inputs(paths, options)
    return table([command, "--quiet", "--format=arrow", *found, *given], allow_incomplete, listed)
