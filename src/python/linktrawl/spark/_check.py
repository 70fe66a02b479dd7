"""Asks at scale whether links answer: each host by one task alone."""

from __future__ import annotations

import functools
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Optional

import pyarrow
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from linktrawl._options import Option, arguments
from linktrawl._stream import FOUND, Error, Run, opened, whole
from linktrawl.spark._table import Row, columns, spark_schema

# Options that this package sets, those whose findings are others than the links that are given,
# and archives, which choose a copy by the date of a message, which is not there.
_REFUSED = frozenset(
    "as allow baseline update-baseline exclude include files-from find grammar group-by since show "
    "state threads unique archive archive-all archive-replay config no-config in-flight rate "
    "host-gap".split()
)

# How long a task waits for the state that the task before it still holds, and between its tries.
WAIT_S = 120.0
PAUSE_S = 1.0

_BUSY = "another run is using it"

# Links of one message, so that none is long.
_MESSAGE_LINKS = 500
_MESSAGE = ("From links@localhost.invalid Thu Jan  1 00:00:00 1998", "Subject: links", "")
# Neither may occur in the text of a link.
_BREAKS = ("\n", "\r", ">", "\0")

_LINK = ("uri", "host", "site", "is_mail", "occurrences")
_ANSWER = (
    "verdict reach_class reach_probe reach_status reach_message reach_hops reach_dead_runs "
    "reach_hint".split()
)


class _Check(NamedTuple):
    """What each task needs to know."""

    state: str
    tasks: int
    arguments: list[str]
    program: Optional[str]
    schema: pyarrow.Schema


