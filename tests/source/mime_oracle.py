#!/usr/bin/env python3
"""Holds what `linktrawl scan` finds in messages and mailboxes against Python's email module.

    cargo build --profile dist
    tests/source/mime_oracle.py target/dist/linktrawl DIRECTORY...

Every http, https and ftp URL that stands in a text part, as the module decodes it, must be
found in that part; nothing may be found in a part whose decoded text does not show it; the
line and column that are told of decoded text must be those of the URL there; and the line and
the offset in the file must agree, and name the URL where nothing was decoded. How far a
URL goes is not the question here: one text must begin with the other. Texts are compared
without white space, since URLs may be broken over lines.

Prints each difference with its reason, where one is known, and then the counts: files that
are no mail, messages, URLs, places, differences by reason. Mailboxes are split where
corpus/mail/README.md says that messages begin. Exits with 1 when a difference has
no reason. These are known:

  inside       the URL is the end of another one that is found, which is broken over lines, or
               of a scheme that is not compared
  entity       a character reference that ends a URL is a part of the oracle's
  password     the URL has a password, which records do not show
  raw          the part is base64; this stands behind it, or before it, as it is
  broken       the part is base64 that the module gives up on
  malformed    the part is quoted-printable with an equals sign before neither digits nor the
               end of a line (RFC 2045 section 6.7); the module drops one of two, or a line's end
  utf-16       the file is in UTF-16, which the module does not read
  mark         a byte order mark stands before the header, which the module takes for a body
  control      a link of HTML with references to control characters, which the module drops
  escaped      the slashes of a string are escaped, which stands for a URL and is not one
  signed       the part is S/MIME with what it signs inside, which the module does not read
  header       the header ends in a line that is no field, where the module begins the body
"""

import base64
import bisect
import collections
import email
import email.policy
import html
import json
import os
import re
import subprocess
import sys

URL = re.compile(r"(?<![A-Za-z0-9+.-])(?:https?|ftp)://[A-Za-z0-9%_][^\s<>\"'`{}|\\^\[\]()]*", re.I)
SIGNED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
TEXT = re.compile(r"text/|application/(xml|json|ics|xhtml\+xml|rtf)$|.*\+(xml|json)$")
MESSAGE = ("message/rfc822", "message/global", "message/news")
MARK = b"\xef\xbb\xbf"


# ---- what the module shows -------------------------------------------------------------

class Part:
    """The decoded text of a part, and what is known of how it was coded."""

    def __init__(self):
        self.text = ""
        self.leaves = []


def payload_of(leaf):
    """The decoded bytes of a leaf."""
    payload = leaf.get_payload(decode=True)
    if payload is None:
        payload = str(leaf.get_payload()).encode("utf-8", "surrogateescape")
    return payload


def charset_of(leaf):
    return str(leaf.get_param("charset", "latin-1"))


def declared(payload):
    """The charset that HTML declares for itself; the module looks at fields alone."""
    found = re.search(rb"(?i)<meta[^>]*charset\s*=\s*[\"']?([-\w]+)", payload[:8192])
    return [found[1].decode("latin-1")] if found else []


def text_of(leaf):
    """The decoded text of a leaf, in Latin-1 where its US-ASCII is US-ASCII."""
    if re.match(r"(?i)(utf-?(7|16|32)|iso-?2022|hz)", charset_of(leaf)):
        try:
            return payload_of(leaf).decode(charset_of(leaf), "replace")
        except LookupError:
            pass
    return payload_of(leaf).decode("latin-1")


def opened(message):
    """A message that is a part of another; the module does not decode those that are coded."""
    inner = message.get_payload(0)
    coding = str(message.get("content-transfer-encoding", "")).strip().lower()
    if coding not in ("base64", "quoted-printable"):
        return inner
    leaf = email.message.Message()
    leaf["content-transfer-encoding"] = coding
    leaf.set_payload(str(inner.get_payload()))
    return email.message_from_bytes(payload_of(leaf), policy=email.policy.compat32)


