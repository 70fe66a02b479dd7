//! Reads the results in a state file, for reports on it. The file is only read.

use std::path::Path;

use rusqlite::{Connection, Row};

use super::problem::Problem;
use super::{file, row};
use crate::error::Error;
use crate::finding::{Class, Hop, Verdict, for_good};

/// The result of the last request for a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Last {
    /// The link without its fragment, as the state shows it: passwords are hidden.
    pub uri: Vec<u8>,
    /// The class of the answer.
    pub class: Class,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The place to which it redirects for good.
    pub moved_to: Option<Vec<u8>>,
    /// The time of the request, in seconds since 1970.
    pub asked_at: u64,
}

impl Last {
    /// Reports whether the link is dead; `None` if it was not requested.
    #[must_use]
    pub fn is_dead(&self) -> Option<bool> {
        match self.class.row().verdict {
            Verdict::Error => Some(true),
            Verdict::Ok | Verdict::Warn => Some(false),
            Verdict::Skipped => None,
        }
    }
}

/// The probe of requests to archives, in stored results.
pub const ARCHIVE: &str = "archive";

/// The probe of requests for invented names, in stored results.
pub const INVENTED: &str = "invented";

/// Passes each result of the state file at `path` to `take`, sorted by link, until it fails. Rows
/// that cannot be read are skipped, as runs skip them, and so are requests that are no links:
/// those to archives, and those for invented names beside pages.
///
/// # Errors
/// When the file cannot be read, or is not a state; and errors of `take`.
pub fn each<E: From<Error>>(
    path: &Path,
    take: &mut dyn FnMut(Last) -> Result<(), E>,
) -> Result<(), E> {
    let at = |problem: Problem| E::from(problem.at(path));
    let connection = file::open_to_read(path).map_err(at)?;
    let database = |error| at(Problem::Database(error));
    let mut select = select(&connection).map_err(database)?;
    let mut rows = select.query([]).map_err(database)?;
    while let Some(row) = rows.next().map_err(database)? {
        if let Some(last) = last(row).map_err(database)? {
            take(last)?;
        }
    }
    Ok(())
}

fn select(connection: &Connection) -> rusqlite::Result<rusqlite::Statement<'_>> {
    connection.prepare(&format!(
        "SELECT uri, class, status, hops, asked_at FROM results \
         WHERE probe NOT IN ('{ARCHIVE}', '{INVENTED}') ORDER BY uri, key"
    ))
}

fn last(row: &Row<'_>) -> rusqlite::Result<Option<Last>> {
    let (class, hops): (String, String) = (row.get(1)?, row.get(3)?);
    let class = Class::find(&class);
    let Some((class, hops)) = class.zip(row::text_to_hops(&hops)) else { return Ok(None) };
    let moved_to = moved_to(class, &hops);
    let asked_at = row::read(row.get(4)?);
    Ok(Some(Last { uri: row.get(0)?, class, status: row.get(2)?, moved_to, asked_at }))
}

fn moved_to(class: Class, hops: &[Hop]) -> Option<Vec<u8>> {
    let last = for_good(hops, |hop| hop.status).last();
    last.filter(|_| class == Class::Redirected).map(|hop| hop.to.clone())
}
