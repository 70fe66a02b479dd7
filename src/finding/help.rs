//! The shape of the help on a name in a report: why it matters, how to mend it, and an example.
//!
//! The texts stand in the tables that the names stand in, so that no row can lack one.

/// What somebody wants to know who meets a name for the first time.
#[derive(Debug, PartialEq, Eq)]
pub struct Help {
    /// Why it matters, in sentences.
    pub why: &'static str,
    /// How to mend it, or what to do about it, in sentences.
    pub mend: &'static str,
    /// Something that shows it.
    pub example: Example,
}

/// Something that shows what a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// The sentences say it all.
    None,
    /// A text that a grammar has this to say of; and the same, mended.
    Text {
        /// The text.
        text: &'static str,
        /// The text without what is the matter; none where nothing has to be mended.
        mended: Option<&'static str>,
    },
    /// The same for a text that is no UTF-8.
    Bytes(&'static [u8]),
    /// A link that shows one thing and goes to another.
    Shown {
        /// What a reader sees.
        shown: &'static str,
        /// Where it goes.
        target: &'static str,
    },
    /// A bare link of a text, and what stands right behind it there.
    Cut {
        /// The link.
        link: &'static str,
        /// The rest of its word.
        rest: &'static str,
        /// The link with that, mended.
        mended: &'static str,
    },
    /// A link that `check` gives this class without connecting to anybody.
    Asked(&'static str),
    /// Answers that are taken for it: `HTTP 404, 410; FTP 550`.
    Answer(&'static str),
}

/// Help without an example.
pub(super) const fn help(why: &'static str, mend: &'static str) -> Help {
    Help { why, mend, example: Example::None }
}

impl Help {
    /// The same with a text that shows it.
    pub(super) const fn text(self, text: &'static str) -> Self {
        Self { example: Example::Text { text, mended: None }, ..self }
    }

    /// The same with a text that shows it, and that text mended.
    pub(super) const fn mended(self, text: &'static str, mended: &'static str) -> Self {
        Self { example: Example::Text { text, mended: Some(mended) }, ..self }
    }

    /// The same with bytes that show it.
    pub(super) const fn bytes(self, bytes: &'static [u8]) -> Self {
        Self { example: Example::Bytes(bytes), ..self }
    }

    /// The same with a link that is not what it shows.
    pub(super) const fn shown(self, shown: &'static str, target: &'static str) -> Self {
        Self { example: Example::Shown { shown, target }, ..self }
    }

    /// The same with a bare link and the rest of its word, and both mended.
    pub(super) const fn cut(
        self,
        link: &'static str,
        rest: &'static str,
        mended: &'static str,
    ) -> Self {
        Self { example: Example::Cut { link, rest, mended }, ..self }
    }

    /// The same with a link that shows it when it is asked.
    pub(super) const fn asked(self, link: &'static str) -> Self {
        Self { example: Example::Asked(link), ..self }
    }

    /// The same with answers that are taken for it.
    pub(super) const fn answer(self, answers: &'static str) -> Self {
        Self { example: Example::Answer(answers), ..self }
    }
}
