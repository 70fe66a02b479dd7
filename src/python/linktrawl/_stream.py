"""Reads the Arrow stream of the program, and gives it on only as a whole."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, Optional

from linktrawl._binary import binary

if TYPE_CHECKING:
    import pyarrow

# The exit code of a run that found an error; that of one that could not be done in full.
FOUND = 1
INCOMPLETE = 2

# How much of what the program said an exception repeats.
SAID_LEN_MAX = 4096

SUMMARY = b"linktrawl.summary"


class Error(Exception):
    """The program failed, or its report is not whole.

    Attributes:
        returncode: the exit code of the program; negative if a signal ended it.
        said: the last of what it wrote to standard error.
    """

    def __init__(self, message: str, returncode: Optional[int], said: str) -> None:
        super().__init__(": ".join(part for part in (message, said) if part))
        self.returncode = returncode
        self.said = said


class Run:
    """One run of the program, whose standard output is read."""

    def __init__(self, arguments: Sequence[str], stdin: Optional[IO[bytes]] = None) -> None:
        # A file, and no pipe: nobody reads it while the program runs.
        self._stderr = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [binary(), *arguments],
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        assert self._process.stdout is not None
        self.stdout = self._process.stdout

    def wait(self) -> int:
        """Returns the exit code, once the program has ended."""
        return self._process.wait()

    def stop(self) -> None:
        """Ends the program, if it still runs, and closes what it wrote to."""
        self.stdout.close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._stderr.close()

    def said(self) -> str:
        """Returns the last of what the program wrote to standard error."""
        end = self._stderr.seek(0, 2)
        self._stderr.seek(max(0, end - SAID_LEN_MAX))
        return self._stderr.read().decode("utf-8", "replace").strip()

    def error(self, message: str) -> Error:
        """Ends the program, and returns the error that says so."""
        self.stdout.close()
        if self._process.poll() is None:
            self._process.kill()
        return Error(message, self._process.wait(), self.said())


def table(arguments: Sequence[str], allow_incomplete: bool) -> pyarrow.RecordBatchReader:
    """Runs the program with `arguments`, which make it write an Arrow stream, and reads that.

    The last batch is held back until the program has ended well, and has written as many rows as
    it says: a program that is killed is an exception, and never a short table.
    """
    import pyarrow

    run = Run(arguments)
    try:
        reader = pyarrow.ipc.open_stream(run.stdout)
    except pyarrow.ArrowInvalid:
        code = run.wait()
        error = run.error(f"linktrawl wrote no report (exit code {code})")
        run.stop()
        raise error from None
    except BaseException:
        run.stop()
        raise
    batches = _checked(reader, run, allow_incomplete)
    return pyarrow.RecordBatchReader.from_batches(reader.schema, batches)


def _checked(reader: Any, run: Run, allow_incomplete: bool) -> Iterator[Any]:
    """Yields the batches of `reader`, the last of them when all is known to be well."""
    import pyarrow

    held = None
    rows = 0
    try:
        while True:
            try:
                batch, metadata = reader.read_next_batch_with_custom_metadata()
            except (StopIteration, pyarrow.ArrowInvalid, OSError) as error:
                raise run.error("the report of linktrawl was cut off") from error
            if metadata is not None and SUMMARY in metadata:
                break
            if held is not None:
                yield held
            held = batch
            rows += batch.num_rows
        _check(run, json.loads(metadata[SUMMARY]), rows, allow_incomplete)
        if held is not None:
            yield held
    finally:
        run.stop()


def _check(run: Run, summary: dict[str, Any], rows: int, allow_incomplete: bool) -> None:
    """Raises an error unless the program ended well after `rows` rows."""
    # The end of the stream, and nothing behind it.
    run.stdout.read()
    code = run.wait()
    if summary["findings"] != rows:
        raise run.error(f"linktrawl wrote {summary['findings']} findings, and {rows} arrived")
    counted = _counted(run.said())
    if counted is not None and counted != rows:
        raise run.error(f"linktrawl counted {counted} findings, and {rows} arrived")
    if code == INCOMPLETE and not allow_incomplete:
        raise run.error("linktrawl could not do its work in full")
    if code not in (0, FOUND, INCOMPLETE):
        raise run.error(f"linktrawl failed with exit code {code}")


def _counted(said: str) -> Optional[int]:
    """Returns the number of findings in the record that some runs end standard error with."""
    last = said.rpartition("\n")[2]
    if not last.startswith("{"):
        return None
    try:
        record = json.loads(last)
    except ValueError:
        return None
    records = record.get("records") if record.get("type") == "done" else None
    return records if isinstance(records, int) else None
