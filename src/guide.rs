//! The guide to the program: inputs, findings, verdicts, requests and reports, one topic a module.
//!
//! The same texts are printed by `linktrawl help TOPIC`, and are the man pages
//! `linktrawl-TOPIC(7)`. Their tables are printed from the library's own tables.

/// One topic of the guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// The name that `linktrawl help` takes.
    pub name: &'static str,
    /// The text, in Markdown: a title, a paragraph that summarises the topic, and the rest.
    pub text: &'static str,
}

impl Topic {
    /// Returns the topic's title.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or(self.name)
    }

    /// Returns the paragraph after the title, with the line breaks of the text.
    #[must_use]
    pub fn about(&self) -> &'static str {
        self.text.split("\n\n").nth(1).unwrap_or_default()
    }
}

/// Makes a module and a row of [`TOPICS`] of each file in `guide/`.
macro_rules! topics {
    ($($name:ident)*) => {
        $(
            #[doc = include_str!(concat!("guide/", stringify!($name), ".md"))]
            pub mod $name {}
        )*

        /// Every topic, in the order in which a reader may want them.
        pub static TOPICS: &[Topic] = &[
            $(Topic {
                name: stringify!($name),
                text: include_str!(concat!("guide/", stringify!($name), ".md")),
            }),*
        ];
    };
}

topics! {
    installing recipes inputs documents mail archives schemes grammars lints checking classes
    formats baselines fixing watch splits configuration options ci python spark scale migrating
    limits performance
}

/// Returns the topic called `name`; `None` if there is none.
#[must_use]
pub fn find(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}
