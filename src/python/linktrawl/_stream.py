"""Reads the Arrow stream of the program, and gives it on only as a whole."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Collection, Generator, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Optional

from linktrawl._binary import binary

if TYPE_CHECKING:
    import pyarrow

# The exit code of a run that found an error; that of one that could not be done in full.
FOUND = 1
INCOMPLETE = 2

# How much of what the program said an exception repeats.
SAID_LEN_MAX = 4096

SUMMARY = b"linktrawl.summary"
NOTES = b"linktrawl.notes"
NOTES_COUNT = b"linktrawl.notes_count"
ROWS_COUNT = b"linktrawl.rows_count"


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
        self._message = message

    def __reduce__(self) -> tuple[Any, ...]:
        """Describes how to make the error again, for pools that pass it between processes.

        That of `Exception` would call the class with the joined text alone.
        """
        return type(self), (self._message, self.returncode, self.said)


class End(NamedTuple):
    """The end of a report that is whole.

    Attributes:
        code: the exit code of the program.
        summary: the totals.
        notes: the notes, up to 256 KiB of them.
        notes_count: the number of all notes.
        rows_count: the number of rows.
        done: the record that some runs end standard error with.
    """

    code: int
    summary: dict[str, Any]
    notes: list[dict[str, Any]]
    notes_count: int
    rows_count: int
    done: Optional[dict[str, Any]]


class Run:
    """One run of the program, whose standard output is read."""

    def __init__(
        self,
        arguments: Sequence[str],
        stdin: Optional[IO[bytes] | int] = None,
        program: Optional[str] = None,
        bound: bool = False,
    ) -> None:
        """Starts `program`, or that of this package.

        With `bound`, it is ended when this process ends, however that comes (on Linux).
        """
        # A file, and no pipe: nobody reads it while the program runs.
        self._stderr = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [program or binary(), *arguments],
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            preexec_fn=_bind if bound and sys.platform == "linux" else None,
        )
        assert self._process.stdout is not None
        self.stdin = self._process.stdin
        self.stdout = self._process.stdout

    def wait(self) -> int:
        """Returns the exit code, once the program has ended."""
        return self._process.wait()

    def kill(self) -> None:
        """Ends the program, if it still runs."""
        if self._process.poll() is None:
            self._process.kill()

    def stop(self) -> None:
        """Ends the program, if it still runs, and closes what it wrote to."""
        self.stdout.close()
        self.kill()
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
        self.kill()
        return Error(message, self._process.wait(), self.said())


def _bind() -> None:
    """Asks Linux to end this process when its parent ends."""
    import ctypes

    # PR_SET_PDEATHSIG of prctl(2).
    ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)


def table(
    arguments: Sequence[str], allow_incomplete: bool, stdin: Optional[IO[bytes]] = None
) -> pyarrow.RecordBatchReader:
    """Runs the program with `arguments`, which make it write an Arrow stream, and reads that.

    The last batch is held back until the program has ended well, and has written as many rows as
    it says: a program that is killed is an exception, and never a short table.
    """
    import pyarrow

    run = Run(arguments, stdin)
    if stdin is not None:
        # The program has its own.
        stdin.close()
    reader = opened(run)
    accepted = (0, FOUND, INCOMPLETE) if allow_incomplete else (0, FOUND)
    batches: Iterator[Any] = whole(reader, run, accepted)
    # A generator that never began has no `finally`, and the program would wait for a reader.
    weakref.finalize(batches, run.stop)
    return pyarrow.RecordBatchReader.from_batches(reader.schema, batches)


def opened(run: Run) -> Any:
    """Returns a reader of the stream that `run` writes, which is stopped if there is none."""
    import pyarrow

    try:
        return pyarrow.ipc.open_stream(run.stdout)
    except (pyarrow.ArrowInvalid, OSError):
        # A program that writes something else would wait for a reader.
        run.stdout.close()
        code = run.wait()
        error = run.error(f"linktrawl wrote no report (exit code {code})")
        run.stop()
        raise error from None
    except BaseException:
        run.stop()
        raise


def whole(reader: Any, run: Run, accepted: Collection[int]) -> Generator[Any, None, End]:
    """Yields the batches of `reader`, the last of them when all is known to be well.

    All is well if the stream has its end, the program ended with one of the codes `accepted`, and
    as many rows arrived as it counted.
    """
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
        end = _end(run, metadata)
        _check(run, end, rows, accepted)
        if held is not None:
            yield held
        return end
    finally:
        run.stop()


def _end(run: Run, metadata: Any) -> End:
    """Returns the end of the report, once the program has ended."""
    # The end of the stream, and nothing behind it.
    run.stdout.read()
    return End(
        run.wait(),
        json.loads(metadata[SUMMARY]),
        json.loads(metadata.get(NOTES, b"[]")),
        int(metadata.get(NOTES_COUNT, b"0")),
        int(metadata[ROWS_COUNT]),
        done_of(run.said()),
    )


def _check(run: Run, end: End, rows: int, accepted: Collection[int]) -> None:
    """Raises an error unless the program ended well after `rows` rows."""
    if end.rows_count != rows:
        raise run.error(f"linktrawl wrote {end.rows_count} findings, and {rows} arrived")
    counted = None if end.done is None else end.done.get("records")
    if counted is not None and counted != rows:
        raise run.error(f"linktrawl counted {counted} findings, and {rows} arrived")
    if end.code in accepted:
        return
    if end.code == INCOMPLETE:
        raise run.error("linktrawl could not do its work in full")
    raise run.error(f"linktrawl failed with exit code {end.code}")


def done_of(said: str) -> Optional[dict[str, Any]]:
    """Returns the record that some runs end standard error with."""
    last = said.rpartition("\n")[2]
    if not last.startswith("{"):
        return None
    try:
        record = json.loads(last)
    except ValueError:
        return None
    return record if record.get("type") == "done" else None
