"""The Data Source: parts of the inputs from `linktrawl plan`, findings from `scan --split`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any, NamedTuple, Optional

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from linktrawl._binary import binary
from linktrawl._options import arguments
from linktrawl._stream import Error, End, Run, opened, whole
from linktrawl.spark._table import Condition, Row, Shape, columns, condition, skip, spark_schema

# Exit codes of `scan --split`: complete; without what cannot be read; without what the program
# failed on; without what has changed since the plan was made.
COMPLETE, UNREADABLE, DEFECT, CHANGED = 0, 3, 70, 75

# Options of `plan`, in lower case as Spark has them.
_PLAN = {"splitsize": "split-size", "as": "as", "hidden": "hidden", "noignore": "no-ignore"}
_OURS = {"path", "paths", "table", "mode", "ignoremissingfiles", "splits", "program", "pushfilters"}
# They make reports of other findings than those that are counted, or are about all inputs.
REFUSED = frozenset(
    {"show", "unique", "baseline", "update-baseline", "since", "group-by", "files-from", "threads"}
)


class Options(NamedTuple):
    """What a reader is asked for.

    Attributes:
        paths: the files and directories.
        table: the name of the table.
        fails_fast: whether what cannot be read fails the task.
        ignores_missing: whether what has changed or is gone is skipped.
        splits: a file with the lines of `plan`.
        program: the program on each machine, in place of the package's.
        pushes: whether filters are taken from Spark.
        plan: the options of `plan`.
        scan: the options of `scan`.
    """

    paths: list[str]
    table: str
    fails_fast: bool
    ignores_missing: bool
    splits: Optional[str]
    program: Optional[str]
    pushes: bool
    plan: list[str]
    scan: list[str]

    @classmethod
    def of(cls, given: MutableMapping[str, str]) -> Options:
        """Returns the options in `given`.

        Raises:
            ValueError: one of them has no such value.
            TypeError: this package sets the option itself.
        """
        options = {name.lower(): value for name, value in given.items()}
        mode = options.get("mode", "PERMISSIVE").upper()
        if mode not in ("PERMISSIVE", "FAILFAST"):
            raise ValueError(f"expected the mode PERMISSIVE or FAILFAST, found {mode!r}")
        paths = json.loads(options.get("paths", "[]"))
        paths += [options["path"]] if "path" in options else []
        if not paths and "splits" not in options:
            raise ValueError("expected a path: .load(PATH)")
        plan = {_PLAN[name]: options[name] for name in options if name in _PLAN}
        own = {name: options[name] for name in options if name not in _PLAN.keys() | _OURS}
        return cls(
            paths=[_local(path) for path in paths],
            table=options.get("table", "findings"),
            fails_fast=mode == "FAILFAST",
            ignores_missing=_flag(options, "ignoremissingfiles", False),
            splits=options.get("splits"),
            program=options.get("program"),
            pushes=_flag(options, "pushfilters", True),
            plan=arguments({name: _value(value) for name, value in plan.items()}),
            scan=scan_arguments({name: _value(value) for name, value in own.items()}),
        )


def scan_arguments(options: dict[str, Any]) -> list[str]:
    """Returns the arguments of `scan` for `options`.

    Raises:
        TypeError: this package sets the option itself, or it does not fit a part of the inputs.
    """
    refused = {name.strip("_").replace("_", "-") for name in options} & REFUSED
    if refused:
        raise TypeError(f"the option --{min(refused)} is not for a part of the inputs")
    fixed = ["--quiet", "--no-config", "--threads=1", "--format=arrow"]
    return [*fixed, *arguments(options)]


def _value(text: str) -> str | bool:
    """Returns the value of an option of Spark, all of which are texts."""
    return {"true": True, "false": False}.get(text.lower(), text)


def _flag(options: dict[str, str], name: str, default: bool) -> bool:
    value = options.get(name, str(default)).lower()
    if value not in ("true", "false"):
        raise ValueError(f"expected true or false for {name}, found {value!r}")
    return value == "true"


def _local(path: str) -> str:
    """Returns the path of a file on this machine, which may be given as a URI."""
    scheme, colon, _ = path.partition(":")
    if colon and scheme == "file":
        return urllib.request.url2pathname(urllib.parse.urlsplit(path).path)
    if "://" in path:
        raise ValueError(f"{path} is no path of a file system: use linktrawl.spark.scan")
    return path


class Split(InputPartition):
    """A part of the inputs, by its descriptor; or what kept others from being planned."""

    def __init__(self, descriptor: str, complaints: Sequence[str] = ()) -> None:
        super().__init__(descriptor)
        self.descriptor = descriptor
        self.complaints = tuple(complaints)


class Source(DataSource):
    """The format `linktrawl`: findings, and what could not be read, of files and directories."""

    @classmethod
    def name(cls) -> str:
        """Returns the name that `spark.read.format` takes."""
        return "linktrawl"

    def schema(self) -> StructType:
        """Returns the columns of the table that is asked for."""
        options = Options.of(self.options)
        return spark_schema(columns(options.table, options.program))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader of the columns in `schema`.

        Raises:
            ValueError: there is no such column.
        """
        options = Options.of(self.options)
        known = columns(options.table, options.program)
        unknown = [name for name in schema.fieldNames() if name not in known.names]
        if unknown:
            raise ValueError(f"the table {options.table} has no column {unknown[0]}")
        wanted = pyarrow.schema([known.field(name) for name in schema.fieldNames()])
        kind = FilteringReader if options.pushes else Reader
        return kind(options, Shape(options.table, wanted))


