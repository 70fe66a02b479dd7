//! Defines the help on a name in a report: why it matters, how to fix it, and an example.
//!
//! The texts are part of the tables of names, so that no row can lack one.

/// An explanation for users who meet a name for the first time.
#[derive(Debug, PartialEq, Eq)]
pub struct Help {
    /// Why it matters, in sentences.
    pub why: &'static str,
    /// How to fix it, or what to do about it, in sentences.
    pub fix: &'static str,
    /// An example.
    pub example: Example,
}

/// An example that shows what a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// No example: the sentences suffice.
    None,
    /// A text for which a grammar reports this name, and its fixed form.
    Text {
        /// The text.
        text: &'static str,
        /// The fixed text; `None` if nothing has to be fixed.
        fixed: Option<&'static str>,
    },
    /// A text that is not UTF-8, for which a grammar reports this name.
    Bytes(&'static [u8]),
    /// A link that shows one thing and goes to another.
    Shown {
        /// The visible text.
        shown: &'static str,
        /// The target.
        target: &'static str,
    },
    /// A bare link in a text, and the characters that directly follow it there.
    Cut {
        /// The link.
        link: &'static str,
        /// The rest of its word.
        rest: &'static str,
        /// The fixed link, including the rest.
        fixed: &'static str,
    },
    /// Header fields of a message, and their fixed form.
    Fields {
        /// The fields, each on a line.
        fields: &'static str,
        /// The fixed fields.
        fixed: &'static str,
    },
    /// A link to which `check` assigns this class without any connection.
    Asked(&'static str),
    /// Responses that are classified so: `HTTP 404, 410; FTP 550`.
    Answer(&'static str),
}

/// Creates help without an example.
pub(super) const fn help(why: &'static str, fix: &'static str) -> Help {
    Help { why, fix, example: Example::None }
}

impl Help {
    /// Sets the example: a text.
    pub(super) const fn text(self, text: &'static str) -> Self {
        Self { example: Example::Text { text, fixed: None }, ..self }
    }

    /// Sets the example: a text, and its fixed form.
    pub(super) const fn fixed(self, text: &'static str, fixed: &'static str) -> Self {
        Self { example: Example::Text { text, fixed: Some(fixed) }, ..self }
    }

    /// Sets the example: bytes.
    pub(super) const fn bytes(self, bytes: &'static [u8]) -> Self {
        Self { example: Example::Bytes(bytes), ..self }
    }

    /// Sets the example: a link that shows one host and goes to another.
    pub(super) const fn shown(self, shown: &'static str, target: &'static str) -> Self {
        Self { example: Example::Shown { shown, target }, ..self }
    }

    /// Sets the example: a bare link, the rest of its word, and the fixed link.
    pub(super) const fn cut(
        self,
        link: &'static str,
        rest: &'static str,
        fixed: &'static str,
    ) -> Self {
        Self { example: Example::Cut { link, rest, fixed }, ..self }
    }

    /// Sets the example: header fields, and their fixed form.
    pub(super) const fn fields(self, fields: &'static str, fixed: &'static str) -> Self {
        Self { example: Example::Fields { fields, fixed }, ..self }
    }

    /// Sets the example: a link to check.
    pub(super) const fn asked(self, link: &'static str) -> Self {
        Self { example: Example::Asked(link), ..self }
    }

    /// Sets the example: responses.
    pub(super) const fn answer(self, answers: &'static str) -> Self {
        Self { example: Example::Answer(answers), ..self }
    }
}
