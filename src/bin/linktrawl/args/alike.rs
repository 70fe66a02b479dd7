//! Finds names that are similar to a mistyped one.

/// Returns `: perhaps NAME` with the most similar of `names`, or an empty string if none is
/// similar.
pub(crate) fn perhaps<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    alike(name, names).map(|known| format!(": perhaps {known}")).unwrap_or_default()
}

/// Returns the one of `names` that is most similar to `name`, if one is similar.
pub(crate) fn alike<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Clap's threshold for its own suggestions.
    const LIKENESS_MIN: f64 = 0.7;
    // Longer texts are no typing errors, and comparing them would be slow.
    const NAME_LEN_MAX: usize = 80;
    if name.len() > NAME_LEN_MAX {
        return None;
    }
    let alike = names.map(|known| (strsim::jaro(name, known), known));
    let best = alike.filter(|(likeness, known)| *likeness > LIKENESS_MIN && is_near(name, known));
    let best = best.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, known)| known)
}

/// Reports whether `name` may be `known` with typing errors. With a third of it wrong it is another
/// name, and so is less than a half of one.
pub(crate) fn is_near(name: &str, known: &str) -> bool {
    let edits_max = (name.len().max(known.len()) / 3).max(1);
    let is_start = name.len() * 2 >= known.len() && known.starts_with(name);
    is_start || strsim::damerau_levenshtein(name, known) <= edits_max
}

#[cfg(test)]
mod tests {
    use super::perhaps;

    #[test]
    fn the_likest_name_is_offered_and_no_other() {
        let names = ["exclude", "include", "exit-zero"];
        assert_eq!(perhaps("exlude", names.into_iter()), ": perhaps exclude");
        assert_eq!(perhaps("inclu", names.into_iter()), ": perhaps include");
        assert_eq!(perhaps("zzz", names.into_iter()), "");
        assert_eq!(perhaps("no-config", ["in-flight"].into_iter()), "");
    }
}
