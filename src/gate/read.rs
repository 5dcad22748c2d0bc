//! Manifests and policies from TOML or JSON text. Reads no files: it is handed their text.

use serde::de::DeserializeOwned;

use super::{Manifest, Policy};
use crate::scenario::{Document, InputError};

/// A manifest from TOML text, or from JSON text (which begins with a brace).
///
/// # Errors
/// Names line and key, what was found and what is allowed.
pub fn manifest(source: &str, text: &str) -> Result<Manifest, InputError> {
    let (document, manifest): (Document, Manifest) = parse(source, text)?;
    for (key, value) in [
        ("region", &manifest.region),
        ("api_contract", &manifest.api_contract),
        ("policy_revision", &manifest.policy_revision),
        ("artifact.approved", &manifest.artifact.approved),
    ] {
        if value.trim().is_empty() {
            return Err(document.error(key, "it is empty; allowed: a name or revision"));
        }
    }
    match &manifest.canary {
        Some(canary) if !(0.0..=1.0).contains(&canary.success) => {
            let message = format!("{} found; allowed: 0 to 1", canary.success);
            Err(document.error("canary.success", &message))
        }
        _ => Ok(manifest),
    }
}

/// A policy from TOML or JSON text.
///
/// # Errors
/// As [`manifest`].
pub fn policy(source: &str, text: &str) -> Result<Policy, InputError> {
    let (document, policy): (Document, Policy) = parse(source, text)?;
    match policy.broken_rule() {
        Some((key, message)) => Err(document.error(&key, &message)),
        None => Ok(policy),
    }
}

fn parse<T: DeserializeOwned>(source: &str, text: &str) -> Result<(Document, T), InputError> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let document = Document::new(source, text)?;
        let parsed = document.parse()?;
        return Ok((document, parsed));
    }
    let document = json_document(source, text)?;
    match document.parse() {
        Ok(parsed) => Ok((document, parsed)),
        Err(error) => {
            // The document knows no lines of JSON; the JSON parser stops at the same fault.
            let line = serde_json::from_str::<T>(text).err().map(|error| error.line());
            Err(InputError { line, ..error })
        }
    }
}

/// JSON as a document. Nulls are dropped: a key with null is a key left out.
fn json_document(source: &str, text: &str) -> Result<Document, InputError> {
    let refused = |line: Option<usize>, message: String| InputError {
        source: source.to_owned(),
        line,
        key: String::new(),
        message,
    };
    let value: serde_json::Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| refused(Some(error.line()), format!("this is not JSON: {error}")))?;
    let table = toml::Table::try_from(without_nulls(value))
        .map_err(|error| refused(None, format!("this JSON does not fit: {error}")))?;
    let mut document = Document::new(source, "")?;
    document.table = table;
    Ok(document)
}

fn without_nulls(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(map) => {
            let kept = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, without_nulls(value))).collect())
        }
        Value::Array(items) => {
            let kept = items.into_iter().filter(|value| !value.is_null());
            Value::Array(kept.map(without_nulls).collect())
        }
        other => other,
    }
}
