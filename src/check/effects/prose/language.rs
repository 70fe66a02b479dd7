//! Describes the phrases of one language.

/// The phrases of one language. Phrases are separated by `|`; after the last word of one, `*`
/// matches any ending; `=` before one restricts it to short texts.
pub(super) struct Language {
    /// Its code (BCP 47), or the name of a group.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests count languages by it"))]
    pub(super) code: &'static str,
    /// Phrases for leaving, complaining, and changing what is sent: they count in texts of any
    /// kind.
    pub(super) leave: &'static str,
    /// Phrases for answers, orders and accounts: news use such words, too.
    pub(super) act: &'static str,
    /// Words that only point at a link, as in `click here`.
    pub(super) here: &'static str,
    /// Phrases for going on to read.
    pub(super) read: &'static str,
}
