//! Text in columns that never breaks a cell: where the whole is too wide, the last column goes.

use crate::cli::output::COLUMNS;

/// Blanks between columns.
const GAP: usize = 2;

/// A line of a table.
pub enum Line {
    /// A cell for each column.
    Cells(Vec<String>),
    /// Words across all columns, such as what the rows below share.
    Heading(String),
}

/// The lines under `headings`, the first `left` columns set to the left and the others to the right.
/// Columns from the end are left out while the table is wider than a page.
pub fn aligned(headings: &[&str], lines: &[Line], left: usize) -> String {
    let mut shown = headings.len();
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| {
            let cells = lines.iter().filter_map(|line| match line {
                Line::Cells(cells) => cells.get(column).map(|cell| width(cell)),
                Line::Heading(_) => None,
            });
            cells.chain([width(headings[column])]).max().unwrap_or(0)
        })
        .collect();
    let total = |shown: usize| widths[..shown].iter().map(|width| width + GAP).sum::<usize>();
    while shown > 1 && total(shown) > usize::from(COLUMNS) {
        shown -= 1;
    }
    let row = |cells: &[String]| -> String {
        let mut text = String::new();
        for (column, cell) in cells.iter().take(shown).enumerate() {
            let blanks = " ".repeat(widths[column].saturating_sub(width(cell)));
            let padded = if column < left { cell.clone() + &blanks } else { blanks + cell };
            text += &" ".repeat(GAP);
            text += &padded;
        }
        text.trim_end().to_owned() + "\n"
    };
    let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let mut text = row(&headings);
    for line in lines {
        text += &match line {
            Line::Cells(cells) => row(cells),
            Line::Heading(words) => format!("{}\n", cut(words, usize::from(COLUMNS))),
        };
    }
    text
}

/// `words` in at most `most` characters.
pub fn cut(words: &str, most: usize) -> String {
    if width(words) <= most {
        return words.to_owned();
    }
    words.chars().take(most.saturating_sub(1)).collect::<String>() + "…"
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_too_wide_loses_its_last_columns_and_no_part_of_a_cell() {
        let cells = |text: &str| Line::Cells(vec!["a".to_owned(), "1".to_owned(), text.to_owned()]);
        let narrow = aligned(&["x", "yy", "z"], &[cells("3 (2–4)")], 1);
        assert_eq!(narrow, "  x  yy        z\n  a   1  3 (2–4)\n");
        let wide = aligned(&["x", "yy", "z"], &[cells(&"9".repeat(120))], 1);
        assert_eq!(wide, "  x  yy\n  a   1\n");
        assert_eq!(cut("four words of text", 10), "four word…");
    }
}
