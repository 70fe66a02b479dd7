"""Links in Apache Spark: `spark.read.format("linktrawl").load(PATH)`, and what goes with it.

Needs PySpark 4.1 or later, and this package with its program on each machine:

    import linktrawl.spark
    linktrawl.spark.register(spark)
    links = spark.read.format("linktrawl").load("/archive")
    skips = spark.read.format("linktrawl").option("table", "skips").load("/archive")

`write` writes the findings as Parquet by the shortest way, `scan` reads objects that are no files
of each machine, and `check` asks whether links answer.
`linktrawl help spark` says more.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from linktrawl._stream import Error
from linktrawl.spark._check import check
from linktrawl.spark._objects import digest, parts, scan
from linktrawl.spark._source import Source
from linktrawl.spark._written import write

__all__ = ["Error", "Source", "check", "digest", "parts", "register", "scan", "write"]


def register(spark: SparkSession) -> None:
    """Makes the format `linktrawl` known to `spark`, and lets sources have its filters."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(Source)
