// Runs of any size, made up in the shape of `--format ndjson`: an archive of a mailing list, in
// which the older a link is, the more likely it is dead. The same bytes for the same size.

const ANSWERS = [
  // Of a thousand links of the first year, how many get which answer; what is left is alive.
  [330, "dns-nxdomain", "error", null, "no address is known for the name"],
  [260, "missing", "error", 404, "404 Not Found"],
  [90, "timeout", "error", null, "no answer came within 20 s"],
  [60, "refused", "error", null, "connection refused"],
  [50, "gone", "error", 410, "410 Gone"],
  [40, "tls-expired", "error", null, "the certificate ended on 2012-05-01"],
  [90, "redirected", "warn", 301, "301 Moved Permanently"],
];
const REFUSED = { name: "policy-robots", verdict: "skipped", status: null,
  message: "robots.txt disallows the request" };
const FIRST = 1994;
const LAST = 2016;

// Numbers below `bound` without visible order: a linear congruence (Numerical Recipes §7.1), from
// seeds that are spread first, since those that follow each other begin alike.
const dice = (seed) => {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  state = Math.imul(state ^ (state >>> 15), 2246822519) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

const answer = (roll, year) => {
  // What was dead of the first year fades to a tenth of that.
  let left = roll / (1 - (0.9 * (year - FIRST)) / (LAST - FIRST));
  for (const [share, name, verdict, status, message] of ANSWERS) {
    if (left < share) return { name, verdict, status, message };
    left -= share;
  }
  return { name: "alive", verdict: "ok", status: 200, message: "200 OK" };
};

// What is the same wherever a link stands.
const link = (number) => {
  const roll = dice(number);
  const born = FIRST + roll(LAST - FIRST + 1);
  const host = Math.min(roll(90), roll(90));
  const scheme = roll(20) === 0 ? "ftp" : born > 2008 ? "https" : "http";
  const isMalformed = roll(90) === 0;
  const page = `${isMalformed ? "%zz/" : ""}page-${number}.html`;
  const uri = `${scheme}://host-${host}.example/${page}`;
  if (isMalformed) {
    const syntax = { grammar: "current", ok: false, rule: "pct-encoded", at: uri.indexOf("%") + 1,
      expected: "a hex digit", spec: "RFC 3986 \u00a72.1",
      message: "a percent sign without two hex digits", hint: null };
    return { born, uri, scheme, syntax, reach: null, verdict: "error" };
  }
  const { name, verdict, status, message } = roll(60) === 0 ? REFUSED : answer(roll(1000), born);
  const hops = name === "redirected" ? [{ status: 301, to: `${uri}?moved` }] : [];
  const probe = scheme === "ftp" ? "ftp" : "http";
  const reach = { class: name, probe, status, message, hops };
  return { born, uri, scheme, syntax: { grammar: "current", ok: true, repairs: [] }, reach, verdict };
};

// One place where a link stands; a few links stand in many.
const finding = (idx, size, roll) => {
  const number = Math.floor((roll(1000) * roll(1000) * size) / 1.6e6);
  const { born, uri, scheme, syntax, reach, verdict } = link(number);
  const year = Math.min(LAST, born + roll(2));
  const month = String(1 + roll(12)).padStart(2, "0");
  const place = { path: `archive/${year}-${month}.mbox`, members: [`msg ${1 + roll(300)}`],
    offset: 0, len: uri.length, line: 8 + roll(60), column: 1 + roll(40), file_offset: null };
  const date = `${year}-${month}-${String(1 + roll(28)).padStart(2, "0")}T12:00:00Z`;
  const message = { id: `<${idx}.${year}@lists.example>`, date, list_id: "links.lists.example",
    number: 1, header: null, part: null };
  return { type: "finding", uri, raw: uri, cue: "bare", scheme, place, message, syntax, reach, verdict };
};

/** The lines of a run with `size` findings. */
export const archive = (size) => {
  const roll = dice(1994);
  const verdicts = { ok: 0, warn: 0, error: 0, skipped: 0 };
  const distinct = new Set();
  const lines = [];
  for (let idx = 0; idx < size; idx += 1) {
    const record = finding(idx, size, roll);
    verdicts[record.verdict] += 1;
    distinct.add(record.uri);
    lines.push(JSON.stringify(record));
  }
  lines.push(JSON.stringify({ type: "summary", schema: 1, complete: true, files: 276, members: 0,
    bytes: 4321 * size, messages: Math.ceil(size / 3), findings: size, distinct: distinct.size,
    verdicts, skipped: size > 0 ? { "policy-robots": verdicts.skipped } : {} }));
  return `${lines.join("\n")}\n`;
};
