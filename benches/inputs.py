#!/usr/bin/env python3
"""Times `linktrawl scan` on real inputs of every kind against what just reads them, and
`linktrawl check --offline` on documents against lychee.

    benches/inputs.py [--counts] [--binary FILE] [--least FILE] [--size MB] [--messages N]
                      [--rounds N] [--threads N] [--pages N]
                      [--mail-parser FILE] [--lychee FILE [--docs DIRECTORY...]]
                      [--record FILE --date DATE] [MAIL]

MAIL is a directory with one message in a file, such as the public corpus of SpamAssassin. An
mbox of `--size` MB is made of them, again as .gz and .zst, and a Maildir of `--messages`
files. Without MAIL, only documents are read: those of `--docs`, and a tree of `--pages`
documents that is made here, half of them Markdown, half HTML.

Whole processes are timed, with inputs in the page cache and reports written to a file; `zcat`,
`zstdcat` and `cat` write to /dev/null. `--mail-parser` is the program in
benches/anchors/mail-parser, which parses each message of the mbox and decodes its text parts on
one thread, and reports nothing. Programs take turns, so that a noisy machine is noisy for all;
medians of the rounds are printed as ratios.

Counts come first: the findings in the .gz, the .zst and on one thread must be those of the mbox;
`least` (`cargo build --profile dist --example least`) must print a record for each `://` after a
letter; each link that was written to a made document must be found; the number of lychee's links
that were not found in documents is printed. With `--counts`, nothing else is done.
"""

import argparse
import collections
import itertools
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

LOOP = """
import mailbox, sys
count = 0
for message in mailbox.Maildir(sys.argv[1]):
    for part in message.walk():
        if part.get_content_maintype() == "text":
            count += (part.get_payload(decode=True) or b"").count(b"://")
print(count)
"""


def messages(directory):
    """Every file below `directory`, in the order of names."""
    for root, directories, files in os.walk(directory):
        directories.sort()
        for name in sorted(files):
            with open(os.path.join(root, name), "rb") as file:
                text = file.read()
            # A few begin with the line of the mailbox they come from.
            if text.startswith(b"From "):
                text = text[text.index(b"\n") + 1:]
            yield text.rstrip(b"\n") + b"\n\n"


def make_inputs(options, home):
    """An mbox, the same compressed, and a Maildir."""
    texts = list(messages(options.mail))
    box = os.path.join(home, "box")
    length = 0
    with open(box, "wb") as file:
        for text in itertools.cycle(texts):
            if length >= options.size * 1_000_000:
                break
            text = text.replace(b"\nFrom ", b"\n>From ")
            length += file.write(b"From a@example.org Thu Dec  1 00:00:00 1994\n" + text)
    subprocess.run(["gzip", "-k", box], check=True)
    subprocess.run(["zstd", "-q", "-k", box], check=True)
    maildir = os.path.join(home, "Maildir")
    for name in ("cur", "new", "tmp"):
        os.makedirs(os.path.join(maildir, name))
    for number, text in zip(range(options.messages), itertools.cycle(texts)):
        with open(os.path.join(maildir, "cur", f"{number:09}.example:2,S"), "wb") as file:
            file.write(text)
    return box, maildir


def scan(options, path, threads=None):
    threads = str(threads or options.threads)
    return [options.binary, "scan", "--quiet", "--exit-zero", "--format=ndjson",
            "--threads", threads, path]


def run(command, output):
    """Seconds that `command` takes."""
    with open(output, "wb") as file:
        start = time.perf_counter()
        code = subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL).returncode
        seconds = time.perf_counter() - start
    if code not in (0, 2):
        sys.exit(f"{command} ended with {code}")
    return seconds


def turns(options, commands):
    """The median of each command's seconds; each runs once before."""
    for command, output in commands:
        run(command, output)
    times = collections.defaultdict(list)
    for _ in range(options.rounds):
        for number, (command, output) in enumerate(commands):
            times[number].append(run(command, output))
    return [statistics.median(times[number]) for number in range(len(commands))]


def uris(path):
    """How often each URI stands in a report."""
    counts = collections.Counter()
    with open(path, "rb") as file:
        for line in file:
            record = json.loads(line)
            if record["type"] == "finding":
                counts[record["uri"]] += 1
    return counts


# What `least` takes for a link.
LINK = rb"[A-Za-z]+://[!#-&(-;=?-\[\]_a-z~]*"


def expect(is_so, what):
    if not is_so:
        sys.exit(f"failed: {what}")