def leaves(message, path="", in_message=False):
    """Path and part of every leaf, numbered as IMAP does (RFC 3501 section 6.4.5)."""
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for number, part in enumerate(message.get_payload(), 1):
            inner = f"{path}.{number}" if path else str(number)
            yield from leaves(part, inner)
        return
    if in_message:
        path = f"{path}.1" if path else "1"
    if message.get_content_type() not in MESSAGE:
        yield path, message
    elif message.is_multipart():
        yield from leaves(opened(message), path, True)


def around(message, path, parts, in_message=False):
    """Adds what stands before the first part of each multipart and behind its last one."""
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for text in (message.preamble, message.epilogue):
            parts[path].text += (text or "").encode("utf-8", "surrogateescape").decode("latin-1")
        for number, part in enumerate(message.get_payload(), 1):
            around(part, f"{path}.{number}" if path else str(number), parts)
    elif message.get_content_maintype() == "message" and message.is_multipart():
        if in_message:
            path = f"{path}.1" if path else "1"
        around(message.get_payload(0), path, parts, True)


def resolved(text):
    """HTML with its character references resolved; those without a semicolon are none."""
    return re.sub(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+\d*);", lambda found: html.unescape(found.group()),
                  text, flags=re.I)


def oracle(raw):
    """Every text part of a message."""
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    parts = collections.defaultdict(Part)
    around(message, "", parts)
    for path, leaf in leaves(message):
        is_broken = leaf.get_content_maintype() == "multipart"
        if leaf.is_multipart() or not (is_broken or TEXT.match(leaf.get_content_type())):
            continue
        text = text_of(leaf)
        parts[path].text += resolved(text) if leaf.get_content_subtype() == "html" else text
        parts[path].leaves.append(leaf)
    return parts


# ---- what is found ---------------------------------------------------------------------

Found = collections.namedtuple("Found", "uri scheme place header")


def scan(binary, paths):
    """Parts and findings by path, each place of one that has twins."""
    out = subprocess.run(
        [binary, "scan", "--as", "mail", "--quiet", "--exit-zero", "--format", "ndjson", *paths],
        stdout=subprocess.PIPE, check=False).stdout
    found = collections.defaultdict(list)
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        record = json.loads(line)
        if record["type"] != "finding":
            continue
        message = record["message"] or {}
        places = [(message.get("part"), record["place"])]
        places += [(twin["part"], twin["place"]) for twin in record.get("twins", [])]
        for part, place in places:
            one = Found(record["uri"], record["scheme"], place, message.get("header"))
            found[place["path"]].append((part or "", one))
    return found


def squeeze(text):
    """Text without what may stand inside of a broken URL."""
    return re.sub(r"[\s>]+", "", text)


def bare(text):
    """Text without control characters."""
    return re.sub(r"[\x00-\x1f\x7f]+", "", text)


# ---- differences -----------------------------------------------------------------------

class Texts:
    """Texts of which one may begin with another."""

    def __init__(self, texts):
        self.sorted = sorted(set(squeeze(text) for text in texts))
        self.set = set(self.sorted)

    def agree(self, text):
        """True when one of them begins with `text`, or `text` with one of them."""
        at = bisect.bisect_left(self.sorted, text)
        if at < len(self.sorted) and self.sorted[at].startswith(text):
            return True
        return any(text[:end] in self.set for end in range(7, len(text) + 1))


def missed(raw, parts, found):
    """URLs of the oracle that were not found."""
    for path, part in parts.items():
        # Parts that hold header fields are read as such; that is where parts have names.
        here = [one for one in found.get(path, []) if one.header is None or path]
        texts = Texts([form for one in here for form in (one.uri, resolved(one.uri))])
        others = None
        for match in URL.finditer(part.text):
            url = match.group().rstrip(".,;:!?*-_~/&=#")
            if texts.agree(squeeze(url)):
                continue
            if others is None:
                others = "\n".join(squeeze(one.uri) for one in here)
            yield path, url, why_missed(raw, url, texts, others, found)


