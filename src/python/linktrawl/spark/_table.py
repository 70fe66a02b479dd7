"""The columns of the tables that Spark gets, and the filters on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional

import pyarrow
import pyarrow.compute
from pyspark.sql import datasource, types

from linktrawl._stream import End, Run, opened

# What could not be read, or not in full.
SKIP = pyarrow.schema(
    [
        ("split", pyarrow.string()),
        ("kind", pyarrow.string()),
        ("path", pyarrow.string()),
        ("members", pyarrow.list_(pyarrow.field("element", pyarrow.string()))),
        ("offset", pyarrow.int64()),
        ("message", pyarrow.string()),
    ]
)

# What each run of the program says of its work.
DONE = pyarrow.schema(
    [
        ("split", pyarrow.string()),
        ("path", pyarrow.string()),
        ("records", pyarrow.int64()),
        ("bytes", pyarrow.int64()),
        ("digest", pyarrow.string()),
        ("complete", pyarrow.bool_()),
        ("notes", pyarrow.int64()),
    ]
)

TABLES = ("findings", "skips", "splits", "all")

_SCALARS: dict[pyarrow.DataType, types.DataType] = {
    pyarrow.string(): types.StringType(),
    pyarrow.binary(): types.BinaryType(),
    pyarrow.bool_(): types.BooleanType(),
    pyarrow.int64(): types.LongType(),
    pyarrow.date32(): types.DateType(),
    pyarrow.timestamp("us", "UTC"): types.TimestampType(),
}

Row = dict[str, Any]


def columns(table: str, program: Optional[str]) -> pyarrow.Schema:
    """Returns the columns of `table`, of which those of findings are the program's own.

    Raises:
        ValueError: there is no such table.
    """
    if table == "skips":
        return SKIP
    if table == "splits":
        return DONE
    if table not in TABLES:
        raise ValueError(f"expected one of the tables {', '.join(TABLES)}, found {table!r}")
    arguments = ["scan", "--quiet", "--no-config", "--format=arrow", "--", "-"]
    run = Run(arguments, program=program)
    reader = opened(run)
    run.stop()
    fields = [_field(field) for field in reader.schema]
    if table == "all":
        fields += [("skip", pyarrow.struct(list(SKIP))), ("done", pyarrow.struct(list(DONE)))]
    return pyarrow.schema(fields)


def _field(field: pyarrow.Field) -> pyarrow.Field:
    return pyarrow.field(field.name, _type(field.type))


def _type(kind: pyarrow.DataType) -> pyarrow.DataType:
    """Returns `kind` as Spark has it: elements have its name, and everything may be null."""
    if pyarrow.types.is_list(kind):
        return pyarrow.list_(pyarrow.field("element", _type(kind.value_type)))
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct([_field(kind.field(at)) for at in range(kind.num_fields)])
    return kind


def spark_schema(schema: pyarrow.Schema) -> types.StructType:
    """Returns `schema` in Spark's types."""
    return types.StructType([types.StructField(it.name, _spark_type(it.type)) for it in schema])


def _spark_type(kind: pyarrow.DataType) -> types.DataType:
    if pyarrow.types.is_list(kind):
        return types.ArrayType(_spark_type(kind.value_type))
    if pyarrow.types.is_struct(kind):
        return spark_schema([kind.field(at) for at in range(kind.num_fields)])
    return _SCALARS[kind]


class Condition(NamedTuple):
    """A filter on one column that Spark leaves to the source.

    Attributes:
        column: the name of the column.
        operator: the name of Spark's filter.
        value: what it compares with; of `In`, a tuple.
        negated: whether it is within `Not`.
    """

    column: str
    operator: str
    value: Any
    negated: bool

    def mask(self, batch: pyarrow.RecordBatch) -> Any:
        """Returns which rows of `batch` the filter takes; null is no, as in SQL."""
        column = batch.column(self.column)
        mask = _OPERATORS[self.operator](column, self.value)
        return pyarrow.compute.invert(mask) if self.negated else mask

    def include(self) -> Optional[str]:
        """Returns the pattern that `--include` takes, if the program can do the filter.

        It takes no less than the filter does.
        """
        if self.column != "scheme" or self.negated or self.operator not in ("EqualTo", "In"):
            return None
        names = self.value if self.operator == "In" else (self.value,)
        if not all(isinstance(name, str) and _SCHEME.fullmatch(name) for name in names):
            return None
        return f"^(?i:{'|'.join(re.escape(name) for name in names)}):"


