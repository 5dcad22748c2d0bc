//! A picture as a list of shapes in pixels, and its writing as SVG.
//!
//! Charts put shapes on a [`Canvas`]; plotters' SVG backend writes them. Keeping the shapes makes it
//! possible to ask where the words stand, so that a test can tell whether any two overlap. This module
//! knows nothing of results.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle,
};

use super::style::{self, Ink};

/// A place on the canvas, in pixels from the top left corner.
pub type Place = (f64, f64);

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Frame {
    /// True iff the two share more than an edge.
    pub fn meets(&self, other: &Frame) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// True iff `other` lies wholly in this.
    pub fn holds(&self, other: &Frame) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    /// The same with `margin` more on every side.
    pub fn grown(&self, margin: f64) -> Frame {
        Frame {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// Width in pixels.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height in pixels.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// A line of words.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The words.
    pub words: String,
    /// Where they stand: the anchor, half way up the letters.
    pub at: Place,
    /// Which part of them stands there.
    pub anchor: Anchor,
    /// Height of the font in pixels.
    pub size: f64,
    /// True for bold letters.
    pub bold: bool,
    /// True where the words run upwards.
    pub upwards: bool,
    /// Their colour.
    pub ink: Ink,
}

impl Text {
    /// Plain words of this size.
    pub fn new(words: impl Into<String>, at: Place, anchor: Anchor, size: f64) -> Self {
        let words = words.into();
        Text { words, at, anchor, size, bold: false, upwards: false, ink: style::BLACK }
    }

    /// The same in bold.
    pub fn bold(self) -> Self {
        Text { bold: true, ..self }
    }

    /// The same in another colour.
    pub fn ink(self, ink: Ink) -> Self {
        Text { ink, ..self }
    }

    /// The space that the words take, on the generous side.
    pub fn frame(&self) -> Frame {
        let width = style::text_width(&self.words, self.size, self.bold);
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (x, y) = self.at;
        let half = self.size * 0.55;
        if self.upwards {
            let bottom = y + before;
            return Frame { left: x - half, right: x + half, bottom, top: bottom - width };
        }
        let left = x - before;
        Frame { left, right: left + width, top: y - half, bottom: y + half }
    }
}

#[derive(Clone, Debug)]
enum Shape {
    Line { points: Vec<Place>, ink: Ink, width: u32 },
    Area { points: Vec<Place>, ink: Ink, opacity: f64 },
    Disc { at: Place, radius: f64, ink: Ink, width: Option<u32> },
    Words(Text),
}

/// Shapes in the order in which they are painted.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    shapes: Vec<Shape>,
}

impl Canvas {
    /// A line through `points`.
    pub fn line(&mut self, points: Vec<Place>, ink: Ink, width: u32) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line { points, ink, width });
        }
    }

    /// A line through `points` in dashes; `pattern` holds lengths on and off in turn, in pixels. An
    /// empty pattern is an unbroken line.
    pub fn dashed(&mut self, points: &[Place], ink: Ink, width: u32, pattern: &[f64]) {
        if pattern.iter().sum::<f64>() <= 0.0 {
            return self.line(points.to_vec(), ink, width);
        }
        for dash in style::dashes(points, pattern) {
            self.line(dash, ink, width);
        }
    }

    /// A filled polygon.
    pub fn area(&mut self, points: Vec<Place>, ink: Ink) {
        self.shapes.push(Shape::Area { points, ink, opacity: 1.0 });
    }

    /// A filled rectangle that lets through what is below it; opacity 1 hides it.
    pub fn panel(&mut self, frame: Frame, ink: Ink, opacity: f64) {
        let Frame { left, top, right, bottom } = frame;
        let points = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        self.shapes.push(Shape::Area { points, ink, opacity });
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, frame: Frame, ink: Ink, width: u32) {
        let Frame { left, top, right, bottom } = frame;
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.line(corners, ink, width);
    }

    /// A disc, or a ring with a line of `width`.
    pub fn disc(&mut self, at: Place, radius: f64, ink: Ink, width: Option<u32>) {
        self.shapes.push(Shape::Disc { at, radius, ink, width });
    }

    /// A line of words.
    pub fn words(&mut self, text: Text) {
        self.shapes.push(Shape::Words(text));
    }

    /// Every line of words, in order.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Words(text) => Some(text),
            _ => None,
        })
    }

    /// The picture as SVG of this size; `title` and `description` are read out by screen readers,
    /// and `name` makes their ids the picture's own, so that several can stand in one page.
    ///
    /// # Errors
    /// In the backend's words; writing to memory does not fail.
    pub fn svg(
        &self,
        (width, height): (u32, u32),
        name: &str,
        title: &str,
        description: &str,
    ) -> Result<String, String> {
        let mut drawn = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut drawn, (width, height));
            let white = fill(style::WHITE, 1.0);
            backend
                .draw_rect((0, 0), (width as i32, height as i32), &white, true)
                .map_err(|why| why.to_string())?;
            for shape in &self.shapes {
                draw(&mut backend, shape)?;
            }
            backend.present().map_err(|why| why.to_string())?;
        }
        let (opening, rest) = drawn.split_once('>').unwrap_or((&drawn, ""));
        Ok(format!(
            "{opening} role=\"img\" aria-labelledby=\"{name}-title {name}-desc\">\n\
             <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-desc\">{}</desc>{rest}",
            escaped(title),
            escaped(description)
        ))
    }
}