def why_missed(raw, url, texts, others, found):
    short = squeeze(re.split(r"&[a-z#]", url)[0])
    if squeeze(url) in others:
        return "inside"
    if short != squeeze(url) and texts.agree(short):
        return "entity"
    if re.match(r"[a-z]+://[^/?#]*:[^/?#]*@", url, re.I) and "***" in others:
        return "password"
    if raw.startswith(MARK):
        return "mark"
    if Texts([one.uri for one in found.get("", []) if one.header]).agree(squeeze(url)):
        return "header"
    return None


def bogus(raw, parts, found):
    """What was found in a part that does not show it."""
    for path, list_of in found.items():
        part = parts.get(path, Part())
        whole = squeeze(part.text) + "\n" + squeeze(resolved(part.text))
        for one in list_of:
            if one.scheme not in ("http", "https", "ftp") or "***" in one.uri or one.header:
                continue
            wanted = [squeeze(form).encode("utf-8", "surrogateescape").decode("latin-1")
                      for form in (one.uri, resolved(one.uri))]
            wanted.append(squeeze(one.uri))
            if any(form in whole for form in wanted) or is_iri_of(part, one.uri):
                continue
            reason = why_bogus(raw, part, wanted)
            if reason is None and any(form in whole.replace("\\/", "/") for form in wanted):
                reason = "escaped"
            if reason is None and any(bare(form) in bare(whole) for form in wanted):
                reason = "control"
            yield path, f"{one.uri} at line {one.place['line']}", reason


def is_iri_of(part, uri):
    """True when a leaf shows `uri` in its own charset."""
    for leaf in part.leaves:
        try:
            text = payload_of(leaf).decode(charset_of(leaf), "replace")
        except LookupError:
            continue
        if squeeze(uri) in squeeze(text) or squeeze(uri) in squeeze(resolved(text)):
            return True
    return False