def bench_box(options, box, home, tell):
    report = os.path.join(home, "report.ndjson")
    run(scan(options, box), report)
    plain = uris(report)
    expect(plain, "there are findings")
    for path, threads in ((box, 1), (box + ".gz", None), (box + ".zst", None)):
        run(scan(options, path, threads), report)
        expect(uris(report) == plain, f"{path} has the findings of the mbox")
    least = [options.least, str(options.threads), box]
    run(least, report)
    with open(box, "rb") as file:
        links = re.findall(LINK, file.read())
    expect(links and sum(uris(report).values()) == len(links), "the least has every `://`")
    if options.counts:
        return
    megabytes = os.path.getsize(box) / 1e6
    tell(f"mbox: {megabytes:.0f} MB, {sum(plain.values())} findings, {len(plain)} different")
    # The report is as long as the mbox: to write it is much of what there is to do.
    other = os.path.join(home, "other")
    ours, least, copy = turns(options, [(scan(options, box), report), (least, other),
                                        (["cat", box], other)])
    written = os.path.getsize(report) / 1e6
    tell(f"  plain           {ours:7.3f} s  {megabytes / ours / 1000:5.2f} GB/s, "
         f"a report of {written:.0f} MB")
    tell(f"  plain   {ours:7.3f} s, least          {least:7.3f} s: {ours / least:5.2f} x its time, "
         f"{len(links)} records")
    tell(f"  plain   {ours:7.3f} s, cat to a file {copy:7.3f} s: {ours / copy:5.2f} x its time")
    if options.mail_parser:
        ours, parts = turns(options, [(scan(options, box, 1), report),
                                      ([options.mail_parser, box], other)])
        tell(f"  one thread {ours:7.3f} s, mail-parser {parts:7.3f} s: {ours / parts:5.2f} x its time")
    for suffix, peer in ((".gz", "zcat"), (".zst", "zstdcat")):
        ours, other = turns(options, [(scan(options, box + suffix), report),
                                      ([peer, box + suffix], os.devnull)])
        tell(f"  {suffix:5} {ours:7.3f} s, {peer} {other:7.3f} s: {other / ours:5.2f} x its speed")


def bench_maildir(options, maildir, home, tell):
    report = os.path.join(home, "report.ndjson")
    run(scan(options, maildir), report)
    found = sum(uris(report).values())
    run(scan(options, maildir, 1), report)
    expect(found and sum(uris(report).values()) == found, "the Maildir has its findings")
    if options.counts:
        return
    loop = [sys.executable, "-c", LOOP, maildir]
    cat = ["sh", "-c", 'find "$1" -type f -print0 | xargs -0 cat', "sh", maildir]
    ours, cat = turns(options, [(scan(options, maildir), report), (cat, os.devnull)])
    # Once, since it takes minutes.
    mailbox = run(loop, os.devnull)
    tell(f"Maildir: {options.messages} files, {found} findings")
    tell(f"  ours {ours:7.3f} s, Python's mailbox {mailbox:7.3f} s: {mailbox / ours:5.1f} x its speed")
    tell(f"  ours {ours:7.3f} s, cat {cat:7.3f} s: {ours / cat:5.2f} x its time")


def spelled(uri):
    """A URL without what lychee's parser changes: case and dots, escapes, a last slash."""
    parts = urllib.parse.urlsplit(urllib.parse.unquote(uri.strip()))
    host = parts.netloc.lower().removesuffix(":80").removesuffix(":443")
    return parts.scheme.lower(), host, parts.path.rstrip("/"), parts.query


# What made documents are made of.
WORDS = """the of links that a page has and to which another answers where it was moved before
somebody reads what stands here about servers names paths queries fragments""".split()
# Documents in a directory, and paragraphs in a document.
DIRECTORY_LEN, PARAGRAPHS = 100, 12


def words(chance, count):
    return " ".join(chance.choice(WORDS) for _ in range(count))


def made_links(chance):
    """Three links of a paragraph: two elsewhere, and one beside it."""
    # Nobody has this domain, and lychee leaves out those that are for examples.
    hosts = (f"https://host-{chance.randrange(500)}.internal" for _ in range(2))
    remote = [f"{host}/{chance.choice(WORDS)}/{chance.randrange(10_000)}" for host in hosts]
    return remote, f"page-{chance.randrange(DIRECTORY_LEN):02}.md"


def made_markdown(chance, paragraph):
    (one, other), local = made_links(chance)
    text = f"""## {words(chance, 3)} {paragraph}

{words(chance, 30)} [{words(chance, 2)}]({one}), {words(chance, 20)} *{words(chance, 3)}* and
{words(chance, 12)} <{other}>, {words(chance, 15)} [{words(chance, 2)}]({local}).

```
{words(chance, 8)}
```
"""
    return text, (one, other)


def made_html(chance, paragraph):
    (one, other), local = made_links(chance)
    text = f"""<h2 id="part-{paragraph}">{words(chance, 3)}</h2>
<p>{words(chance, 30)} <a href="{one}">{words(chance, 2)}</a>, {words(chance, 20)}
<em>{words(chance, 3)}</em> and {words(chance, 12)} <img alt="" src="{other}">,
{words(chance, 15)} <a class="near" href="{local}">{words(chance, 2)}</a>.</p>
<pre>{words(chance, 8)}</pre>
"""
    return text, (one, other)


def make_pages(options, home):
    """A tree of documents, the same in each run, and how often each link to elsewhere stands
    there."""
    tree = os.path.join(home, f"{options.pages} pages")
    chance, counts = random.Random(1), collections.Counter()
    for number in range(options.pages):
        parent = os.path.join(tree, f"part-{number // DIRECTORY_LEN:03}")
        os.makedirs(parent, exist_ok=True)
        make, suffix = (made_html, "html") if number % 2 else (made_markdown, "md")
        texts, links = zip(*(make(chance, paragraph) for paragraph in range(PARAGRAPHS)))
        path = os.path.join(parent, f"page-{number % DIRECTORY_LEN:02}.{suffix}")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(texts))
        counts.update(itertools.chain.from_iterable(links))
    return tree, counts


