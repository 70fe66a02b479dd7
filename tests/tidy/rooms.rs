//! Requires a row for each room of `src/` in the table of CONTRIBUTING, which newcomers read first.

use std::collections::BTreeSet;

use super::File;

const CONTRIBUTING: &str = ".github/CONTRIBUTING.md";
/// The beginning of the table's first line.
const HEAD: &str = "| room |";

/// Complains about each room without a row, and about each row without a room.
pub(crate) fn rooms_are_on_the_map(files: &[File]) -> Vec<String> {
    let Some(file) = files.iter().find(|file| file.path == CONTRIBUTING) else {
        return vec![format!("{CONTRIBUTING}:1: the file is missing")];
    };
    let rooms: BTreeSet<&str> = files.iter().filter_map(room).collect();
    let (line, named) = table(&file.text);
    let missing = rooms.difference(&named).map(|room| format!("{room} has no row in the table"));
    let extra = named.difference(&rooms).map(|room| format!("{room} is not in src/"));
    missing.chain(extra).map(|what| file.complain(line, &what)).collect()
}

/// Returns the folder below `src/` that has the file, or the file's own name; `None` for the root
/// of the library and for files elsewhere.
fn room(file: &File) -> Option<&str> {
    let first = file.path.strip_prefix("src/")?.split('/').next()?;
    Some(first.trim_end_matches(".rs")).filter(|room| *room != "lib")
}

/// Returns the number of the table's first line, and the names in its first column.
fn table(text: &str) -> (usize, BTreeSet<&str>) {
    let at = text.lines().position(|line| line.starts_with(HEAD)).unwrap_or_default();
    let rows = text.lines().skip(at + 1).take_while(|line| line.starts_with('|'));
    let first_cells = rows.filter_map(|row| row.split('|').nth(1));
    (at + 1, first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect())
}

#[test]
fn a_room_without_a_row_and_a_row_without_a_room_are_seen() {
    let map = "# a\n\n| room | contents |\n|---|---|\n| `a`, `b` | `x` |\n\n| `z` | another |\n";
    let files = |rooms: &[&str]| -> Vec<File> {
        let rooms = rooms.iter().map(|path| File::new(path, ""));
        rooms.chain([File::new(CONTRIBUTING, map)]).collect()
    };
    let of = |rooms: &[&str]| rooms_are_on_the_map(&files(rooms));
    assert_eq!(of(&["src/lib.rs", "src/a.rs", "src/a/c.rs", "src/b/d.py", "tests/e.rs"]), [""; 0]);
    let expected = [".github/CONTRIBUTING.md:3: c has no row in the table"];
    assert_eq!(of(&["src/a.rs", "src/b.rs", "src/c/x.rs"]), expected);
    assert_eq!(of(&["src/a.rs"]), [".github/CONTRIBUTING.md:3: b is not in src/"]);
    assert_eq!(rooms_are_on_the_map(&[]), [".github/CONTRIBUTING.md:1: the file is missing"]);
}