class Reader(DataSourceReader):
    """A reader of one table."""

    def __init__(self, options: Options, shape: Shape) -> None:
        self.options = options
        self.shape = shape

    def partitions(self) -> Sequence[InputPartition]:
        """Returns the parts that `linktrawl plan` lists, each of them a task.

        Raises:
            Error: nothing could be planned, or not all in the mode FAILFAST.
            FileNotFoundError: a path is not there.
        """
        options = self.options
        if options.splits is not None:
            with open(options.splits, encoding="utf-8") as file:
                return [Split(line.strip()) for line in file if line.strip()]
        for path in options.paths:
            os.lstat(path)
        program = options.program or binary()
        command = [program, "plan", "--quiet", *options.plan, "--", *options.paths]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        said = ended.stderr.decode("utf-8", "replace").strip()
        splits = [Split(line) for line in ended.stdout.decode("utf-8").splitlines()]
        incomplete = ended.returncode == 2 and bool(splits)
        if ended.returncode != 0 and (options.fails_fast or not incomplete):
            raise Error("linktrawl could not plan", ended.returncode, said)
        complaints = said.splitlines() if incomplete else []
        return [*splits, *([Split("", complaints)] if complaints else [])]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Yields the rows of one part, the last of them when the report is known to be whole.

        Raises:
            Error: the program failed, was killed, or its report was cut.
        """
        # Spark gives another kind where there is nothing to read.
        if not isinstance(partition, Split):
            return
        if not partition.descriptor:
            notes = [{"kind": "not-planned", "message": it} for it in partition.complaints]
            yield from self.shape.rest([skip(it, None) for it in notes], [])
            return
        run = self.run(partition, self.options.scan + self._includes())
        end = yield from self.shape.findings(whole(opened(run), run, self.accepted()))
        yield from self.rest(partition, end)

    def rest(self, partition: Split, end: End) -> Iterator[pyarrow.RecordBatch]:
        """Yields the rows about a part beside its findings.

        Raises:
            Error: the program wrote no record of its work.
        """
        split = json.loads(partition.descriptor)["id"]
        done = end.done or {}
        if done.get("split") != split:
            raise Error("linktrawl wrote no record of its work", end.code, "")
        notes = end.notes
        if end.notes_count > len(notes) and self.shape.table in ("skips", "all"):
            notes = self._notes(partition, end)
        row = {name: done.get(name) for name in ("split", "records", "bytes", "digest", "complete")}
        row["notes"] = end.notes_count
        yield from self.shape.rest([skip(it, split) for it in notes], [row])

    def _includes(self) -> list[str]:
        """Returns the options by which the program itself leaves out rows."""
        return []

    def accepted(self) -> tuple[int, ...]:
        """Returns the exit codes of reports that count."""
        accepted = [COMPLETE]
        accepted += [] if self.options.fails_fast else [UNREADABLE, DEFECT]
        accepted += [CHANGED] if self.options.ignores_missing else []
        return tuple(accepted)

    def run(self, partition: Split, scan: list[str]) -> Run:
        """Starts the program with the arguments `scan` of that subcommand on a part."""
        with tempfile.TemporaryFile() as file:
            file.write(partition.descriptor.encode())
            file.seek(0)
            return Run(["scan", "--split=-", *scan], file, self.options.program)

    def _notes(self, partition: Split, end: End) -> list[Row]:
        """Returns all notes of a part that has more than the stream holds.

        Raises:
            Error: there are others now.
        """
        scan = [it for it in self.options.scan if it != "--format=arrow"]
        run = self.run(partition, [*scan, "--format=ndjson"])
        try:
            lines = [line for line in run.stdout if line.startswith(b'{"type":"note"')]
            if run.wait() != end.code or len(lines) != end.notes_count:
                raise run.error("linktrawl had other notes at a second reading")
            return [json.loads(line) for line in lines]
        finally:
            run.stop()


class FilteringReader(Reader):
    """A reader that takes filters from Spark, for which Spark must be told to give them."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Takes the filters that it can do, and yields those that stay Spark's."""
        taken: list[Condition] = []
        for it in filters:
            found = condition(it, self.shape.schema)
            if found is None:
                yield it
            else:
                taken.append(found)
        self.shape = self.shape._replace(conditions=tuple(taken))

    def _includes(self) -> list[str]:
        # Several of `--include` are any of them, and here are all meant; the user may have given
        # one, too.
        patterns = [pattern for it in self.shape.conditions if (pattern := it.include())]
        own = any(it.startswith("--include") for it in self.options.scan)
        if self.shape.table != "findings" or own or not patterns:
            return []
        return [f"--include={patterns[0]}"]