def check(
    findings: DataFrame,
    state: str,
    *,
    tasks: Optional[int] = None,
    rate: Optional[float] = None,
    in_flight: Optional[int] = None,
    host_gap: Optional[str] = None,
    mail_without_words: bool = False,
    program: Optional[str] = None,
    **options: Option,
) -> DataFrame:
    """Asks each different link of `findings` whether it answers, and returns a row for each.

    All links of a site are asked by one task, with the limits for a host, a site and a network
    that `linktrawl check` has. What a task learns is in a file of `state`, and a task that is
    tried again goes on from there, as does the same call on another day. The table is computed
    each time it is used, as all of Spark's are: write it.

    Links that occur in mail are asked for no more than their host. With `probe="head"` or
    `probe="get"` that needs `mail_without_words`: the words around a link, which tell that it
    unsubscribes or confirms, are not in the findings.

    Args:
        findings: the table of findings.
        state: a directory that all workers see, by this path.
        tasks: the number of parts; as many as Spark runs at once if it is not given. It must be
            the same for each call with this `state`.
        rate: requests a second, of all tasks together.
        in_flight: requests at once, of all tasks together.
        host_gap: the time from one request to a host to the next, as in `"2s"`.
        mail_without_words: whether links of mail are asked as `probe` says, although the words
            around them are not known.
        program: the program on each machine, in place of the package's.
        **options: the options of `linktrawl check`.

    Raises:
        ValueError: Spark would run tasks twice at once, or links of mail need a decision.
        TypeError: the option is set by this package.
    """
    spark = findings.sparkSession
    if str(spark.conf.get("spark.speculation", "false")).lower() == "true":
        raise ValueError("spark.speculation asks hosts twice at once: set it to false")
    refused = {name.strip("_").replace("_", "-") for name in options} & _REFUSED
    if refused:
        raise TypeError(f"the option --{min(refused)} is set by the package or means nothing here")
    if options.get("probe") in ("head", "get") and not mail_without_words:
        if not findings.where("is_mail").isEmpty():
            raise ValueError(
                "links of mail would be asked without the words around them, which tell what they"
                " do: leave out probe, where('NOT is_mail'), or give mail_without_words=True"
            )
    count = tasks or spark.sparkContext.defaultParallelism
    shares: dict[str, Option] = {"host_gap": host_gap, **options}
    if rate is not None:
        shares["rate"] = rate / count
    if in_flight is not None:
        shares["in_flight"] = max(1, in_flight // count)
    known = columns("findings", program)
    answers = [known.field(name) for name in _ANSWER]
    fields = [*_fields(known), *answers]
    schema = pyarrow.schema(fields)
    fixed = ["check", "--quiet", "--no-config", "--format=arrow", "--find=url", *arguments(shares)]
    task = _Check(os.path.abspath(state), count, fixed, program, schema)
    os.makedirs(task.state, exist_ok=True)
    asked = functools.partial(_links, task)
    return links(findings).repartition(count, "party").drop("party").mapInArrow(
        asked, spark_schema(schema)
    )


def _fields(known: pyarrow.Schema) -> list[pyarrow.Field]:
    """Returns the columns that say which link it is."""
    types = {"occurrences": pyarrow.int64()}
    return [pyarrow.field(it, types.get(it) or known.field(it).type) for it in _LINK]


def links(findings: DataFrame) -> DataFrame:
    """Returns the different links of `findings` that lead somewhere by themselves.

    The column `party` is what one task asks alone: a site, a host without one, or all links that
    name no host. Relative links are left out: they need their document.
    """
    absolute = findings.where("uri_bytes IS NULL AND (scheme IS NOT NULL OR host IS NOT NULL)")
    grouped = absolute.groupBy("uri").agg(
        sql.min("host").alias("host"),
        sql.min("site").alias("site"),
        sql.max("is_mail").alias("is_mail"),
        sql.count("*").alias("occurrences"),
    )
    return grouped.withColumn("party", sql.coalesce("site", "host", sql.lit("")))


def _links(task: _Check, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Yields the rows of the links of one task."""
    rows: list[Row] = [row for batch in batches for row in batch.to_pylist()]
    if not rows:
        return
    context = TaskContext.get()
    assert context is not None
    part = os.path.join(task.state, f"part-{context.partitionId()}-of-{task.tasks}")
    # The program goes on where it was if its arguments are the same, and so are the inputs.
    rows.sort(key=lambda row: str(row["uri"]))
    asked = [row for row in rows if not any(it in row["uri"] for it in _BREAKS)]
    lines = _write(part, asked)
    answered: set[str] = set()
    for batch in _answers(task, f"{part}.db", sorted({path for path, _ in lines})):
        found = [lines[key] for key in _places(batch)]
        answered.update(str(row["uri"]) for row in found)
        yield _joined(task, found, batch)
    lost = [row for row in rows if row["uri"] not in answered]
    if lost:
        message = "the program takes its text for no link"
        none: Row = {name: None for name in task.schema.names}
        none |= {"verdict": "skipped", "reach_message": message}
        yield pyarrow.RecordBatch.from_pylist([none | row for row in lost], schema=task.schema)


def _write(part: str, rows: Sequence[Row]) -> dict[tuple[str, int], Row]:
    """Writes the inputs of the program, and returns the link of each line.

    Links of mail are in a mailbox, so that they are asked as such.
    """
    lines: dict[tuple[str, int], Row] = {}
    for path, is_mail in ((f"{part}.txt", False), (f"{part}.mbox", True)):
        chosen = [row for row in rows if bool(row["is_mail"]) == is_mail]
        if not chosen:
            continue
        text: list[str] = []
        for at, row in enumerate(chosen):
            if is_mail and at % _MESSAGE_LINKS == 0:
                text += [*([""] if at else []), *_MESSAGE]
            text.append(f"<URL:{row['uri']}>")
            lines[path, len(text)] = row
        # Whole, though an attempt that has not ended may read it.
        directory = os.path.dirname(part)
        with tempfile.NamedTemporaryFile("wb", dir=directory, delete=False) as file:
            file.write("\n".join([*text, ""]).encode())
        os.replace(file.name, path)
    return lines


def _answers(task: _Check, state: str, paths: Sequence[str]) -> Iterator[pyarrow.RecordBatch]:
    """Yields the report on `paths`, when the state is free."""
    until = time.monotonic() + WAIT_S
    while True:
        command = [*task.arguments, f"--state={state}", "--", *paths]
        try:
            run = Run(command, program=task.program, bound=True)
            reader = opened(run)
        except Error as error:
            # The attempt before this one may not have ended yet.
            if _BUSY not in error.said or time.monotonic() > until:
                raise
            time.sleep(PAUSE_S)
            continue
        yield from whole(reader, run, (0, FOUND))
        return


def _places(batch: pyarrow.RecordBatch) -> list[tuple[str, int]]:
    paths = batch.column("place_path").to_pylist()
    return list(zip(paths, batch.column("place_line").to_pylist()))


def _joined(task: _Check, rows: Sequence[Mapping[str, Any]], batch: Any) -> pyarrow.RecordBatch:
    """Returns the answers of `batch` beside the links that they are about."""
    arrays = []
    for field in task.schema:
        if field.name in _LINK:
            arrays.append(pyarrow.array([row[field.name] for row in rows], field.type))
        else:
            arrays.append(batch.column(field.name).cast(field.type))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=task.schema)
