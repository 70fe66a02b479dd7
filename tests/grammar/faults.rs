//! Tests the messages and hints of faults: each row of `corpus/grammar/faults.tsv`.

use linktrawl::internal::grammar;

use crate::cases::unescape;

const TABLE: &str = include_str!("../../corpus/grammar/faults.tsv");

#[test]
fn every_fault_is_told_as_its_row_says() {
    for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
        let &[name, input, message, hint, _note] = row.split('\t').collect::<Vec<_>>().as_slice()
        else {
            panic!("expected 5 fields: {row}");
        };
        let fault = grammar::find(name).unwrap().check(&unescape(input)).unwrap_err();
        let found = (fault.message.as_ref(), fault.hint.as_deref().unwrap_or_default());
        assert_eq!(found, (message, hint), "{name} {input}");
    }
}
