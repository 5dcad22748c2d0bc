//! A refit on the page: the scenario that `fit` wrote, and its charts.
//!
//! Charts come from files, so they are shown as pictures: nothing in one can run, or ask for anything.

use serde::Serialize;

use super::base64;

/// What a folder of `fit` holds, read by the caller.
#[derive(Clone, Debug)]
pub struct Refit {
    /// What it is called on the page.
    pub name: String,
    /// The scenario, as TOML.
    pub scenario: String,
    /// SVG charts: file name and text.
    pub charts: Vec<(String, String)>,
}

/// The same as the template takes it.
#[derive(Debug, Serialize)]
pub(super) struct RefitView {
    name: String,
    scenario: String,
    charts: Vec<Picture>,
}

#[derive(Debug, Serialize)]
struct Picture {
    title: String,
    description: String,
    data: String,
}

/// The view of a refit.
pub(super) fn view(refit: &Refit) -> RefitView {
    let picture = |(file, svg): &(String, String)| Picture {
        title: element(svg, "title").unwrap_or_else(|| file.clone()),
        description: element(svg, "desc").unwrap_or_default(),
        data: format!("data:image/svg+xml;base64,{}", base64::encode(svg.as_bytes())),
    };
    RefitView {
        name: refit.name.clone(),
        scenario: refit.scenario.clone(),
        charts: refit.charts.iter().map(picture).collect(),
    }
}

/// The text of the first element of this name, its entities undone; the template escapes it again.
fn element(svg: &str, name: &str) -> Option<String> {
    let from = svg.find(&format!("<{name}"))?;
    let start = from + svg[from..].find('>')? + 1;
    let text = &svg[start..start + svg[start..].find("</")?];
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    Some(plain.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_tells_its_title_and_is_a_picture() {
        let svg = "<svg><title id=\"t\">a &lt;b&gt;</title><desc>how</desc></svg>".to_owned();
        let refit = Refit {
            name: "api".to_owned(),
            scenario: String::new(),
            charts: vec![("survival.svg".to_owned(), svg), ("x.svg".to_owned(), "<svg".to_owned())],
        };
        let view = view(&refit);
        assert_eq!(view.charts[0].title, "a <b>");
        assert_eq!(view.charts[0].description, "how");
        assert!(view.charts[0].data.starts_with("data:image/svg+xml;base64,PHN2Zz4"));
        assert_eq!(view.charts[1].title, "x.svg");
    }
}
