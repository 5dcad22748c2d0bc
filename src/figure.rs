//! Charts, one file each, drawn from results and never from a simulation.
//!
//! A chart is made as SVG text from a [`Book`] of results; [`draw_all`] writes them beside the results.
//! The same results always give the same bytes.

pub mod book;
pub mod budget;
pub mod canvas;
pub mod grid;
pub mod heat;
mod labels;
mod paper;
pub mod pareto;
pub mod scale;
pub mod style;
pub mod words;

pub mod timeline;

pub mod survival;

use std::path::{Path, PathBuf};

use crate::sweep::SweepError;
use crate::sweep::parts::write_whole;
use book::Book;
use canvas::Canvas;
use grid::Grid;

/// The kinds of charts; their files begin with these words.
const KINDS: [&str; 3] = ["pareto", "budget", "heat"];

/// One chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its name; the file's without its ending.
    pub name: String,
    /// What it shows, in a line.
    pub title: String,
    /// What it says, in words, for those who do not see it.
    pub description: String,
    /// The picture.
    pub svg: String,
    /// What the picture was made of.
    pub canvas: Canvas,
}

impl Chart {
    fn new(name: &str, canvas: Canvas, title: &str, description: &str) -> Result<Self, SweepError> {
        let svg = canvas
            .svg(style::SIZE, name, title, description)
            .map_err(|why| SweepError::write(Path::new(&format!("{name}.svg")), &why))?;
        Ok(Chart {
            name: name.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
            svg,
            canvas,
        })
    }
}

/// Every chart that the results in `folder` allow.
///
/// # Errors
/// When the folder holds no complete results of this version.
pub fn charts(folder: &Path) -> Result<Vec<Chart>, SweepError> {
    let book = Book::read(folder)?;
    let grid = Grid::of(&book)?;
    let mut charts = pareto::charts(&book, &grid)?;
    charts.extend(budget::charts(&book, &grid)?);
    charts.extend(heat::charts(&book, &grid)?);
    Ok(charts)
}

/// Draws every chart that the results in `folder` allow; returns the files written. Charts of an
/// earlier sweep that this one has no more are taken away.
///
/// # Errors
/// When the folder holds no results, or cannot be written.
pub fn draw_all(folder: &Path) -> Result<Vec<PathBuf>, SweepError> {
    let charts = charts(folder)?;
    let mut written = Vec::with_capacity(charts.len());
    for chart in &charts {
        let path = folder.join(format!("{}.svg", chart.name));
        write_whole(&path, chart.svg.as_bytes())?;
        written.push(path);
    }
    clear_others(folder, &written)?;
    Ok(written)
}

/// Takes away charts of ours (`pareto-7.svg`) that are not among `written`.
fn clear_others(folder: &Path, written: &[PathBuf]) -> Result<(), SweepError> {
    let failed = |why: std::io::Error| SweepError::write(folder, &why.to_string());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| is_ours(&name)) && !written.contains(&path) {
            std::fs::remove_file(&path).map_err(failed)?;
        }
    }
    Ok(())
}

fn is_ours(file: &str) -> bool {
    let Some(name) = file.strip_suffix(".svg") else { return false };
    let (kind, number) = name.split_once('-').unwrap_or((name, "1"));
    KINDS.contains(&kind) && number.parse::<u32>().is_ok()
}
