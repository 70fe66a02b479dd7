//! Finds the name that differs least from one that does not exist.

/// Maximum number of edits of a typing error.
const EDITS_MAX: usize = 3;
/// Longest name, in bytes, that is compared. Longer ones are made by programs, which do not
/// mistype.
const NAME_LEN_MAX: usize = 80;
/// Shortest name without its ending, in bytes, that may have a typing error.
const STEM_LEN_MIN: usize = 3;
/// Names that are compared with one; a directory of spool files has thousands, and none of them is
/// a misspelling of another.
const NAMES_MAX: usize = 512;

/// Returns the name of `names` that is nearest to `wanted`; of several, the first.
pub(super) fn nearest<'n>(
    wanted: &[u8],
    names: impl Iterator<Item = &'n [u8]>,
) -> Option<&'n [u8]> {
    if wanted.len() > NAME_LEN_MAX {
        return None;
    }
    let wanted = wanted.to_ascii_lowercase();
    let letters = letters(&wanted);
    let mut best = None;
    // A third of a word may be wrong, or it is another word; of one or two letters, none.
    let stem = wanted.iter().rposition(|byte| *byte == b'.').unwrap_or(wanted.len());
    let edits_max = if stem < STEM_LEN_MIN { 0 } else { EDITS_MAX.min(wanted.len() / 3) };
    let mut limit = edits_max + 1;
    for name in names.take(NAMES_MAX).filter(|name| name.len() <= NAME_LEN_MAX) {
        // Each edit removes or adds at most two letters.
        let is_near = (letters ^ self::letters(name)).count_ones() as usize <= 2 * limit;
        if is_near && let Some(edits) = edits(&wanted, name, limit) {
            (best, limit) = (Some(name), edits);
        }
    }
    best
}

/// Returns a set with a bit for each letter and digit of `name`, whatever its case.
fn letters(name: &[u8]) -> u64 {
    name.iter().fold(0, |set, byte| set | 1 << (byte.to_ascii_lowercase() & 63))
}

/// Returns the number of edits, if it is less than `limit`: bytes to add, remove, change or swap
/// with their neighbour. The case of `name` does not matter.
fn edits(wanted: &[u8], name: &[u8], limit: usize) -> Option<usize> {
    if wanted.len().abs_diff(name.len()) >= limit {
        return None;
    }
    let far = NAME_LEN_MAX;
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=name.len()).collect();
    let mut last = None;
    for (done, byte) in wanted.iter().enumerate() {
        let mut next = vec![done + 1];
        for (at, other) in name.iter().enumerate() {
            let other = other.to_ascii_lowercase();
            let of = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(far);
            let changed = of(&row, at) + usize::from(*byte != other);
            let mut least = changed.min(of(&row, at + 1) + 1).min(of(&next, at) + 1);
            let neighbour = at.checked_sub(1).and_then(|at| name.get(at));
            let is_swap = last == Some(other)
                && neighbour.is_some_and(|neighbour| neighbour.to_ascii_lowercase() == *byte);
            if is_swap && let Some(at) = at.checked_sub(1) {
                least = least.min(of(&before, at) + 1);
            }
            next.push(least);
        }
        if next.iter().all(|edits| *edits >= limit) {
            return None;
        }
        last = Some(*byte);
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|edits| *edits < limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn case(wanted: &str, expected: Option<&str>) {
        let names = ["guide.md", "Install.md", "index.html", "a", "design-notes.md"];
        let found = nearest(wanted.as_bytes(), names.iter().map(|name| name.as_bytes()));
        let found = found.map(|name| std::str::from_utf8(name).unwrap());
        assert_eq!(found, expected, "{wanted}");
    }

    #[test]
    fn slips_are_undone() {
        case("giude.md", Some("guide.md"));
        case("guides.md", Some("guide.md"));
        case("guid.md", Some("guide.md"));
        case("instal.md", Some("Install.md"));
        case("design_notes.md", Some("design-notes.md"));
        case("indx.htm", Some("index.html"));
    }

    #[test]
    fn other_words_are_no_slips() {
        case("b", None);
        case("b.html", None);
        case("in.md", None);
        case("readme.md", None);
        case("notes.md", None);
        case(&"x".repeat(200), None);
    }

    #[test]
    fn edits_are_those_of_the_definition() {
        /// Computes edits by the recursive definition of the optimal string alignment.
        fn slow(a: &[u8], b: &[u8]) -> usize {
            let ([rest_a @ .., x], [rest_b @ .., y]) = (a, b) else { return a.len().max(b.len()) };
            let least = (slow(rest_a, rest_b) + usize::from(x != y))
                .min(slow(a, rest_b) + 1)
                .min(slow(rest_a, b) + 1);
            match (rest_a, rest_b) {
                ([a @ .., v], [b @ .., w]) if v == y && w == x => least.min(slow(a, b) + 1),
                _ => least,
            }
        }
        let mut words = vec![Vec::new()];
        for from in 0..40 {
            for letter in *b"abc" {
                words.push([words[from].as_slice(), &[letter]].concat());
            }
        }
        for a in &words {
            for b in &words {
                let expected = slow(a, b);
                assert_eq!(super::edits(a, b, 9), Some(expected), "{a:?} {b:?}");
                assert_eq!(super::edits(a, b, expected), None, "{a:?} {b:?}");
            }
        }
    }
}
