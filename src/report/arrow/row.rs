//! The row of a finding: the values of its columns, before they are in columns.
//!
//! A row has an entry for each value: the number of the column, a tag, and the value. Columns
//! without a value have no entry. Rows are never stored.

use std::borrow::Cow;

use super::date::{day, microseconds};
use super::derived::{self, lossy};
use crate::finding::{self, Cached, Encodings, Finding};
use crate::report::fields::{Fields, Key, has_message, key};
use crate::report::rot::Fate;
use crate::report::year::{year_in_names, year_of};
use crate::uri::Redacted;

/// The tag of bytes, and of a list; their length follows in four bytes, and then they.
const BYTES: u8 = 0;
/// The tag of a number, in eight bytes.
const NUMBER: u8 = 1;

/// Number of bytes of a length.
const LEN_LEN: usize = 4;

/// A row in progress.
#[derive(Default)]
pub(super) struct Row(Vec<u8>);

impl Row {
    /// Creates a row whose entries follow `bytes`.
    pub(super) const fn after(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the row.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds a text or bytes.
    #[inline]
    pub(super) fn put(&mut self, column: u8, bytes: &[u8]) {
        let [a, b, c, d] = len_of(bytes.len());
        self.0.extend_from_slice(&[column, BYTES, a, b, c, d]);
        self.0.extend_from_slice(bytes);
    }

    /// Adds a number, a time, a day or, as 0 or 1, a flag.
    #[inline]
    pub(super) fn put_number(&mut self, column: u8, number: i64) {
        let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
        self.0.extend_from_slice(&[column, NUMBER, a, b, c, d, e, f, g, h]);
    }

    /// Adds bytes, which `fill` appends.
    pub(super) fn list(&mut self, column: u8, fill: impl FnOnce(&mut Self)) {
        self.0.extend_from_slice(&[column, BYTES]);
        self.item(fill);
    }

    /// Adds the length of bytes, and the bytes, which `fill` appends.
    fn item(&mut self, fill: impl FnOnce(&mut Self)) {
        let start = self.0.len();
        self.0.extend_from_slice(&[0; LEN_LEN]);
        fill(self);
        let len = len_of(self.0.len().saturating_sub(start + LEN_LEN));
        if let Some(to) = self.0.get_mut(start..start + LEN_LEN) {
            to.copy_from_slice(&len);
        }
    }
}

/// Encodes a length. One that is too large, which no text has, makes a broken row.
#[inline]
fn len_of(len: usize) -> [u8; LEN_LEN] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}

impl Fields for Row {
    #[inline]
    fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }

    #[inline]
    fn cache<T>(of: &Encodings<T>) -> &Cached<T> {
        &of.row
    }

    fn text(&mut self, [key, bytes]: [Key; 2], text: &[u8]) {
        let lossy = lossy(text);
        self.put(key.column, lossy.as_bytes());
        if let Cow::Owned(_) = lossy {
            self.put(bytes.column, text);
        }
    }

    fn lossy(&mut self, key: Key, text: &[u8]) {
        self.put(key.column, lossy(text).as_bytes());
    }

    #[inline]
    fn utf8(&mut self, key: Key, text: Option<&str>) {
        if let Some(text) = text {
            self.put(key.column, text.as_bytes());
        }
    }

    #[inline]
    fn name(&mut self, key: Key, name: Option<&str>) {
        self.utf8(key, name);
    }

    fn time(&mut self, key: Key, time: Option<&str>) {
        if let Some(time) = time.and_then(microseconds) {
            self.put_number(key.column, time);
        }
    }

    fn day(&mut self, key: Key, day: &str) {
        if let Some(day) = self::day(day) {
            self.put_number(key.column, day.into());
        }
    }

    /// Adds a number; one that is too large, which no file reaches, becomes the largest.
    #[inline]
    fn number(&mut self, key: Key, number: Option<u64>) {
        if let Some(number) = number {
            self.put_number(key.column, i64::try_from(number).unwrap_or(i64::MAX));
        }
    }

    fn signed(&mut self, key: Key, number: Option<i64>) {
        if let Some(number) = number {
            self.put_number(key.column, number);
        }
    }

    #[inline]
    fn flag(&mut self, key: Key, flag: bool) {
        self.put_number(key.column, flag.into());
    }

    fn texts<'t>(&mut self, key: Key, texts: impl Iterator<Item = Cow<'t, str>>) {
        self.list(key.column, |row| {
            texts.for_each(|text| row.item(|row| row.0.extend_from_slice(text.as_bytes())));
        });
    }

    fn blobs<'t>(&mut self, key: Key, blobs: impl Iterator<Item = Cow<'t, [u8]>>) {
        self.list(key.column, |row| {
            blobs.for_each(|blob| row.item(|row| row.0.extend_from_slice(&blob)));
        });
    }

    fn items<I>(&mut self, key: Key, items: impl Iterator<Item = I>, visit: impl Fn(I, &mut Self)) {
        self.list(key.column, |row| items.for_each(|item| row.item(|row| visit(item, row))));
    }

    #[inline]
    fn literal(&mut self, _: &'static str) {}

    fn derived_of_uri(&mut self, finding: &Finding<'_>) {
        let has_scheme = !finding.facts.scheme.is_empty();
        derived::link(&finding.uri.shown(), has_scheme, finding.cue.name(), self);
    }

    fn derived(&mut self, finding: &Finding<'_>) {
        self.flag(key!(Mail, "is_mail"), has_message(finding));
        if finding.facts.scheme.is_empty() {
            self.derived_of_uri(finding);
        }
        let date = finding.message.and_then(|message| message.date.as_deref());
        let year = year_of(date).or_else(|| year_of_origin(finding.place.origin));
        self.number(key!(End, "year"), year.map(u64::from));
        if let Some(reach) = finding.reach {
            let hops: Vec<_> = reach.hops.iter().map(|hop| Redacted::new(&hop.to)).collect();
            let hops: Vec<_> = hops.iter().map(Redacted::shown).collect();
            let hops = hops.iter().map(|hop| &**hop);
            let answer = (reach.probe, reach.class, reach.message.as_bytes());
            let fate = Fate::of_answer(&finding.uri.shown(), answer, hops);
            let is_inaccessible = finding::is_inaccessible(reach.class, reach.probe, reach.status);
            derived::answer(fate, is_inaccessible, self);
        }
    }
}

