//! The JSON Schema of configuration files.

use std::fs;

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use crate::home::{repository, run, stderr, stdout};

/// `value` as JSON has it.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Integer(number) => number.as_str().parse::<i64>().expect("a number").into(),
        DeValue::Boolean(is) => (*is).into(),
        DeValue::Array(values) => values.iter().map(|value| json(value.get_ref())).collect(),
        DeValue::Table(table) => table_of(table),
        DeValue::Float(number) => number.as_str().parse::<f64>().expect("a number").into(),
        DeValue::Datetime(_) => Value::Null,
    }
}

fn table_of(table: &DeTable<'_>) -> Value {
    let rows = table.iter().map(|(key, value)| (key.to_string(), json(value.get_ref())));
    Value::Object(rows.collect())
}

#[test]
fn the_schema_takes_what_the_program_takes() {
    let home = repository(&[]);
    let schema = stdout(&run(home.path(), &["--generate", "config-schema"]));
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let case = |text: &str, is_well: bool| {
        let document = DeTable::parse(text).expect("TOML");
        assert_eq!(schema.is_valid(&table_of(document.get_ref())), is_well, "{text}");
        fs::write(home.path().join("x.toml"), text).expect("a file");
        let output = run(home.path(), &["config", "show", "--config=x.toml"]);
        assert_eq!(output.status.success(), is_well, "{text}: {}", stderr(&output));
    };
    let well = [
        "",
        "exclude = ['a']\nunique = true\nretries = 0\nformat = ['text', 'ndjson=a=b']",
        "grammar = ['rfc3986', 'current']\nno-repair = ['r1', 'R2', 'ALL']\nfind = ['www']",
        "as = 'mail'\ncolor = 'never'\nprobe = 'host'\ntimeout = '3s'\nexclude = []",
        "state = 'a'",
        "state = true\nconfirm = 2",
        "state = true\nconfirm = 'iabot'\nrate = 0.5",
        "rate = 30",
        "rate = '0.5'",
        "verdict = ['gone=ok', 'tls@h=a.example=warn', 'policy=skipped']",
        "state = false",
        "[hosts.h]\ngap = '1s'\nconcurrency = 2\nown = true\ntoken = { env = 'A' }",
        "[[paths]]\nglob = 'a/'\nexclude = ['b']\nverdict = ['gone=ok']\n[[paths]]\nglob = '*'",
        "[hosts.h]\nuser = 'a'\npassword = { file = 'b' }\n\
         headers = { A = 'b', Cookie = { env = 'C' } }",
    ];
    let wrong = [
        "exlude = ['a']",
        "exclude = 'a'",
        "unique = 1",
        "state = 1",
        "root-dir = true",
        "retries = '1'",
        "retries = -1",
        "format = ['texd']",
        "format = ['textual=a']",
        "grammar = ['rfc0']",
        "find = []",
        "color = 'red'",
        "rate = true",
        "confirm = [1]",
        "config = 'a'",
        "verdict = ['gonne=ok']",
        "verdict = ['gone=okay']",
        "verdict = ['gone@=ok']",
        "[[paths]]\nglob = 'a'\nverdict = ['gone']",
        "[hosts.h]\ngab = '1s'",
        "[hosts.h]\ntoken = 'a'",
        "[hosts.h]\ntoken = { env = 'A', file = 'b' }",
        "[hosts.h]\nuser = 'a'",
        "[hosts.h]\nheaders = { A = 1 }",
        "[[paths]]\nexclude = ['a']",
        "[[paths]]\nglob = ''",
        "[[paths]]\nglob = 'a'\ntimeout = '1s'",
        "[paths]\nglob = 'a'",
    ];
    well.iter().for_each(|text| case(text, true));
    wrong.iter().for_each(|text| case(text, false));
}
