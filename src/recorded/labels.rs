//! Splits a line of a metric into its series and the rest, as Prometheus writes them:
//! `name{label="value",…} rest`, quotes and escapes respected.

/// The metric's name, the series as written, and what follows it. `None` if the line is no sample.
pub(crate) fn split(line: &str) -> Option<(&str, &str, &str)> {
    let line = line.trim();
    let brace = line.find(['{', ' ', '\t'])?;
    if !line[brace..].starts_with('{') {
        let (name, rest) = line.split_at(brace);
        return is_name(name).then_some((name, name, rest.trim()));
    }
    let end = brace + closing(&line[brace..])?;
    let (series, rest) = line.split_at(end);
    let name = &line[..brace];
    let name = if name.is_empty() { label(series, "__name__").unwrap_or("") } else { name };
    (name.is_empty() || is_name(name)).then_some((name, series, rest.trim()))
}

/// The value of a label as written in a series.
fn label<'a>(series: &'a str, name: &str) -> Option<&'a str> {
    let from = series.find(&format!("{name}=\""))? + name.len() + 2;
    let rest = series.get(from..)?;
    rest.get(..rest.find('"')?)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'))
}

/// Just past the brace that closes the one the text begins with.
fn closing(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'}' if !quoted => return Some(place + 1),
            _ => {}
        }
    }
    None
}

/// Prometheus writes numbers with its own words for the infinite.
pub(crate) fn number(text: &str) -> Option<f64> {
    match text {
        "+Inf" | "Inf" => Some(f64::INFINITY),
        "-Inf" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        other => other.parse().ok(),
    }
}

/// Among the metrics of a dump the one that tells of health, if there is one.
pub(crate) fn health_metric<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'static str> {
    ["probe_success", "up"].into_iter().find(|known| names.clone().any(|name| name == *known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_quotes_are_no_braces() {
        let line = r#"{__name__="up", path="a}\"b"} 1 1700000000000"#;
        let (name, series, rest) = split(line).unwrap();
        assert_eq!((name, rest), ("up", "1 1700000000000"));
        assert!(series.ends_with(r#"b"}"#));
        assert_eq!(split("up 1 2"), Some(("up", "up", "1 2")));
        assert_eq!(split("up{a=\"b\" 1"), None);
        assert_eq!(split("64 bytes"), None);
    }
}
