//! Converts rows of the file from and to their types.

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::{HostState, Robots, Stored};
use crate::finding::{Class, Content, Hop, Reach};
use crate::uri::Redacted;

pub(super) const SELECT: &str = "
    SELECT class, probe, status, message, hops, hint, etag, last_modified, asked_at, expires_at,
           run, dead_runs, digest, sketch, changed_since, read_at
    FROM results LEFT JOIN contents USING (key) WHERE key = ?1";

/// Stores the content of a page. A content of an earlier run that differs leaves the time at which
/// it was read.
pub(super) const INSERT_CONTENT: &str = "
    INSERT INTO contents (key, digest, sketch, read_at) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (key) DO UPDATE SET
        changed_since = CASE WHEN digest = excluded.digest THEN NULL ELSE read_at END,
        digest = excluded.digest, sketch = excluded.sketch, read_at = excluded.read_at";

/// Stores a result. A run counts once for a dead link, however often it requests it; the last
/// answer of a run counts. A result without a request leaves the count unchanged.
pub(super) const INSERT: &str = "
    INSERT INTO results (key, uri, class, probe, status, message, hops, hint, etag,
                         last_modified, asked_at, expires_at, run, dead_runs)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, coalesce(?14, 0))
    ON CONFLICT (key) DO UPDATE SET
        uri = excluded.uri, class = excluded.class, probe = excluded.probe,
        status = excluded.status, message = excluded.message, hops = excluded.hops,
        hint = excluded.hint, etag = excluded.etag, last_modified = excluded.last_modified,
        asked_at = excluded.asked_at, expires_at = excluded.expires_at, run = excluded.run,
        dead_runs = CASE ?14
            WHEN 1 THEN dead_runs + (run <> excluded.run OR dead_runs = 0)
            WHEN 0 THEN 0
            ELSE dead_runs END";

/// A row of `results`, as stored.
pub(super) struct StoredResult {
    class: String,
    probe: String,
    status: Option<u16>,
    message: String,
    hops: String,
    hint: Option<String>,
    etag: Option<Vec<u8>>,
    last_modified: Option<Vec<u8>>,
    asked_at: i64,
    expires_at: i64,
    run: i64,
    dead_runs: u32,
    digest: Option<Vec<u8>>,
    sketch: Option<i64>,
    changed_since: Option<i64>,
    read_at: Option<i64>,
}

impl StoredResult {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            class: row.get(0)?,
            probe: row.get(1)?,
            status: row.get(2)?,
            message: row.get(3)?,
            hops: row.get(4)?,
            hint: row.get(5)?,
            etag: row.get(6)?,
            last_modified: row.get(7)?,
            asked_at: row.get(8)?,
            expires_at: row.get(9)?,
            run: row.get(10)?,
            dead_runs: row.get(11)?,
            digest: row.get(12)?,
            sketch: row.get(13)?,
            changed_since: row.get(14)?,
            read_at: row.get(15)?,
        })
    }

    /// Returns the row's result at the time `now` in `run`; `None` if the row makes no sense.
    pub(super) fn into_stored(
        self,
        run: i64,
        probes: &[&'static str],
        now: u64,
        max_age: Option<u64>,
    ) -> Option<Stored> {
        let probe = probes.iter().copied().find(|name| *name == self.probe)?;
        let class = Class::find(&self.class)?;
        // The content may be that of an earlier answer.
        let is_read = self.read_at == Some(self.asked_at);
        let digest =
            self.digest.and_then(|bytes| Some(u128::from_be_bytes(bytes.try_into().ok()?)));
        let content = digest.zip(self.sketch).filter(|_| is_read);
        let changed_since = self.changed_since.map(read);
        let content = content.map(|(digest, sketch)| {
            Box::new(Content { digest, sketch: bits(sketch), changed_since })
        });
        let reach = Reach {
            class,
            probe,
            status: self.status,
            message: self.message,
            hops: text_to_hops(&self.hops)?,
            hint: self.hint,
            dead_runs: None,
            content,
        };
        let asked_at = read(self.asked_at);
        let age = now.checked_sub(asked_at);
        let is_young = age.is_some_and(|age| max_age.is_none_or(|most| age <= most));
        Some(Stored {
            reach,
            etag: self.etag,
            last_modified: self.last_modified,
            asked_at,
            is_fresh: is_young && now < read(self.expires_at),
            is_of_this_run: run != 0 && self.run == run,
            dead_runs: self.dead_runs,
        })
    }
}

