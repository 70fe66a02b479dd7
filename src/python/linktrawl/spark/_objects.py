"""Scans objects that are no files of the machine: bytes in a column, or what a function opens."""

from __future__ import annotations

import functools
import io
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, NamedTuple, Optional

import pyarrow
from pyspark.sql import DataFrame

from linktrawl._options import Option
from linktrawl._stream import FOUND, INCOMPLETE, Run, opened, whole
from linktrawl.spark._source import scan_arguments
from linktrawl.spark._table import Shape, columns, skip, spark_schema

Opener = Callable[[str], IO[bytes]]

CHUNK_LEN = 1 << 20


class _Scan(NamedTuple):
    """What each task needs to know."""

    shape: Shape
    arguments: list[str]
    program: Optional[str]
    opener: Optional[Opener]
    ignores_missing: bool


def scan(
    objects: DataFrame,
    *,
    opener: Optional[Opener] = None,
    path: str = "path",
    content: str = "content",
    ignore_missing: bool = False,
    program: Optional[str] = None,
    **options: Option,
) -> DataFrame:
    """Finds the links in objects, one a row, and returns the table `all` (see `parts`).

    The bytes of an object go through standard input of the program: what it is must be seen in
    its content, or be given by `as_`. An object that cannot be read in full is a row of skips.

    Args:
        objects: a table with the name of each object and, without `opener`, its bytes, as the
            format `binaryFile` has them.
        opener: opens the object of a name for reading, on the workers.
        path: the column of the names.
        content: the column of the bytes.
        ignore_missing: whether an object for which `opener` raises `FileNotFoundError` is a row
            of skips; it fails the task otherwise, as all other errors do.
        program: the program on each machine, in place of the package's.
        **options: the options of `linktrawl scan`.
    """
    known = columns("all", program)
    task = _Scan(Shape("all", known), scan_arguments(options), program, opener, ignore_missing)
    wanted = objects.select(path) if opener else objects.select(path, content)
    return wanted.mapInArrow(functools.partial(_objects, task), spark_schema(known))


def _objects(
    task: _Scan, batches: Iterable[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    """Yields the rows of all objects of a task."""
    for batch in batches:
        for at in range(batch.num_rows):
            name = batch.column(0)[at].as_py()
            if task.opener is None:
                source: IO[bytes] = io.BytesIO(batch.column(1)[at].as_py() or b"")
            else:
                try:
                    source = task.opener(name)
                except FileNotFoundError as error:
                    if not task.ignores_missing:
                        raise
                    note = {"kind": "input-vanished", "message": str(error)}
                    yield from task.shape.rest([skip(note, None, name)], [])
                    continue
            with source:
                yield from _object(task, name, source)


def _object(task: _Scan, name: str, source: IO[bytes]) -> Iterator[pyarrow.RecordBatch]:
    """Yields the rows of one object, the last of them when the report is known to be whole."""
    run = Run(["scan", *task.arguments, "--", "-"], subprocess.PIPE, task.program)
    feeder = _Feeder(source, run)
    feeder.start()
    try:
        report = whole(opened(run), run, (0, FOUND, INCOMPLETE))
        findings = task.shape.findings(report)
        while True:
            try:
                batch = next(findings)
            except StopIteration as stop:
                end = stop.value
                break
            yield _named(batch, name)
    except Exception as error:
        if feeder.failure is not None:
            raise feeder.failure from error
        raise
    finally:
        run.stop()
        feeder.join()
    notes = list(end.notes)
    if end.notes_count > len(notes):
        more = end.notes_count - len(notes)
        notes.append({"kind": "notes-left-out", "message": f"{more} more notes"})
    done = {"path": name, "records": end.summary["findings"], "bytes": end.summary["bytes"]}
    done |= {"complete": end.summary["complete"], "notes": end.notes_count}
    done |= {"split": None, "digest": None}
    yield from task.shape.rest([skip(it, None, name) for it in notes], [done])


class _Feeder(threading.Thread):
    """Gives the bytes of an object to the program, which is ended if they cannot be read.

    Attributes:
        failure: the reason why they could not.
    """

    def __init__(self, source: IO[bytes], run: Run) -> None:
        super().__init__(daemon=True)
        self._source = source
        self._run = run
        self.failure: Optional[Exception] = None

    def run(self) -> None:
        """Copies to the end. The program would take the end of a pipe for that of the object."""
        sink = self._run.stdin
        assert sink is not None
        try:
            while chunk := self._source.read(CHUNK_LEN):
                try:
                    sink.write(chunk)
                except (BrokenPipeError, ValueError):
                    # It has ended, for a reason of its own.
                    break
        except Exception as error:
            self.failure = error
            self._run.kill()
        try:
            sink.close()
        except BrokenPipeError:
            pass


def _named(batch: pyarrow.RecordBatch, name: str) -> pyarrow.RecordBatch:
    """Returns `batch` with the name of the object in place of that of standard input."""
    at = batch.schema.get_field_index("place_path")
    names: list[Optional[str]] = [name] * batch.num_rows
    arrays: list[Any] = list(batch.columns)
    arrays[at] = pyarrow.array(names, batch.schema.field(at).type)
    return pyarrow.RecordBatch.from_arrays(arrays, schema=batch.schema)


def parts(table: DataFrame) -> tuple[DataFrame, DataFrame, DataFrame]:
    """Returns the findings, the skips and the splits of a table `all`.

    Write the table first, or cache it: it is read for each of them.
    """
    findings = table.where("skip IS NULL AND done IS NULL").drop("skip", "done")
    skips = table.where("skip IS NOT NULL").select("skip.*")
    return findings, skips, table.where("done IS NOT NULL").select("done.*")


def digest(splits: DataFrame) -> str:
    """Returns the sum of the digests of `splits`, which is that of one scan with `--digest`."""
    rows: list[Any] = splits.select("digest").collect()
    total = sum(int(row["digest"], 16) for row in rows)
    return f"{total % (1 << 256):064x}"
