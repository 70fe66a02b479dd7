//! Lists the formats of comparisons, by the names that `--format` takes.

use super::{Format, json, markdown, text};
use crate::report::html;

/// The names of the formats that comparisons have.
pub const FORMATS: [&str; 4] = ["text", "json", "html", "markdown"];

/// Returns the format called `name`.
#[must_use]
pub fn find(name: &str) -> Option<Box<dyn Format>> {
    match name {
        "text" => Some(Box::new(text::Lines)),
        "json" => Some(Box::new(json::Object::default())),
        "html" => Some(Box::new(html::compared::Page::default())),
        "markdown" => Some(Box::new(markdown::Tables::default())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, find};

    #[test]
    fn every_name_is_that_of_a_format() {
        assert!(FORMATS.iter().all(|name| find(name).is_some()));
        assert!(find("csv").is_none());
    }
}
