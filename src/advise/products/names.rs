//! The names that users bring into a configuration, and how each notation quotes them.
//!
//! A name may hold quotes, braces and backslashes: the quoting here keeps it a name, whatever it
//! holds. What no notation can hold (control characters) is refused.

use super::Product;

/// The longest name that is accepted, in characters.
const LONGEST: usize = 200;

/// What the configuration is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The region or service that is watched.
    pub name: String,
    /// The metric that is 1 for a healthy check and 0 for a failed one.
    pub metric: String,
    /// The Prometheus job, or the CloudWatch dimension `job`; none when left out.
    pub job: Option<String>,
    /// The CloudWatch namespace.
    pub namespace: String,
    /// The host that is checked.
    pub host: String,
    /// The port that is checked.
    pub port: u16,
    /// The path that is asked for.
    pub path: String,
}

impl Default for Names {
    fn default() -> Self {
        Names {
            name: "primary".to_owned(),
            metric: "probe_success".to_owned(),
            job: None,
            namespace: "FailoverBudget".to_owned(),
            host: "primary.example.com".to_owned(),
            port: 443,
            path: "/healthz".to_owned(),
        }
    }
}

/// A name that cannot stand in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {what} `{found}` cannot be used: it must be {allowed}")]
pub struct NameError {
    /// Which name.
    pub what: &'static str,
    /// What was given, with control characters written out.
    pub found: String,
    /// What is allowed.
    pub allowed: &'static str,
}

fn unless(
    fits: bool,
    what: &'static str,
    found: &str,
    allowed: &'static str,
) -> Result<(), NameError> {
    if fits {
        return Ok(());
    }
    Err(NameError { what, found: found.escape_debug().to_string(), allowed })
}

impl Names {
    /// Refuses what no product could hold.
    pub(crate) fn check(&self) -> Result<(), NameError> {
        const TEXT: &str = "1 to 200 characters long, without control characters or line breaks";
        let is_text = |text: &str| {
            (1..=LONGEST).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        unless(is_text(&self.name), "name", &self.name, TEXT)?;
        unless(is_text(&self.metric), "metric", &self.metric, TEXT)?;
        unless(is_text(&self.namespace), "namespace", &self.namespace, TEXT)?;
        if let Some(job) = &self.job {
            unless(is_text(job), "job", job, TEXT)?;
        }
        let is_host = is_text(&self.host)
            && self.host.chars().all(|c| c.is_ascii_alphanumeric() || "-.:_".contains(c));
        unless(
            is_host,
            "host",
            &self.host,
            "a host name or an address, without a scheme or a port",
        )?;
        let is_path = is_text(&self.path)
            && self.path.starts_with('/')
            && self.path.chars().all(|c| c.is_ascii_graphic());
        unless(is_path, "path", &self.path, "a URL path that starts with `/`, without blanks")?;
        unless(self.port != 0, "port", "0", "from 1 to 65535")
    }

    /// Refuses a metric that PromQL cannot name.
    pub(crate) fn check_metric(&self, product: Product) -> Result<(), NameError> {
        let mut letters = self.metric.chars();
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == ':';
        let fits =
            letters.next().is_some_and(letter) && letters.all(|c| letter(c) || c.is_ascii_digit());
        let allowed = "letters, digits, `_` and `:`, not starting with a digit";
        unless(product != Product::Prometheus || fits, "metric", &self.metric, allowed)
    }

    /// The name with everything but letters, digits, `-` and `_` turned into `-`.
    pub(crate) fn identifier(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        self.name.chars().map(plain).collect()
    }
}

/// A double-quoted string that JSON, YAML and PromQL all read as `text`.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// `text` so that Prometheus' template expansion of labels and annotations gives it back.
pub(crate) fn go_text(text: &str) -> String {
    text.replace("{{", "{{ \"{{\" }}")
}

/// `text` as one word of a HAProxy line: strong quotes, in which nothing is special.
pub(crate) fn strong_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_string_is_read_back_by_json() {
        let nasty = "we\"ird \\ name {{ $value }} \u{2028} ü";
        assert_eq!(serde_json::from_str::<String>(&quoted(nasty)).unwrap(), nasty);
    }

    #[test]
    fn strong_quotes_leave_nothing_special() {
        assert_eq!(strong_quoted("it's $HOME"), "'it'\\''s $HOME'");
    }

    #[test]
    fn names_that_no_notation_holds_are_refused() {
        let refused = |change: fn(&mut Names)| {
            let mut names = Names::default();
            change(&mut names);
            names.check().unwrap_err().to_string()
        };
        assert!(refused(|n| n.name = "a\nb".to_owned()).contains("`a\\nb`"));
        assert!(refused(|n| n.name = String::new()).contains("name"));
        assert!(refused(|n| n.host = "http://x".to_owned()).contains("host"));
        assert!(refused(|n| n.path = "healthz".to_owned()).contains("starts with `/`"));
        assert!(refused(|n| n.port = 0).contains("port"));
        assert_eq!(Names::default().check(), Ok(()));
    }

    #[test]
    fn a_metric_with_a_blank_is_no_promql_name() {
        let names = Names { metric: "probe success".to_owned(), ..Names::default() };
        assert!(names.check_metric(Product::Prometheus).is_err());
        assert!(names.check_metric(Product::CloudWatch).is_ok());
    }
}
