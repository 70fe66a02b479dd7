//! Divides pages into the words that a reader sees.

use super::html::tokens::{Token, Tokens};
use super::reference::Resolved;
use crate::source::panics::caught;

/// Passes each word of `text`, which is HTML in UTF-8, to `take`, in order. Scripts, styles,
/// comments and attributes have none; a tag ends a word.
pub fn of_html(text: &[u8], take: &mut dyn FnMut(&[u8])) {
    // A page that cannot be read has the words that were read before.
    let _ = caught(|| {
        for token in Tokens::new(text, 0) {
            if let Token::Text(span) = token {
                of_text(&Resolved::of_text(text, span).bytes, take);
            }
        }
    });
}

/// Passes each word of `text` to `take`, in order.
pub fn of_text(text: &[u8], take: &mut dyn FnMut(&[u8])) {
    let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.for_each(take);
}

#[cfg(test)]
mod tests {
    use super::of_html;

    #[test]
    fn words_are_what_a_reader_sees() {
        let case = |text: &str, wanted: &str| {
            let mut words = Vec::new();
            of_html(text.as_bytes(), &mut |word| {
                words.push(String::from_utf8_lossy(word).into_owned());
            });
            assert_eq!(words.join("|"), wanted, "{text}");
        };
        case("", "");
        case("<title>A b</title><p class=c>d&amp;e\n <b>f</b>g", "A|b|d&e|f|g");
        case("<script>a b</script>c<style>d</style><!-- e -->f", "c|f");
    }
}