pub(super) fn read_host(row: &Row<'_>) -> rusqlite::Result<HostState> {
    let status: Option<u16> = row.get(3)?;
    let text: Option<Vec<u8>> = row.get(4)?;
    let asked_at: Option<i64> = row.get(5)?;
    let robots = match (status, text, asked_at) {
        (Some(status), Some(text), Some(asked_at)) => {
            Some(Robots { status, text, asked_at: read(asked_at) })
        }
        _ => None,
    };
    Ok(HostState {
        next_at: read(row.get(0)?),
        gap: read(row.get(1)?),
        failures: row.get(2)?,
        robots,
    })
}

/// A redirect as stored in a row, by the rules of the records of reports: `to_bytes` is base64, for
/// targets that are not UTF-8.
#[derive(Serialize, Deserialize)]
struct HopText {
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_bytes: Option<String>,
}

pub(super) fn hops_to_text(hops: &[Hop]) -> String {
    let texts: Vec<_> = hops
        .iter()
        .map(|hop| {
            let (redacted, status) = (Redacted::new(&hop.to), hop.status);
            let shown = redacted.shown();
            match std::str::from_utf8(&shown) {
                Ok(to) => HopText { status, to: Some(to.to_owned()), to_bytes: None },
                Err(_) => {
                    let to_bytes = Some(data_encoding::BASE64.encode(&shown));
                    HopText { status, to: None, to_bytes }
                }
            }
        })
        .collect();
    // Numbers and texts can always be serialised.
    serde_json::to_string(&texts).unwrap_or_default()
}

/// Reports whether `hop` can still be followed once user and password are hidden, which are never
/// sent anyway.
pub(super) fn can_be_kept(hop: &Hop) -> bool {
    let redacted = Redacted::new(&hop.to);
    let shown = redacted.shown();
    let after_user = |text: &[u8]| {
        let slashes = memchr::memmem::find(text, b"//").map_or(0, |at| at + 2);
        let rest = text.get(slashes..).unwrap_or_default();
        let end = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
        let user_len = memchr::memrchr(b'@', rest.get(..end).unwrap_or_default());
        rest.get(user_len.map_or(0, |at| at + 1)..).unwrap_or_default().to_vec()
    };
    shown == hop.to || after_user(&shown) == after_user(&hop.to)
}

pub(super) fn text_to_hops(text: &str) -> Option<Vec<Hop>> {
    let texts: Vec<HopText> = serde_json::from_str(text).ok()?;
    let hop = |text: HopText| {
        let to = match (text.to, text.to_bytes) {
            (Some(to), None) => to.into_bytes(),
            (None, Some(bytes)) => data_encoding::BASE64.decode(bytes.as_bytes()).ok()?,
            _ => return None,
        };
        Some(Hop { status: text.status, to })
    };
    texts.into_iter().map(hop).collect()
}

/// Returns `text` with its passwords hidden.
pub(super) fn hidden(text: &[u8]) -> String {
    String::from_utf8_lossy(&Redacted::new(text).shown()).into_owned()
}

/// Returns `number` as SQLite's signed type with the same bits.
pub(super) const fn signed(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

/// Returns the number whose bits [`signed`] stored.
const fn bits(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

/// Converts a number to SQLite's signed type. Times beyond its range do not occur.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts a number back; a negative number, which is never written, becomes zero.
pub(super) fn read(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