/// Returns the year of `origin`, by the names of its members, its date, or its path.
fn year_of_origin(origin: &finding::Origin) -> Option<u16> {
    *origin.memo.year.get_or(|| {
        let lossy =
            |name: &[u8]| String::from_utf8_lossy(&Redacted::new(name).shown()).into_owned();
        let members: Vec<_> = origin.members.iter().map(|member| lossy(member)).collect();
        let date = origin.date.map(|date| date.to_string());
        year_in_names(&members, date.as_deref(), &lossy(origin.path.as_os_str().as_encoded_bytes()))
    })
}

/// A value of a row.
#[derive(Clone, Copy)]
pub(super) enum Value<'r> {
    /// A text, bytes, or the items of a list.
    Bytes(&'r [u8]),
    /// A number, a time, a day or a flag.
    Number(i64),
}

/// The entries of a row that are not taken yet: numbers of columns, and their values.
#[derive(Clone, Copy)]
pub(super) struct Entries<'r>(&'r [u8]);

impl<'r> Entries<'r> {
    pub(super) const fn of(row: &'r [u8]) -> Self {
        Self(row)
    }

    /// Reports whether an entry is broken: the entries end before the row does.
    pub(super) const fn is_broken(&self) -> bool {
        !self.0.is_empty()
    }
}

impl<'r> Iterator for Entries<'r> {
    type Item = (u8, Value<'r>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let [column, tag, rest @ ..] = self.0 else { return None };
        let (value, rest) = if *tag == NUMBER {
            let (number, rest) = rest.split_first_chunk()?;
            (Value::Number(i64::from_le_bytes(*number)), rest)
        } else {
            let (bytes, rest) = split(rest)?;
            (Value::Bytes(bytes), rest)
        };
        self.0 = rest;
        Some((*column, value))
    }
}

/// The items of a list that are not taken yet.
pub(super) struct Items<'r>(&'r [u8]);

impl<'r> Items<'r> {
    pub(super) const fn of(list: &'r [u8]) -> Self {
        Self(list)
    }
}

impl<'r> Iterator for Items<'r> {
    type Item = &'r [u8];

    fn next(&mut self) -> Option<&'r [u8]> {
        let (item, rest) = split(self.0)?;
        self.0 = rest;
        Some(item)
    }
}

/// Returns the bytes that begin with their length, and the rest.
#[inline]
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first_chunk::<LEN_LEN>()?;
    rest.split_at_checked(usize::try_from(u32::from_le_bytes(*len)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{Entries, Row};

    #[test]
    fn what_is_cut_is_broken() {
        let mut row = Row::default();
        row.put(1, b"text");
        row.put_number(2, -1);
        let row = row.into_bytes();
        for end in 1..row.len() {
            let mut entries = Entries::of(&row[..end]);
            let count = entries.by_ref().count();
            assert!(entries.is_broken() || (count, end) == (1, 10), "{end}");
        }
    }
}
