//! The survival chart of a refit: what was seen, the fitted laws, and the band of the selected one.
//!
//! Both axes are logarithmic, since the tail decides. Series differ by dash and shade as well as by
//! colour, so that the chart reads the same printed in grey.

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

use crate::fit::curves::{Curve, Curves};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 600;
/// Room for the legend at the right.
const LEGEND: u32 = 250;

const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(30, 30, 30);

/// One look a family: colour (of Okabe and Ito's palette), and lengths of dash and space.
const LOOKS: [(&str, RGBColor, i32, i32); 6] = [
    ("exponential", RGBColor(0, 0, 0), 14, 4),
    ("weibull", RGBColor(0, 114, 178), 4, 4),
    ("gamma", RGBColor(213, 94, 0), 9, 9),
    ("lognormal", RGBColor(0, 158, 115), 2, 6),
    ("log-logistic", RGBColor(204, 121, 167), 22, 7),
    ("pareto", RGBColor(150, 110, 0), 1, 3),
];

type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// The chart as SVG text.
///
/// # Errors
/// What the drawing library says, in words; it draws into memory, so nothing is expected to fail.
pub fn draw(curves: &Curves) -> Result<String, String> {
    let mut svg = String::new();
    plot(curves, &mut svg).map_err(|why| why.to_string())?;
    Ok(described(&svg, &title(curves), &description(curves)))
}

fn title(curves: &Curves) -> String {
    format!("How long do {} last? Seen and fitted survival, n = {}", curves.what, curves.n)
}

fn description(curves: &Curves) -> String {
    let selected = curves.fitted.iter().find(|curve| curve.selected);
    let selected = selected.map_or("no family".to_owned(), |curve| {
        format!("{} (Akaike weight {:.2})", curve.family, curve.weight)
    });
    format!(
        "Share lasting at least a length, both axes logarithmic. Dots with bars: what was seen, with 95 % \
         intervals. Lines: fitted families; the solid one with a grey band is the selected one, {selected}."
    )
}

