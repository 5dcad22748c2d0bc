//! Filling in the templates of configurations.
//!
//! Templates are compiled into the program; every name in them goes through a quoting filter.

use minijinja::{Environment, Value};
use serde::Serialize;

use super::names::{go_text, quoted, strong_quoted};
use super::{ConfigFile, ExportError, Head, Product};

/// Fills in `template` and names the file.
pub(crate) fn file(
    product: Product,
    name: &str,
    template: &str,
    values: Value,
) -> Result<ConfigFile, ExportError> {
    let failed = |why: minijinja::Error| ExportError::Template { product, why: why.to_string() };
    let mut environment = Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.add_filter("quoted", |text: String| quoted(&text));
    environment.add_filter("go_text", |text: String| go_text(&text));
    environment.add_filter("strong_quoted", |text: String| strong_quoted(&text));
    let text = environment.render_str(template, values).map_err(failed)?;
    Ok(ConfigFile { name: name.to_owned(), text })
}

/// A file of pretty JSON.
pub(crate) fn json_file(
    product: Product,
    name: &str,
    content: &impl Serialize,
) -> Result<ConfigFile, ExportError> {
    let text = serde_json::to_string_pretty(content)
        .map_err(|why| ExportError::Template { product, why: why.to_string() })?;
    Ok(ConfigFile { name: name.to_owned(), text: text + "\n" })
}

/// The lines of a configuration's leading comment: what it is, and how it differs.
pub(crate) fn heading(head: &Head<'_>) -> Vec<String> {
    let Head { asked, amounts, differences } = head;
    let mut lines = vec![
        format!(
            "Asked: {}, a check every {}, patience {}, silence read as {}.",
            asked.trigger,
            asked.interval,
            asked.patience(),
            asked.silence
        ),
        format!(
            "This is: {} every {}, patience {} (and up to {} more); {}.",
            amounts.trigger,
            amounts.interval,
            amounts.patience,
            amounts.up_to_later,
            amounts.absence.meaning()
        ),
    ];
    lines.extend(differences.iter().map(|difference| format!("Differs: {difference}.")));
    lines
}
