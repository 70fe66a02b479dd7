"""Writes findings as Parquet without Spark between: each task lets the program write its part."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pyarrow
import pyarrow.parquet
from pyspark.sql import DataFrame, SparkSession

from linktrawl._stream import NOTES, NOTES_COUNT, ROWS_COUNT, SUMMARY, End, done_of
from linktrawl.spark._source import Options, Reader, Split
from linktrawl.spark._table import DONE, SKIP, Shape, spark_schema

# The last file that is written, as Hadoop's jobs name it.
SUCCESS = "_SUCCESS"

# What is known of each part, beside its findings.
_SCHEMA = pyarrow.schema([("skip", pyarrow.struct(list(SKIP))), ("done", pyarrow.struct(list(DONE)))])


class _Task(NamedTuple):
    """What each task needs to know."""

    reader: Reader
    directory: str


def write(
    spark: SparkSession, path: str | Sequence[str], directory: str, **options: str
) -> tuple[DataFrame, DataFrame]:
    """Writes the findings in `path` to files of Parquet, and returns the skips and the splits.

    The program of each task writes the file of its part, which has the columns of the format
    `parquet`; `spark.read.parquet(directory)` reads them all. No row passes through Spark, which
    takes more time for rows of that width than the program takes to find them. A task that is
    retried replaces its file. When all are written, there is a file `_SUCCESS`.

    Args:
        spark: the session.
        path: a file or a directory, or several, which all machines see by that path.
        directory: where the files are written, which all machines see by that path, too.
        **options: the options of the format `linktrawl`, as in `splitSize="128MiB"`.

    Raises:
        FileExistsError: the directory is not empty.
        ValueError: an option has no such value.
        TypeError: an option is set by this package.
    """
    paths = [path] if isinstance(path, str) else list(path)
    given = Options.of({"paths": json.dumps(paths), **options, "table": "all"})
    home = os.path.abspath(directory)
    os.makedirs(home, exist_ok=True)
    if os.listdir(home):
        raise FileExistsError(f"expected an empty directory to write to, found files in {home}")
    reader = Reader(given, Shape("all", _SCHEMA))
    splits = [part for part in reader.partitions() if isinstance(part, Split)]
    rows = [(json.dumps([part.descriptor, part.complaints]),) for part in splits]
    if not rows:
        rows = [(json.dumps(["", []]),)]
    parts = spark.createDataFrame(rows, "part string").repartition(len(rows))
    task = functools.partial(_parts, _Task(reader, home))
    # Each file is written once, and not again for each table.
    table = parts.mapInArrow(task, spark_schema(_SCHEMA)).localCheckpoint()
    with open(os.path.join(home, SUCCESS), "wb"):
        pass
    skips = table.where("skip IS NOT NULL").select("skip.*")
    return skips, table.where("done IS NOT NULL").select("done.*")


def _parts(
    task: _Task, batches: Iterable[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    """Yields the rows of skips and splits of the parts of one task."""
    for batch in batches:
        for text in batch.column(0).to_pylist():
            descriptor, complaints = json.loads(text)
            part = Split(descriptor, complaints)
            if descriptor:
                yield from task.reader.rest(part, _written(task, part))
            else:
                yield from task.reader.read(part)


def _written(task: _Task, part: Split) -> End:
    """Lets the program write the file of `part`, and returns the end of its report.

    Raises:
        Error: the program failed, was killed, or its file is not whole.
    """
    name = f"part-{json.loads(part.descriptor)['id']}.parquet"
    path = os.path.join(task.directory, name)
    scan = [it for it in task.reader.options.scan if it != "--format=arrow"]
    run = task.reader.run(part, [*scan, f"--format=parquet={path}"])
    try:
        run.stdout.read()
        code = run.wait()
        if code not in task.reader.accepted():
            raise run.error(f"linktrawl failed with exit code {code}")
        file = pyarrow.parquet.read_metadata(path)
        known = file.metadata
        end = End(
            code,
            json.loads(known[SUMMARY]),
            json.loads(known.get(NOTES, b"[]")),
            int(known.get(NOTES_COUNT, b"0")),
            int(known[ROWS_COUNT]),
            done_of(run.said()),
        )
        counted = None if end.done is None else end.done.get("records")
        if not counted == end.rows_count == file.num_rows:
            raise run.error(f"linktrawl counted {counted} findings, and wrote {file.num_rows}")
        return end
    finally:
        run.stop()
