//! How charts look: colours, dashes, markers, sizes, and how wide words are.
//!
//! The colours are those of Okabe and Ito, which colour-blind readers tell apart. No colour stands
//! alone: every series has a marker and a dash pattern of its own, so charts read printed in grey.

use super::canvas::{Canvas, Place};

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8, pub u8, pub u8);

/// Text and axes.
pub const BLACK: Ink = Ink(0x11, 0x11, 0x11);
/// The ground.
pub const WHITE: Ink = Ink(0xff, 0xff, 0xff);
/// Second-rank text and reference lines.
pub const GREY: Ink = Ink(0x55, 0x55, 0x55);
/// Grid lines.
pub const FAINT: Ink = Ink(0xdd, 0xdd, 0xdd);
/// What is over its limit.
pub const OVER: Ink = Ink(0xd5, 0x5e, 0x00);

/// Size of every chart in pixels: that of a slide.
pub const SIZE: (u32, u32) = (1280, 800);

/// Height of a chart's title.
pub const TITLE: f64 = 24.0;
/// Height of what stands under the title and beside the axes.
pub const HEADING: f64 = 17.0;
/// Height of everything else; nothing is smaller.
pub const PLAIN: f64 = 15.0;

/// The most series in one chart.
pub const MOST_SERIES: usize = 6;

/// The colours of series; they differ in lightness too.
const INKS: [Ink; MOST_SERIES] = [
    Ink(0x00, 0x72, 0xb2),
    Ink(0xe6, 0x9f, 0x00),
    Ink(0x00, 0x9e, 0x73),
    Ink(0xd5, 0x5e, 0x00),
    Ink(0xcc, 0x79, 0xa7),
    Ink(0x56, 0xb4, 0xe9),
];

/// The dashes of series, in pixels on and off.
const DASHES: [&[f64]; MOST_SERIES] =
    [&[], &[14.0, 4.0], &[4.0, 4.0], &[14.0, 4.0, 4.0, 4.0], &[24.0, 6.0], &[8.0, 8.0]];

/// The look of series number `index`.
pub fn series(index: usize) -> (Ink, &'static [f64]) {
    (INKS[index % MOST_SERIES], DASHES[index % MOST_SERIES])
}

/// Draws the marker of series number `index`, filled or as an outline.
pub fn marker(canvas: &mut Canvas, index: usize, (x, y): Place, radius: f64, is_filled: bool) {
    let (ink, _) = series(index);
    let shape = |corners: &[(f64, f64)]| -> Vec<Place> {
        corners.iter().map(|(dx, dy)| (x + dx * radius, y + dy * radius)).collect()
    };
    let corners = match index % MOST_SERIES {
        0 => return canvas.disc((x, y), radius, ink, (!is_filled).then_some(2)),
        1 => shape(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => shape(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        3 => shape(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        4 => shape(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
        _ => shape(&[
            (-0.4, -1.2),
            (0.4, -1.2),
            (0.4, -0.4),
            (1.2, -0.4),
            (1.2, 0.4),
            (0.4, 0.4),
            (0.4, 1.2),
            (-0.4, 1.2),
            (-0.4, 0.4),
            (-1.2, 0.4),
            (-1.2, -0.4),
            (-0.4, -0.4),
        ]),
    };
    if is_filled {
        return canvas.area(corners, ink);
    }
    let mut outline = corners;
    outline.extend(outline.first().copied());
    canvas.line(outline, ink, 2);
}

/// Widths of the printable ASCII characters from the blank on, in hundredths of the font's height:
/// for each the wider of two common sans-serif fonts.
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 56, 102, 68, 69, 72, 77, 67, 61, 78, 75, 29, 50, 67, 56, 86, 75,
    79, 67, 79, 72, 67, 61, 73, 68, 99, 69, 67, 69, 39, 34, 39, 84, 56, 50, 61, 63, 55, 63, 62, 35,
    63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// Width of `words` in pixels, on the generous side: no font is at hand to ask.
pub fn text_width(words: &str, size: f64, bold: bool) -> f64 {
    let width = |c: char| -> f64 {
        let ascii = (c as usize).checked_sub(32).and_then(|place| WIDTHS.get(place));
        ascii.map_or(0.9, |hundredths| f64::from(*hundredths) / 100.0)
    };
    words.chars().map(width).sum::<f64>() * size * if bold { 1.13 } else { 1.0 }
}

/// `words` cut off with an ellipsis where they are wider than `most` pixels.
pub fn shortened(words: &str, size: f64, most: f64) -> String {
    if text_width(words, size, false) <= most {
        return words.to_owned();
    }
    let mut kept = String::new();
    for c in words.chars() {
        kept.push(c);
        if text_width(&kept, size, false) + size > most {
            kept.pop();
            break;
        }
    }
    kept.trim_end().to_owned() + "…"
}

/// `words` in lines of at most `most` pixels, broken at blanks.
pub fn wrapped(words: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size, false) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, most)),
        }
    }
    lines
}

/// The pieces of the line through `points` that are drawn under a pattern of dashes.
pub fn dashes(points: &[Place], pattern: &[f64]) -> Vec<Vec<Place>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Place> = points.first().copied().into_iter().collect();
    let (mut turn, mut left) = (0, pattern[0]);
    for pair in points.windows(2) {
        let ((mut x, mut y), (to_x, to_y)) = (pair[0], pair[1]);
        let mut length = (to_x - x).hypot(to_y - y);
        while length > left {
            let part = left / length;
            (x, y) = (x + (to_x - x) * part, y + (to_y - y) * part);
            length -= left;
            if turn % 2 == 0 {
                piece.push((x, y));
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![(x, y)];
            }
            turn = (turn + 1) % (pattern.len() + pattern.len() % 2);
            left = pattern[turn % pattern.len()].max(1.0);
        }
        left -= length;
        if turn % 2 == 0 {
            piece.push((to_x, to_y));
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_their_share_of_the_line() {
        let pieces = dashes(&[(0.0, 0.0), (60.0, 0.0), (60.0, 40.0)], &[10.0, 10.0]);
        let length: f64 = pieces
            .iter()
            .flat_map(|piece| piece.windows(2))
            .map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1))
            .sum();
        assert_eq!(pieces.len(), 5);
        assert!((length - 50.0).abs() < 1e-9, "{length}");
    }

    #[test]
    fn words_are_cut_to_the_room_they_have() {
        assert_eq!(shortened("short", 15.0, 100.0), "short");
        let cut = shortened("a name that is far too long", 15.0, 100.0);
        assert!(cut.ends_with('…') && text_width(&cut, 15.0, false) <= 100.0, "{cut}");
        let lines = wrapped("words that stand in several lines", 15.0, 120.0);
        assert!(lines.len() > 1 && lines.iter().all(|l| text_width(l, 15.0, false) <= 120.0));
    }
}