fn draw(backend: &mut SVGBackend<'_>, shape: &Shape) -> Result<(), String> {
    let drawn = match shape {
        Shape::Line { points, ink, width } => {
            let style = ShapeStyle { stroke_width: *width, ..fill(*ink, 1.0) };
            backend.draw_path(points.iter().map(|point| pixel(*point)), &style)
        }
        Shape::Area { points, ink, opacity } => {
            backend.fill_polygon(points.iter().map(|point| pixel(*point)), &fill(*ink, *opacity))
        }
        Shape::Disc { at, radius, ink, width } => {
            let style = ShapeStyle { stroke_width: width.unwrap_or(0), ..fill(*ink, 1.0) };
            backend.draw_circle(pixel(*at), radius.round() as u32, &style, width.is_none())
        }
        Shape::Words(text) => {
            let weight = if text.bold { FontStyle::Bold } else { FontStyle::Normal };
            // The backend divides sizes by this, which it takes for the height of a line.
            let size = text.size * 1.24;
            let anchor = match text.anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let turn = if text.upwards { FontTransform::Rotate270 } else { FontTransform::None };
            let style = FontDesc::new(FontFamily::SansSerif, size, weight)
                .transform(turn)
                .color(&colour(text.ink))
                .pos(Pos::new(anchor, VPos::Center));
            backend.draw_text(&printable(&text.words), &style, pixel(text.at))
        }
    };
    drawn.map_err(|why| why.to_string())
}

fn pixel((x, y): Place) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

fn colour(Ink(red, green, blue): Ink) -> RGBColor {
    RGBColor(red, green, blue)
}

fn fill(ink: Ink, opacity: f64) -> ShapeStyle {
    ShapeStyle::from(&colour(ink).mix(opacity)).filled()
}

/// XML has no control characters; names from a spec may.
fn printable(words: &str) -> String {
    words.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn escaped(words: &str) -> String {
    let mut text = String::new();
    for c in printable(words).chars() {
        match c {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_read_out() {
        let mut canvas = Canvas::default();
        canvas.words(Text::new("<script>\u{1}", (10.0, 20.0), Anchor::Start, 14.0));
        let svg = canvas.svg((100, 50), "x", "a < b", "c & d\u{7}").unwrap();
        assert!(svg.contains("role=\"img\""), "{svg}");
        assert!(svg.contains("<title id=\"x-title\">a &lt; b</title>"));
        assert!(svg.contains("c &amp; d\u{fffd}</desc>"));
        assert!(svg.contains("&lt;script&gt;\u{fffd}"));
        assert!(!svg.contains("<script>"));
        // The size asked for is the size written.
        assert!(svg.contains("font-size=\"14\""), "{svg}");
    }
}
