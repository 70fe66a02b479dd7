//! Defines the objects of SARIF 2.1.0 that are written, under their own names, each with its
//! section. Properties without a value are omitted.

use serde::Serialize;

use crate::report::escape::Shown;
use crate::report::escape::sarif::{Message, Place};
use crate::report::statement::from_the_top;

/// `message`, §3.11; `multiformatMessageString`, §3.12; `artifactContent`, §3.3.
#[derive(Serialize)]
pub(super) struct Text {
    text: String,
}

impl Text {
    /// Encodes our own or untrusted words, made harmless.
    pub(super) fn said(words: &[u8]) -> Self {
        Self { text: Message(&Shown(words).to_string()).to_string() }
    }

    /// Encodes the content of a file unchanged.
    pub(super) fn exact(text: String) -> Self {
        Self { text }
    }
}

/// `reportingDescriptor`, §3.49.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    pub(super) short_description: Text,
    pub(super) full_description: Text,
    pub(super) help: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    pub(super) default_configuration: Configuration,
    pub(super) properties: Tags,
}

/// `reportingConfiguration`, §3.50.
#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

/// `propertyBag`, §3.8.
#[derive(Serialize)]
pub(super) struct Tags {
    pub(super) tags: [&'static str; 1],
}

/// `result`, §3.27.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_id: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: [Location; 1],
    pub(super) partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suppressions: Vec<Suppression>,
}

/// `partialFingerprints`, §3.27.17. The number in the name is the version of the algorithm.
#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "ruleLinkOccurrence/v1")]
    pub(super) occurrence: String,
}

/// `location`, §3.28.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

impl Location {
    /// Creates the location of a link at `region` of the file `path`; `within` names the member of
    /// an archive or the like that contains it.
    pub(super) fn new(path: &[u8], region: Option<Region>, within: Option<&[u8]>) -> Self {
        let qualified = |words| LogicalLocation {
            fully_qualified_name: Shown(words).to_string(),
            kind: "member",
        };
        Self {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation::new(path),
                region,
            },
            logical_locations: within.map(qualified).into_iter().collect(),
        }
    }
}

/// `physicalLocation`, §3.29.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

/// `logicalLocation`, §3.33.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

/// `artifactLocation`, §3.4.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Text>,
}

/// The base of relative paths, by the name that other tools use.
pub(super) const BASE: &str = "%SRCROOT%";

impl ArtifactLocation {
    pub(super) fn new(path: &[u8]) -> Self {
        if path == b"-" {
            let description = Some(Text::said(b"standard input"));
            return Self { uri: None, uri_base_id: None, description };
        }
        let uri_base_id = (!path.starts_with(b"/")).then_some(BASE);
        let uri = Some(Place(&from_the_top(path)).to_string());
        Self { uri, uri_base_id, description: None }
    }
}

/// `region`, §3.30: on one line; the end column follows its last character.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u64,
    pub(super) start_column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_column: Option<u64>,
    #[serde(flatten)]
    pub(super) bytes: Option<ByteRegion>,
}

/// The byte range of a region in the file.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ByteRegion {
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
}

/// `suppression`, §3.35.
#[derive(Serialize)]
pub(super) struct Suppression {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: &'static str,
}

/// `fix`, §3.55.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    pub(super) description: Text,
    pub(super) artifact_changes: [ArtifactChange; 1],
}

/// `artifactChange`, §3.56.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: [Replacement; 1],
}

/// `replacement`, §3.57.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub(super) deleted_region: Region,
    pub(super) inserted_content: Text,
}

/// `notification`, §3.58.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notification<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) descriptor: Option<Reference<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) associated_rule: Option<Reference<'r>>,
    pub(super) level: &'static str,
    pub(super) message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) locations: Vec<Location>,
}

/// `reportingDescriptorReference`, §3.52.
#[derive(Serialize)]
pub(super) struct Reference<'r> {
    pub(super) id: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<usize>,
}