fn plot(curves: &Curves, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    area.fill(&WHITE)?;
    let (title_area, rest) = area.split_vertically(46);
    let style = (FONT, 22).into_font().color(&INK);
    title_area.draw_text(&shortened(&title(curves), 82), &style, (20, 14))?;
    let (chart_area, legend_area) = rest.split_horizontally(WIDTH - LEGEND);
    let (x, y) = ranges(curves);
    let mut chart = ChartBuilder::on(&chart_area)
        .margin(8)
        .x_label_area_size(58)
        .y_label_area_size(84)
        .build_cartesian_2d((x.0..x.1).log_scale(), (y.0..y.1).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(curves.axis)
        .y_desc("share lasting at least so long")
        .axis_desc_style((FONT, 18))
        .label_style((FONT, 16))
        .light_line_style(WHITE.mix(0.0))
        .bold_line_style(RGBColor(225, 225, 225))
        .x_label_formatter(&|secs| named(*secs))
        .y_label_formatter(&|share| named(*share))
        .draw()?;
    draw_band(&mut chart, curves, y.0)?;
    for curve in &curves.fitted {
        draw_curve(&mut chart, curve, y.0)?;
    }
    draw_seen(&mut chart, curves, y.0)?;
    draw_legend(&legend_area, curves)?;
    area.present()?;
    Ok(())
}

/// The ends of both axes.
fn ranges(curves: &Curves) -> ((f64, f64), (f64, f64)) {
    let first = curves.seen.first().map_or(1.0, |step| step.secs);
    let last = curves.seen.last().map_or(10.0, |step| step.secs);
    let least = curves.seen.iter().map(|step| step.share).fold(1.0, f64::min);
    ((first * 0.9, (last * 1.6).max(first * 2.0)), ((least * 0.3).max(1e-9), 1.25))
}

fn draw_band(
    chart: &mut Plane<'_, '_>,
    curves: &Curves,
    floor: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let held = |share: f64| share.max(floor);
    let low = curves.band.iter().map(|(x, lo, _)| (*x, held(*lo)));
    let high = curves.band.iter().rev().map(|(x, _, hi)| (*x, held(*hi)));
    let outline: Vec<(f64, f64)> = low.chain(high).collect();
    if outline.iter().all(|(x, y)| x.is_finite() && y.is_finite()) && !outline.is_empty() {
        chart.draw_series(std::iter::once(Polygon::new(
            outline,
            RGBColor(120, 120, 120).mix(0.25),
        )))?;
    }
    Ok(())
}

fn look(family: &str) -> (RGBColor, i32, i32) {
    let found = LOOKS.iter().find(|(name, ..)| *name == family);
    found.map_or((INK, 5, 5), |(_, colour, dash, space)| (*colour, *dash, *space))
}

fn draw_curve(
    chart: &mut Plane<'_, '_>,
    curve: &Curve,
    floor: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let points: Vec<(f64, f64)> =
        curve.points.iter().copied().take_while(|(_, share)| *share >= floor).collect();
    let (colour, dash, space) = look(curve.family);
    if curve.selected {
        chart.draw_series(LineSeries::new(points, colour.stroke_width(3)))?;
    } else {
        let dashed = DashedLineSeries::new(points, dash, space, colour.stroke_width(2));
        chart.draw_series(dashed)?;
    }
    Ok(())
}

fn draw_seen(
    chart: &mut Plane<'_, '_>,
    curves: &Curves,
    floor: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let bars = curves.seen.iter().filter(|step| step.hi > floor);
    let bar = |step: &crate::fit::curves::Step| {
        let ends = vec![(step.secs, step.lo.max(floor)), (step.secs, step.hi)];
        PathElement::new(ends, INK.stroke_width(1))
    };
    chart.draw_series(bars.map(bar))?;
    let dots = curves.seen.iter().filter(|step| step.share >= floor);
    chart.draw_series(dots.map(|step| Circle::new((step.secs, step.share), 4, INK.filled())))?;
    Ok(())
}

fn draw_legend(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    curves: &Curves,
) -> Result<(), Box<dyn std::error::Error>> {
    let style = (FONT, 16).into_font().color(&INK);
    area.draw(&Circle::new((32, 30), 4, INK.filled()))?;
    area.draw(&PathElement::new(vec![(32, 18), (32, 42)], INK.stroke_width(1)))?;
    area.draw_text("seen, with 95 % interval", &style, (62, 22))?;
    for (i, curve) in curves.fitted.iter().enumerate() {
        let y = 66 + 30 * i as i32;
        let (colour, dash, space) = look(curve.family);
        let mut x = 12;
        while x < 52 {
            let end = if curve.selected { 52 } else { (x + dash).min(52) };
            let width = if curve.selected { 3 } else { 2 };
            area.draw(&PathElement::new(vec![(x, y), (end, y)], colour.stroke_width(width)))?;
            x = end + space;
        }
        let text = format!("{} (weight {:.2})", curve.family, curve.weight);
        area.draw_text(&text, &style, (62, y - 8))?;
    }
    let y = 66 + 30 * curves.fitted.len() as i32;
    if !curves.band.is_empty() {
        let grey = RGBColor(120, 120, 120).mix(0.25);
        area.draw(&Rectangle::new([(12, y - 9), (52, y + 9)], grey.filled()))?;
        area.draw_text("95 % band of the best", &style, (62, y - 8))?;
    }
    Ok(())
}

/// The name of a tick: of ones, twos and fives alone, so that none overlap.
fn named(value: f64) -> String {
    let leading = value / 10_f64.powf((value.log10() + 1e-9).floor());
    let kept = [1.0, 2.0, 5.0].iter().any(|digit| (leading - digit).abs() < 1e-6);
    if kept { shown(value) } else { String::new() }
}

/// A number of an axis, without needless zeros.
fn shown(value: f64) -> String {
    if !(1e-4..1e4).contains(&value) {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The SVG with a title and a description for those who do not see it.
fn described(svg: &str, title: &str, description: &str) -> String {
    let opened = svg.find("<svg").and_then(|at| svg[at..].find('>').map(|end| at + end + 1));
    let Some(end) = opened else { return svg.to_owned() };
    let head = svg[..end].trim_end_matches('>');
    format!(
        "{head} role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>{}",
        escaped(title),
        escaped(description),
        &svg[end..]
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{self, Options, curves};

    #[test]
    fn the_chart_names_itself_and_escapes_names() {
        let sample: Vec<f64> = (1..80).map(|i| -20.0 * (1.0 - f64::from(i) / 80.0).ln()).collect();
        let laws = fit::durations(&sample, &[], &Options { draws: 0, ..Options::default() });
        let curves = curves::curves("blips of <script>", &laws).unwrap();
        let svg = draw(&curves).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("<title id=\"title\">How long do blips of &lt;script&gt; last?"));
        assert!(svg.contains("<desc") && !svg.contains("<script>"));
    }

    #[test]
    fn numbers_of_axes() {
        assert_eq!(shown(10.0), "10");
        assert_eq!(shown(0.05), "0.05");
        assert_eq!(shown(1e6), "1e6");
        assert_eq!([named(0.2), named(1_000.0), named(70.0)], ["0.2", "1000", ""]);
    }
}
