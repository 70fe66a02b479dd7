//! Generates a JSON Schema for configuration files (draft 2020-12), for editors that complete and
//! check them.
//!
//! It is derived from clap's definition, as the keys are. It is less strict than `config check`:
//! only their parsers know the syntax of durations, patterns and networks.

use clap::Arg;
use clap::builder::PossibleValue;
use serde_json::{Map, Value, json};

use super::hosts::{self, Says};
use super::keys::{HOSTS, Item, Key, Keys, PATHS, ValueKind};
use super::paths;
use crate::args::check;

/// Returns the schema, as text.
pub(crate) fn schema() -> String {
    let keys = Keys::new();
    let mut properties: Map<String, Value> =
        keys.all().map(|key| (key.name.to_owned(), property(key))).collect();
    properties.insert(HOSTS.to_owned(), tables(&keys));
    properties.insert(PATHS.to_owned(), path_tables(&keys));
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "linktrawl.toml",
        "description": "Options of linktrawl, by their long names",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    format!("{schema:#}\n")
}

/// Returns the schema of the values of `key`.
fn property(key: Key<'_>) -> Value {
    let mut property = match key.kind {
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::One(item) if key.may_stand_alone() => {
            json!({ "anyOf": [{ "type": "boolean" }, one(key.arg, item)] })
        }
        ValueKind::One(item) => one(key.arg, item),
        ValueKind::Many(item) => {
            let has_default = !key.arg.get_default_values().is_empty();
            let least = if has_default { 1 } else { 0 };
            json!({ "type": "array", "items": one(key.arg, item), "minItems": least })
        }
    };
    let help = key.arg.get_help().map(ToString::to_string).unwrap_or_default();
    if let Some(object) = property.as_object_mut() {
        object.insert("description".to_owned(), help.into());
    }
    property
}

fn one(arg: &Arg, item: Item) -> Value {
    let values = arg.get_possible_values();
    let names = values.iter().flat_map(PossibleValue::get_name_and_aliases);
    let names: Vec<_> = names.map(str::to_owned).collect();
    match item {
        Item::Number => json!({ "type": "integer", "minimum": 0 }),
        Item::NumberOrText => json!({ "type": ["number", "string"], "minimum": 0 }),
        Item::Report => {
            json!({ "type": "string", "pattern": format!("^({})(=.*)?$", names.join("|")) })
        }
        _ if arg.get_long() == Some("verdict") => {
            json!({ "type": "string", "pattern": check::verdict_pattern() })
        }
        // If case is ignored, there are more names than these.
        _ if names.is_empty() || arg.is_ignore_case_set() => json!({ "type": "string" }),
        _ => json!({ "type": "string", "enum": names }),
    }
}

/// Returns the schema of the table of tables for single hosts.
fn tables(keys: &Keys) -> Value {
    let elsewhere = |key: &str| {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": [key],
            "properties": { key: { "type": "string" } },
        })
    };
    let secret = json!({ "oneOf": [elsewhere("env"), elsewhere("file")] });
    let property = |says: Says| match says {
        Says::Like(option) => keys.find(option).map(property).unwrap_or_default(),
        Says::Truth => json!({ "type": "boolean" }),
        Says::Text => json!({ "type": "string" }),
        Says::Secret => secret.clone(),
        Says::Headers => json!({
            "type": "object",
            "additionalProperties": { "anyOf": [{ "type": "string" }, secret] },
        }),
    };
    let properties: Map<String, Value> =
        hosts::KEYS.iter().map(|(name, says)| ((*name).to_owned(), property(*says))).collect();
    json!({
        "type": "object",
        "description": "Settings of single hosts: HOST, HOST:PORT or SCHEME://HOST:PORT",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": false,
            "properties": properties,
            "dependentRequired": { "user": ["password"], "password": ["user"] },
        },
    })
}

/// Returns the schema of the array of tables for some of the inputs.
fn path_tables(keys: &Keys) -> Value {
    let of = |name: &&str| Some(((*name).to_owned(), property(keys.find(name)?)));
    let mut properties: Map<String, Value> = paths::KEYS.iter().filter_map(of).collect();
    let about = "Files, in the syntax of .gitignore, relative to the directory of this file";
    let glob = json!({ "type": "string", "minLength": 1, "description": about });
    properties.insert(paths::GLOB.to_owned(), glob);
    json!({
        "type": "array",
        "description": "Settings of some of the inputs; the last match decides",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": [paths::GLOB],
            "properties": properties,
        },
    })
}
