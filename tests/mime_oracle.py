#!/usr/bin/env python3
"""Holds what `linktrawl scan` finds in single messages against Python's email module.

    tests/mime_oracle.py BINARY DIRECTORY...

Every http, https and ftp URL that stands in a text part, as the module decodes it, must be
found in that part; and nothing may be found in a part whose decoded text does not show it.
How far a URL goes is not the question here: one text must begin with the other. Texts are
compared without white space, since URLs may be broken over lines. Prints each difference and
the counts, and exits with 1 when there is a difference.
"""

import collections
import email
import email.policy
import json
import os
import re
import subprocess
import sys

URL = re.compile(r"(?<![A-Za-z0-9+.-])(?:https?|ftp)://[A-Za-z0-9%_][^\s<>\"'`{}|\\^\[\]()]*", re.I)
TEXT = re.compile(r"text/|application/(xml|json|xhtml\+xml|rtf)$|.*\+(xml|json)$")


def text_of(part):
    """The decoded text of a leaf."""
    payload = part.get_payload(decode=True)
    if payload is None:
        payload = str(part.get_payload()).encode("utf-8", "surrogateescape")
    charset = str(part.get_param("charset", "latin-1"))
    if re.match(r"(?i)(utf-?(7|16|32)|iso-?2022|hz)", charset):
        try:
            return payload.decode(charset, "replace")
        except LookupError:
            pass
    return payload.decode("latin-1")


def leaves(message, path="", in_message=False):
    """Path and part of every leaf, numbered as IMAP does (RFC 3501 section 6.4.5)."""
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for number, part in enumerate(message.get_payload(), 1):
            inner = f"{path}.{number}" if path else str(number)
            yield from leaves(part, inner)
    elif message.get_content_type() in ("message/rfc822", "message/global", "message/news"):
        if message.is_multipart():
            yield from leaves(message.get_payload(0), path, True)
    elif in_message:
        yield (f"{path}.1" if path else "1"), message
    else:
        yield path, message


def around(message, path, parts):
    """Adds what stands before the first part of each multipart and behind its last one."""
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for text in (message.preamble, message.epilogue):
            parts[path] += (text or "").encode("utf-8", "surrogateescape").decode("latin-1")
        for number, part in enumerate(message.get_payload(), 1):
            around(part, f"{path}.{number}" if path else str(number), parts)
    elif message.get_content_maintype() == "message" and message.is_multipart():
        around(message.get_payload(0), path, parts)


def ampersands(text):
    """HTML with what stands for an ampersand resolved, and nothing else."""
    return re.sub(r"&(?:amp|#38|#x26);", "&", text, flags=re.I)


def oracle(path):
    """The decoded text of every text part of a file."""
    with open(path, "rb") as file:
        message = email.message_from_bytes(file.read(), policy=email.policy.compat32)
    parts = collections.defaultdict(str)
    around(message, "", parts)
    for part, leaf in leaves(message):
        is_broken = leaf.get_content_maintype() == "multipart"
        if leaf.is_multipart() or not (is_broken or TEXT.match(leaf.get_content_type())):
            continue
        text = text_of(leaf)
        parts[part] += ampersands(text) if leaf.get_content_subtype() == "html" else text
    return parts


def scan(binary, paths):
    """Findings by path and part, and how many messages each input has."""
    out = subprocess.run(
        [binary, "scan", "--as", "mail", "--quiet", "--exit-zero", "--format", "ndjson", *paths],
        stdout=subprocess.PIPE, check=False).stdout
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        record = json.loads(line)
        if record["type"] == "finding" and record["scheme"] in ("http", "https", "ftp"):
            message = record["message"] or {}
            part = message.get("part") or ""
            # Parts that hold header fields are read as such; that is where parts have names.
            if message.get("header") is None or part:
                for at, place in [(part, record["place"])] + [
                        (twin["part"] or "", twin["place"]) for twin in record.get("twins", [])]:
                    found[place["path"]][at].append((record["uri"], place, message.get("header")))
    return found


def squeeze(text):
    """Text without what may stand inside of a broken URL, in Latin-1 as a common ground."""
    return re.sub(r"[\s>]+", "", text)


def agree(one, other):
    one, other = squeeze(one), squeeze(other)
    return one.startswith(other) or other.startswith(one)


def compare(path, parts, found):
    """The differences of one file: kind, part, text."""
    differences = []
    for part, text in parts.items():
        uris = [uri for uri, _, _ in found.get(part, [])]
        uris += [ampersands(uri) for uri in uris]
        heads = collections.Counter(squeeze(uri)[:14].lower() for uri in uris)
        seen = {uri for uri in uris}
        for match in URL.finditer(text):
            url = match.group().rstrip(".,;:!?*-_~/&=#")
            if heads[squeeze(url)[:14].lower()] and any(agree(url, uri) for uri in seen):
                continue
            differences.append(("missed", part, url))
    whole = {part: squeeze(text) for part, text in parts.items()}
    for part, list_of in found.items():
        for uri, place, header in list_of:
            if "***" in uri or header:
                continue
            wanted = squeeze(ampersands(uri)).encode("utf-8", "surrogateescape").decode("latin-1")
            texts = [whole.get(part, ""), squeeze(ampersands(parts.get(part, "")))]
            if not any(wanted in text or squeeze(uri) in text for text in texts):
                differences.append(("bogus", part, f"{uri} at line {place['line']}"))
    return differences


def main(binary, directories):
    paths = [os.path.join(top, name) for directory in directories
             for top, _, names in sorted(os.walk(directory)) for name in sorted(names)]
    counts = collections.Counter()
    for start in range(0, len(paths), 500):
        some = paths[start:start + 500]
        found = scan(binary, some)
        for path in some:
            parts = oracle(path)
            counts["files"] += 1
            counts["parts"] += len(parts)
            counts["urls"] += sum(len(URL.findall(text)) for text in parts.values())
            for kind, part, text in compare(path, parts, found.get(path, {})):
                counts[kind] += 1
                print(f"{kind}\t{path}\t{part or '-'}\t{text[:200]!r}")
    print(dict(counts), file=sys.stderr)
    return counts["missed"] + counts["bogus"] > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