def bench_pages(options, home, tell):
    tree, links = make_pages(options, home)
    report = os.path.join(home, "report.ndjson")
    run(scan(options, tree), report)
    found = collections.Counter({uri: n for uri, n in uris(report).items() if "://" in uri})
    expect(links and found == links, "each link of a made document is found")
    if not options.counts:
        bench_documents(options, tree, home, tell)


def bench_documents(options, directory, home, tell):
    report, listing = os.path.join(home, "report.ndjson"), os.path.join(home, "lychee")
    programs = [(scan(options, directory), report),
                ([options.lychee, "--dump", "--no-progress", directory], listing)]
    for command, output in programs:
        run(command, output)
    found = {spelled(uri) for uri in uris(report)}
    with open(listing, encoding="utf-8") as file:
        theirs = {line.strip() for line in file if "://" in line}
    remote = {line for line in theirs if not line.startswith("file:")}
    missed = sorted(line for line in remote if spelled(line) not in found)
    name = os.path.basename(directory.rstrip("/"))
    tell(f"{name}: {sum(uris(report).values())} findings, "
         f"{len(remote)} of lychee's, {len(missed)} of them not found")
    # For whoever looks at it, and not for a record: the documents are not ours.
    for line in missed:
        print(f"    {line}", file=sys.stderr)
    if options.counts:
        return
    ours, other = turns(options, programs)
    tell(f"  ours {ours:7.3f} s, lychee --dump {other:7.3f} s: {other / ours:5.2f} x its speed")
    bench_links(options, directory, home, tell)


def bench_links(options, directory, home, tell):
    """Links between files: in all that each program reads of a tree, and in the same files."""
    chosen = os.path.join(home, "chosen")
    with open(chosen, "wb") as file:
        subprocess.run([options.lychee, "--dump-inputs", directory], stdout=file, check=True)
    with open(chosen, encoding="utf-8") as file:
        count = sum(1 for _ in file)
    expect(count, f"lychee reads files in {directory}")
    report = os.path.join(home, "report")
    check = [options.binary, "check", "--offline", "--quiet", "--exit-zero",
             "--threads", str(options.threads)]
    lychee = [options.lychee, "--offline", "--no-progress"]
    files, plain = ["--files-from", chosen], ["--fragments=none"]
    rows = (
        ("all that each reads", [directory], plain, []),
        (f"the {count} files of lychee's", files, plain, []),
        ("the same, with fragments", files, ["--fragments=local"], ["--include-fragments"]),
    )
    for what, inputs, ours_too, theirs_too in rows:
        ours, other = turns(options, [(check + ours_too + inputs, report),
                                      (lychee + theirs_too + inputs, report + "-of-lychee")])
        expect(os.path.getsize(report), "a report")
        tell(f"  {what}: ours {ours:7.3f} s, lychee --offline {other:7.3f} s:"
             f" {other / ours:5.2f} x its speed")


def conditions(options):
    """What the numbers depend on."""
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    peers = []
    if options.mail:
        peers = [said("gzip", "--version").splitlines()[0], f"Python {platform.python_version()}"]
    if options.docs or options.pages:
        peers.append(said(options.lychee, "--version"))
    return [
        f"date      {options.date}",
        "command   benches/inputs.py --record",
        f"commit    {said('git', 'describe', '--always', '--abbrev=12', '--dirty')}",
        f"profile   {os.path.basename(os.path.dirname(os.path.abspath(options.binary)))}",
        f"cpu       {names[0] if names else ''}, {os.cpu_count()} hardware threads",
        f"system    {platform.system()} {platform.release()} {platform.machine()}",
        f"peers     {', '.join(peers)}",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mail", nargs="?")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--binary", default="target/dist/linktrawl")
    parser.add_argument("--least", default="target/dist/examples/least")
    parser.add_argument("--mail-parser")
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--lychee", default="lychee")
    parser.add_argument("--docs", nargs="*", default=[])
    parser.add_argument("--record")
    parser.add_argument("--date", default="")
    options = parser.parse_args()
    expect(options.mail or options.docs or options.pages, "MAIL or documents are named")
    lines = []

    def tell(line):
        print(line, flush=True)
        lines.append(line)

    home = tempfile.mkdtemp(prefix="linktrawl-inputs-")
    try:
        if options.mail:
            box, maildir = make_inputs(options, home)
            bench_box(options, box, home, tell)
            bench_maildir(options, maildir, home, tell)
        if options.pages:
            bench_pages(options, home, tell)
        for directory in options.docs:
            bench_documents(options, directory, home, tell)
    finally:
        shutil.rmtree(home)
    if options.record:
        with open(options.record, "w", encoding="utf-8") as file:
            file.write("\n".join([*conditions(options), "", *lines]) + "\n")


if __name__ == "__main__":
    main()
