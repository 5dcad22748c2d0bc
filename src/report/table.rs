//! Tables and the strips within them, as both templates draw them.

use serde::Serialize;

use super::scale::Scale;
use crate::estimate::Estimate;

/// A table with a caption; the first column names the row.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    pub(super) id: String,
    pub(super) caption: String,
    pub(super) note: Option<String>,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Item>>,
    /// Long, so that it is shown on demand.
    pub(super) folded: bool,
}

/// A column's heading.
#[derive(Debug, Serialize)]
pub(super) struct Column {
    pub(super) label: String,
    /// Set to the right and sorted by number.
    pub(super) numeric: bool,
    /// Drawn only; it repeats a figure of another column.
    pub(super) strip: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Item {
    pub(super) text: String,
    /// What the column is sorted by, where that is not the text.
    pub(super) sort: Option<f64>,
    /// `yes`, `no`, `open` for a verdict, which also says so in words; else empty.
    pub(super) class: &'static str,
    pub(super) strip: Option<Strip>,
}

/// A figure with its interval on the scale of its column, in per cent of the width.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Strip {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) at: f64,
    /// True where nothing was counted, and the mark is the upper bound.
    pub(super) bound: bool,
}

impl Column {
    pub(super) fn text(label: impl Into<String>) -> Self {
        Column { label: label.into(), numeric: false, strip: false }
    }

    pub(super) fn number(label: impl Into<String>) -> Self {
        Column { label: label.into(), numeric: true, strip: false }
    }

    pub(super) fn strip(label: impl Into<String>) -> Self {
        Column { label: label.into(), numeric: false, strip: true }
    }
}

impl Item {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Item { text: text.into(), ..Item::default() }
    }

    pub(super) fn number(text: impl Into<String>, sort: f64) -> Self {
        Item { text: text.into(), sort: Some(sort).filter(|n| n.is_finite()), ..Item::default() }
    }

    pub(super) fn strip(estimate: &Estimate, scale: &Scale) -> Self {
        Item { strip: Some(Strip::of(estimate, scale)), ..Item::default() }
    }
}

impl Strip {
    /// Where the estimate stands on the scale.
    pub(super) fn of(estimate: &Estimate, scale: &Scale) -> Self {
        let place = |value: f64| (scale.place(value) * 1e4).round() / 1e2;
        let nothing = estimate.value <= 0.0;
        let counted = if nothing { estimate.hi } else { estimate.value };
        let exact = estimate.exact.filter(|exact| *exact > 0.0);
        let at = exact.unwrap_or(counted);
        Strip {
            from: place(estimate.lo),
            to: place(estimate.hi),
            at: place(at),
            bound: nothing && exact.is_none(),
        }
    }
}