_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")


def _scalar(column: Any, value: Any) -> Any:
    return pyarrow.scalar(value, column.type)


def _compared(name: str) -> Callable[[Any, Any], Any]:
    compare = getattr(pyarrow.compute, name)
    return lambda column, value: compare(column, _scalar(column, value))


def _in(column: Any, values: Sequence[Any]) -> Any:
    found = pyarrow.compute.is_in(column, pyarrow.array(values, column.type))
    # Null is in no list, and out of none.
    return pyarrow.compute.if_else(pyarrow.compute.is_valid(column), found, None)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "EqualTo": _compared("equal"),
    "GreaterThan": _compared("greater"),
    "GreaterThanOrEqual": _compared("greater_equal"),
    "LessThan": _compared("less"),
    "LessThanOrEqual": _compared("less_equal"),
    "In": _in,
    "IsNull": lambda column, _: pyarrow.compute.is_null(column),
    "IsNotNull": lambda column, _: pyarrow.compute.is_valid(column),
    "StringStartsWith": lambda column, value: pyarrow.compute.starts_with(column, value),
    "StringEndsWith": lambda column, value: pyarrow.compute.ends_with(column, value),
    "StringContains": lambda column, value: pyarrow.compute.match_substring(column, value),
}


def condition(given: datasource.Filter, schema: pyarrow.Schema) -> Optional[Condition]:
    """Returns the condition for a filter of Spark, or None if it stays Spark's."""
    negated = isinstance(given, datasource.Not)
    inner: Any = given.child if isinstance(given, datasource.Not) else given
    operator = type(inner).__name__
    path: tuple[str, ...] = getattr(inner, "attribute", ())
    if operator not in _OPERATORS or len(path) != 1 or path[0] not in schema.names:
        return None
    kind = schema.field(path[0]).type
    value: Any = getattr(inner, "value", None)
    if operator not in ("IsNull", "IsNotNull"):
        if pyarrow.types.is_nested(kind):
            return None
        values = list(value) if operator == "In" else [value]
        try:
            if None in values or any(_scalar(pyarrow.nulls(0, kind), it) is None for it in values):
                return None
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
            return None
        value = tuple(values) if operator == "In" else value
    return Condition(path[0], operator, value, negated)


class Shape(NamedTuple):
    """The table that is wanted, and what of it.

    Attributes:
        table: its name.
        schema: its columns, or some of them.
        conditions: which rows.
    """

    table: str
    schema: pyarrow.Schema
    conditions: tuple[Condition, ...] = ()

    def findings(self, report: Generator[Any, None, End]) -> Generator[Any, None, End]:
        """Yields the findings of `report`, if they are wanted, and returns its end."""
        try:
            while True:
                try:
                    batch = next(report)
                except StopIteration as stop:
                    end: End = stop.value
                    return end
                if self.table in ("findings", "all"):
                    yield from self._kept(self._cast(batch))
        finally:
            report.close()

    def rest(self, skips: Iterable[Row], done: Iterable[Row]) -> Iterator[Any]:
        """Yields what is wanted beside findings."""
        if self.table == "skips":
            rows = list(skips)
        elif self.table == "splits":
            rows = list(done)
        elif self.table == "all":
            rows = [{"skip": it} for it in skips] + [{"done": it} for it in done]
        else:
            rows = []
        if rows:
            whole = {name: None for name in self.schema.names}
            rows = [whole | {name: it[name] for name in whole.keys() & it.keys()} for it in rows]
            yield from self._kept(pyarrow.RecordBatch.from_pylist(rows, schema=self.schema))

    def _cast(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        given = set(batch.schema.names)
        arrays = [
            batch.column(it.name).cast(it.type)
            if it.name in given
            else pyarrow.nulls(batch.num_rows, it.type)
            for it in self.schema
        ]
        return pyarrow.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _kept(self, batch: pyarrow.RecordBatch) -> Iterator[pyarrow.RecordBatch]:
        for it in self.conditions:
            batch = batch.filter(it.mask(batch))
        if batch.num_rows > 0:
            yield batch


def skip(note: Row, split: Optional[str], path: Optional[str] = None) -> Row:
    """Returns the row of skips for a note of the program, about `path` if that is given."""
    place = note.get("place") or {}
    return {
        "split": split,
        "kind": note["kind"],
        "path": path or place.get("path"),
        "members": place.get("members") or [],
        "offset": place.get("offset"),
        "message": note["message"],
    }