def why_bogus(raw, part, wanted):
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if raw.startswith(MARK):
        return "mark"
    for leaf in part.leaves:
        coding = str(leaf.get("content-transfer-encoding", "")).strip().lower()
        text = str(leaf.get_payload())
        if coding == "quoted-printable" and re.search(r"=(?![0-9A-Fa-f]{2}|[ \t]*(\r?\n|$))", text):
            return "malformed"
        if coding != "base64":
            continue
        if any(form in squeeze(text) for form in wanted):
            return "raw"
        letters = re.sub(r"[^A-Za-z0-9+/]", "", text)
        decoded = base64.b64decode(letters[:len(letters) // 4 * 4]).decode("latin-1")
        if any(form in squeeze(decoded) for form in wanted):
            return "broken"
    return "signed" if is_signed(raw, wanted) else None


def is_signed(raw, wanted):
    """True when something of S/MIME shows one of `wanted`."""
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    signed = [payload_of(leaf) for _, leaf in leaves(message) if leaf.get_content_type() in SIGNED]
    texts = [squeeze(text.decode("latin-1")) for text in signed]
    return any(form in text for text in texts for form in wanted)


def misplaced(parts, found):
    """Places in decoded text where the URI does not stand; none counts those that were held."""
    for path, list_of in found.items():
        part = parts.get(path, Part())
        if len(part.leaves) != 1:
            continue
        payload = payload_of(part.leaves[0])
        forms = [payload.decode("utf-8", "replace"), text_of(part.leaves[0])]
        for label in [charset_of(part.leaves[0])] + declared(payload):
            try:
                forms.append(payload.decode(label, "replace"))
            except LookupError:
                pass
        forms = [form.split("\n") for form in forms]
        for one in list_of:
            place = one.place.get("decoded")
            if place is None or one.header or "***" in one.uri:
                continue
            at = [lines[place["line"] - 1][place["column"] - 1:] for lines in forms
                  if place["line"] <= len(lines)]
            head = re.split(r"[^!-~]|&", one.uri)[0][:12]
            at = [squeeze(form) for text in at for form in (text, resolved(text))]
            is_right = any(text.startswith(head[:len(text) or 1]) for text in at)
            yield path, one, is_right


def is_lost(raw, one):
    """True when a place in the file is not where it is said to be."""
    start, text = one.place["offset"], raw[one.place["offset"]:][:one.place["len"]]
    if raw.count(b"\n", 0, start) + 1 != one.place["line"]:
        return True
    if "decoded" in one.place or "***" in one.uri:
        return False
    head = re.split(r"[^!-~]|&", one.uri)[0][:12]
    text = text.decode("latin-1").replace("\\/", "/")
    return not squeeze(resolved(text)).startswith(head)


# ---- the whole -------------------------------------------------------------------------

def messages(raw):
    """Where the messages of a file begin and end; none when it is no mail."""
    utf16 = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    if not utf16 and not re.match(rb"(?:\xef\xbb\xbf)?(?:>?From |[!-9;-~]+[ \t]*:(?!//))", raw):
        return []
    starts = [0]
    if raw.startswith(b"From "):
        line = rb"^From [^\n]*\n(?=[!-9;-~]+:)"
        starts += [match.start() for match in re.finditer(line, raw, re.M)
                   if match.start() > 0 and is_confirmed(raw, match)]
    return list(zip(starts, starts[1:] + [len(raw)]))


def is_confirmed(raw, match):
    """True when an empty line stands before a `From ` line, or a time in it."""
    before = raw[:match.start()]
    return before.endswith((b"\n\n", b"\n\r\n")) or re.search(rb"\d\d:\d\d", match.group())


def differences(raw, here, counts):
    """The differences of one message: kind, part, text, reason."""
    parts = oracle(raw)
    counts["messages"] += 1
    counts["parts"] += len(parts)
    counts["urls"] += sum(len(URL.findall(part.text)) for part in parts.values())
    for one in missed(raw, parts, here):
        yield ("missed", *one)
    for one in bogus(raw, parts, here):
        yield ("bogus", *one)
    for part, one, is_right in misplaced(parts, here):
        counts["places in decoded text"] += 1
        if not is_right:
            reason = why_bogus(raw, parts[part], [squeeze(one.uri)])
            yield "misplaced", part, f"{one.uri} at {one.place['decoded']}", reason


def main(binary, directories):
    paths = [os.path.join(top, name) for directory in directories
             for top, _, names in sorted(os.walk(directory)) for name in sorted(names)]
    counts = collections.Counter()
    reasons = collections.Counter()
    for start in range(0, len(paths), 500):
        some = paths[start:start + 500]
        found = scan(binary, some)
        for path in some:
            with open(path, "rb") as file:
                raw = file.read()
            counts["files"] += 1
            counts["no mail"] += not messages(raw)
            for first, behind in messages(raw):
                here = collections.defaultdict(list)
                for part, one in found.get(path, []):
                    if first <= one.place["offset"] < behind:
                        here[part].append(one)
                        if raw[:2] not in (b"\xff\xfe", b"\xfe\xff") and is_lost(raw, one):
                            reasons["lost: NO REASON"] += 1
                            print(f"lost\tNO REASON\t{path}\t{part or '-'}\t{one}")
                for kind, part, text, reason in differences(raw[first:behind], here, counts):
                    reason = reason or "NO REASON"
                    reasons[f"{kind}: {reason}"] += 1
                    print(f"{kind}\t{reason}\t{path}\t{part or '-'}\t{text[:200]!r}")
    for name, count in [*counts.items(), *sorted(reasons.items())]:
        print(f"{count:8}  {name}", file=sys.stderr)
    return any(name.endswith("NO REASON") for name in reasons)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
