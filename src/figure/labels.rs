//! Puts labels beside points so that no two overlap and no marker is hidden.
//!
//! Greedy and in a fixed order: the first label gets the best place. A label that finds no free place
//! is left out, which the caller orders its labels for.

use super::canvas::{Anchor, Canvas, Frame, Place, Text};
use super::style;

/// How far from its point a label may stand, in pixels.
const DISTANCES: [f64; 4] = [10.0, 24.0, 44.0, 70.0];

/// Directions that are tried, right above first: trade-off curves fall to the right, so the space
/// above them is free.
const DIRECTIONS: [(f64, f64); 8] = [
    (0.7, -0.7),
    (1.0, 0.0),
    (0.0, -1.0),
    (-0.7, 0.7),
    (0.7, 0.7),
    (-0.7, -0.7),
    (-1.0, 0.0),
    (0.0, 1.0),
];

/// Keeps account of the space that is taken.
#[derive(Clone, Debug)]
pub struct Labels {
    bounds: Frame,
    /// Never covered: words and markers.
    taken: Vec<Frame>,
    /// Better not covered: lines.
    lines: Vec<Place>,
}

impl Labels {
    /// Labels within `bounds`.
    pub fn within(bounds: Frame) -> Self {
        Labels { bounds, taken: Vec::new(), lines: Vec::new() }
    }

    /// Takes a marker's space.
    pub fn keep_off(&mut self, at: Place, radius: f64) {
        let (x, y) = at;
        self.taken.push(Frame { left: x, right: x, top: y, bottom: y }.grown(radius));
    }

    /// Takes note of a line that labels had better not cross.
    pub fn avoid_line(&mut self, points: &[Place]) {
        for pair in points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            let steps = ((to_x - x).hypot(to_y - y) / 8.0).ceil().clamp(1.0, 500.0) as usize;
            let at = |step: usize| {
                let part = step as f64 / steps as f64;
                (x + (to_x - x) * part, y + (to_y - y) * part)
            };
            self.lines.extend((0..=steps).map(at));
        }
    }

    /// Writes `words` beside the point `at`, where there is a place for them; says whether it did.
    pub fn put(&mut self, canvas: &mut Canvas, words: &str, at: Place) -> bool {
        let mut best: Option<(f64, Text)> = None;
        for (far, distance) in DISTANCES.into_iter().enumerate() {
            for (turn, direction) in DIRECTIONS.into_iter().enumerate() {
                let text = beside(words, at, direction, distance);
                let Some(crossed) = self.crossed(&text) else { continue };
                let cost = crossed as f64 * 1.5 + far as f64 * 3.0 + turn as f64 * 0.2;
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, text));
                }
            }
        }
        let Some((_, text)) = best else { return false };
        let frame = text.frame().grown(2.0);
        let end = (at.0.clamp(frame.left, frame.right), at.1.clamp(frame.top, frame.bottom));
        if (end.0 - at.0).hypot(end.1 - at.1) > DISTANCES[1] * 0.6 {
            canvas.line(vec![at, end], style::GREY, 1);
        }
        canvas.panel(frame, style::WHITE, 0.8);
        canvas.words(text);
        self.taken.push(frame);
        true
    }

    /// How much line a text would cross; none where it has no place.
    fn crossed(&self, text: &Text) -> Option<usize> {
        let frame = text.frame().grown(2.0);
        let is_free = self.bounds.holds(&frame) && !self.taken.iter().any(|t| t.meets(&frame));
        is_free.then(|| self.lines.iter().filter(|point| inside(&frame, point)).count())
    }
}

fn beside(words: &str, (x, y): Place, (dx, dy): (f64, f64), distance: f64) -> Text {
    let anchor = match dx {
        d if d > 0.1 => Anchor::Start,
        d if d < -0.1 => Anchor::End,
        _ => Anchor::Middle,
    };
    Text::new(words, (x + dx * distance, y + dy * distance), anchor, style::PLAIN)
}

fn inside(frame: &Frame, (x, y): &Place) -> bool {
    (frame.left..=frame.right).contains(x) && (frame.top..=frame.bottom).contains(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_crowded_points_do_not_overlap() {
        let bounds = Frame { left: 0.0, top: 0.0, right: 400.0, bottom: 200.0 };
        let (mut labels, mut canvas) = (Labels::within(bounds), Canvas::default());
        let points: Vec<Place> = (0..40).map(|i| (f64::from(i) * 10.0, 100.0)).collect();
        points.iter().for_each(|point| labels.keep_off(*point, 5.0));
        let put = points.iter().filter(|p| labels.put(&mut canvas, "consecutive:12", **p)).count();
        assert!(put > 5 && put < 40, "{put}");
        let frames: Vec<Frame> = canvas.texts().map(Text::frame).collect();
        for (index, frame) in frames.iter().enumerate() {
            assert!(bounds.holds(frame));
            assert!(frames[..index].iter().all(|other| !other.meets(frame)));
        }
    }
}
