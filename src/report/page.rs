//! Puts the views of all studies together and hands them to the templates.
//!
//! Both templates escape every value. What is marked as safe is this crate's own script and style, and
//! JSON in which no character can end a script.

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, Output, State};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::refit::{self, Refit, RefitView};
use super::table::Table;
use super::{ReportError, Study};
use super::{
    advised, answer, base64, budget, cells, laws, lies, method, pareto, question, sensitivity,
    words,
};
use crate::advise::Limit;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Name under which Markdown escapes its values.
const MARKDOWN: &str = "markdown";

/// What a page is made of.
#[derive(Default)]
pub struct Material {
    /// Folders of results.
    pub studies: Vec<Study>,
    /// Refits.
    pub refits: Vec<Refit>,
    /// The most false failovers, for the advice; the scenario's own where it states one.
    pub limit: Option<Limit>,
}

/// All that a template is given.
#[derive(Serialize)]
struct Page {
    title: String,
    version: &'static str,
    policy: String,
    style: Value,
    script: Value,
    looks: usize,
    studies: Vec<StudyView>,
    refits: Vec<RefitView>,
}

/// One folder of results.
#[derive(Serialize)]
struct StudyView {
    id: String,
    name: String,
    question: question::Question,
    headline: String,
    advised: Option<advised::Advised>,
    cards: Vec<answer::Card>,
    answers: Table,
    chart: pareto::Chart,
    filters: Vec<Filter>,
    targets: Vec<String>,
    left_out: Option<String>,
    budget: budget::Budget,
    lies: Table,
    lies_said: Vec<String>,
    sensitivity: Vec<Table>,
    method: method::Method,
    data: Value,
}

/// A column whose values can be chosen.
#[derive(Serialize)]
struct Filter {
    column: usize,
    label: String,
    values: Vec<String>,
    /// True where its values have the looks of the series.
    primary: bool,
}

/// The page as one HTML file.
///
/// # Errors
/// When a scenario in the results is broken.
pub fn html(material: &Material) -> Result<String, ReportError> {
    render("page.html.j2", &page(material)?)
}

/// The same as Markdown, for a pull request.
///
/// # Errors
/// As [`html`].
pub fn markdown(material: &Material) -> Result<String, ReportError> {
    render("page.md.j2", &page(material)?)
}

/// The answers alone, for scripts.
///
/// # Errors
/// When they cannot be written as JSON, which they always can.
pub fn answers_json(material: &Material) -> Result<serde_json::Value, ReportError> {
    let of = |study: &Study| {
        let answers = serde_json::to_value(answer::cards(study))?;
        Ok(serde_json::json!({
            "name": study.manifest.name,
            "spec_hash": study.manifest.spec_hash,
            "answers": answers,
        }))
    };
    let studies: Result<Vec<serde_json::Value>, ReportError> =
        material.studies.iter().map(of).collect();
    Ok(serde_json::json!({ "schema": "failover-budget/report/1", "studies": studies? }))
}

fn page(material: &Material) -> Result<Page, ReportError> {
    let studies = material.studies.iter();
    let names = studies.clone().map(|study| study.manifest.name.clone());
    let names: Vec<String> =
        names.chain(material.refits.iter().map(|refit| refit.name.clone())).collect();
    let view_of = |(index, study)| view(study, index, material.limit);
    let views: Result<Vec<StudyView>, ReportError> = studies.enumerate().map(view_of).collect();
    let hash = |text: &str| format!("'sha256-{}'", base64::encode(&Sha256::digest(text)));
    Ok(Page {
        title: format!("Failover budget: {}", words::list(&names)),
        version: env!("CARGO_PKG_VERSION"),
        policy: format!(
            "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
            hash(SCRIPT),
            hash(STYLE)
        ),
        style: Value::from_safe_string(STYLE.to_owned()),
        script: Value::from_safe_string(SCRIPT.to_owned()),
        looks: pareto::LOOKS,
        studies: views?,
        refits: material.refits.iter().map(refit::view).collect(),
    })
}

fn view(study: &Study, index: usize, limit: Option<Limit>) -> Result<StudyView, ReportError> {
    let id = format!("s{}", index + 1);
    let cards = answer::cards(study);
    let lies = lies::lies(study, &id)?;
    let mut sensitivity = sensitivity::tables(study, &id);
    sensitivity.extend(laws::table(study, &id));
    Ok(StudyView {
        name: study.manifest.name.clone(),
        question: question::question(study),
        headline: answer::headline(&cards),
        advised: advised::advised(study, limit)?,
        answers: answer::table(study, &id),
        chart: pareto::chart(study),
        filters: filters(study),
        targets: study.targets(),
        left_out: cells::left_out(study),
        budget: budget::budget(study, &id),
        lies: lies.table,
        lies_said: lies.said,
        sensitivity,
        method: method::method(study),
        data: json_for_script(&cells::data(study))?,
        cards,
        id,
    })
}

fn filters(study: &Study) -> Vec<Filter> {
    let primary = pareto::primary(study);
    let several = study.columns.iter().enumerate().filter(|(_, column)| column.values.len() > 1);
    let filter = |(index, column): (usize, &super::study::AxisColumn)| Filter {
        column: index,
        label: words::axis(&column.name),
        values: column.values.iter().map(words::value).collect(),
        primary: Some(index) == primary,
    };
    several.map(filter).collect()
}

/// JSON that may stand in a script element: nothing in it can end the element or open a comment.
fn json_for_script(data: &impl Serialize) -> Result<Value, ReportError> {
    let json = serde_json::to_string(data)?;
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", letter as u32));
            }
            other => safe.push(other),
        }
    }
    Ok(Value::from_safe_string(safe))
}

fn render(name: &str, page: &Page) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| match name {
        markdown if markdown.ends_with(".md.j2") => AutoEscape::Custom(MARKDOWN),
        _ => AutoEscape::Html,
    });
    environment.set_formatter(format_value);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment.get_template(name)?.render(page)?)
}

const TEMPLATES: [(&str, &str); 5] = [
    ("page.html.j2", include_str!("page.html.j2")),
    ("chart.html.j2", include_str!("chart.html.j2")),
    ("budget.html.j2", include_str!("budget.html.j2")),
    ("table.html.j2", include_str!("table.html.j2")),
    ("page.md.j2", include_str!("page.md.j2")),
];

fn format_value(out: &mut Output, state: &State, value: &Value) -> Result<(), Error> {
    match state.auto_escape() {
        AutoEscape::Custom(MARKDOWN) if !value.is_safe() => {
            out.write_str(&escape_markdown(&value.to_string())).map_err(Error::from)
        }
        AutoEscape::Custom(_) => out.write_str(&value.to_string()).map_err(Error::from),
        _ => minijinja::escape_formatter(out, state, value),
    }
}

/// Text that Markdown shows as it is: no markup, no HTML, no mention, no new line.
fn escape_markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => safe.push(' '),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '@' => safe.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => {
                safe.push('\\');
                safe.push(letter);
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_end_the_script_that_holds_it() {
        let value = json_for_script(&["</script><!-- \u{2028} &amp;"]).unwrap();
        let text = value.to_string();
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        let back: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, ["</script><!-- \u{2028} &amp;"]);
    }

    #[test]
    fn markdown_shows_names_as_they_are() {
        let shown = escape_markdown("<b>|`x`\n@you [a](http://b)");
        assert_eq!(shown, "&lt;b&gt;\\|\\`x\\` &#64;you \\[a\\](http://b)");
    }
}
