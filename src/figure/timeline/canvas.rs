//! A small writer of SVG: shapes with a tooltip each, text that is escaped, labels that never overlap.

use std::fmt::Write;

/// Width of a letter, in parts of the font's size; a little more than sans-serif letters take.
const LETTER: f64 = 0.56;

/// A line from one point to another.
pub(super) type Line = ((f64, f64), (f64, f64));

/// SVG being written, from top to bottom.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
    /// Text, which lies over all shapes.
    labels: String,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    pub size: f64,
    pub fill: &'static str,
    pub anchor: &'static str,
    pub bold: bool,
    /// A white rim, so that a line behind the text does not hurt it.
    pub rim: bool,
}

impl Type {
    pub(super) const fn of(size: f64) -> Self {
        Type { size, fill: "#222", anchor: "start", bold: false, rim: true }
    }

    pub(super) const fn end(self) -> Self {
        Type { anchor: "end", ..self }
    }

    pub(super) const fn middle(self) -> Self {
        Type { anchor: "middle", ..self }
    }

    pub(super) const fn bold(self) -> Self {
        Type { bold: true, ..self }
    }

    /// For text inside a shape.
    pub(super) const fn inside(self, fill: &'static str) -> Self {
        Type { fill, rim: false, ..self }
    }

    pub(super) const fn fill(self, fill: &'static str) -> Self {
        Type { fill, ..self }
    }
}

/// Text as it may stand in SVG.
pub(super) fn escaped(text: &str) -> String {
    let escape = |letter: char| match letter {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        // Control characters may not stand in XML at all.
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// About how wide a text is, in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

/// The text, cut to a width with an ellipsis.
pub(super) fn cut(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let letters = (most / (size * LETTER)).floor().max(1.0) as usize - 1;
    text.chars().take(letters).collect::<String>() + "…"
}

impl Canvas {
    /// A rectangle; `style` is its attributes, `tip` what a pointer on it tells.
    pub(super) fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), style: &str, tip: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{h:.1}\" {style}>{}</rect>",
            w.max(0.1),
            tooltip(tip)
        );
    }

    /// A line from one point to another.
    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        );
    }

    /// Many lines of one style as a single path.
    pub(super) fn lines(&mut self, lines: &[Line], style: &str) {
        if lines.is_empty() {
            return;
        }
        let path: Vec<String> = lines
            .iter()
            .map(|((x1, y1), (x2, y2))| format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}"))
            .collect();
        let _ = writeln!(self.body, "<path d=\"{}\" fill=\"none\" {style}/>", path.concat());
    }

    /// A closed shape.
    pub(super) fn polygon(&mut self, points: &[(f64, f64)], style: &str, tip: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polygon points=\"{}\" {style}>{}</polygon>",
            points.join(" "),
            tooltip(tip)
        );
    }

    /// A circle.
    pub(super) fn circle(&mut self, (x, y): (f64, f64), r: f64, style: &str, tip: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" {style}>{}</circle>",
            tooltip(tip)
        );
    }

    /// A line of text, its baseline at `y`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), kind: Type, text: &str) {
        let weight = if kind.bold { " font-weight=\"bold\"" } else { "" };
        let rim = if kind.rim { RIM } else { "" };
        let _ = writeln!(
            self.labels,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{weight}{rim}>{}</text>",
            kind.size,
            kind.fill,
            kind.anchor,
            escaped(text)
        );
    }

    /// The whole file.
    pub(super) fn finish(self, (w, h): (f64, f64), title: &str, desc: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" \
             viewBox=\"0 0 {w:.0} {h:.0}\" role=\"img\" aria-labelledby=\"trace-title trace-desc\" \
             font-family=\"Helvetica, Arial, Liberation Sans, sans-serif\">\n\
             <title id=\"trace-title\">{}</title>\n<desc id=\"trace-desc\">{}</desc>\n{PATTERNS}\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}{}</svg>\n",
            escaped(title),
            escaped(desc),
            self.body,
            self.labels
        )
    }
}

const RIM: &str =
    " stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";

fn tooltip(tip: &str) -> String {
    if tip.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(tip)) }
}

/// Hatchings, so that no colour carries meaning alone.
const PATTERNS: &str = "<defs>\
<pattern id=\"trace-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#fff\"/>\
<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#444\" stroke-width=\"2.4\"/></pattern>\
<pattern id=\"trace-dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"6\" height=\"6\" fill=\"#fff\"/><circle cx=\"3\" cy=\"3\" r=\"1.3\" fill=\"#444\"/></pattern>\
</defs>\n";

/// A row of labels: one is set only where it does not touch those already there.
#[derive(Debug, Default)]
pub(super) struct Row {
    taken: Vec<(f64, f64)>,
}

impl Row {
    /// Keeps a place free of labels.
    pub(super) fn take(&mut self, from: f64, to: f64) {
        self.taken.push((from, to));
    }

    /// True, and the place is taken, if nothing stands there yet.
    pub(super) fn claim(&mut self, from: f64, to: f64) -> bool {
        let is_free = self.taken.iter().all(|(a, b)| to + 4.0 <= *a || from >= *b + 4.0);
        if is_free {
            self.take(from, to);
        }
        is_free
    }
}
