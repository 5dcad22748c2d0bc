//! What the README and the pages under `docs/` show is what the program does.
//!
//! A `console` block holds commands after `$ ` and what they print. Each command is run, in a folder
//! that holds the project's `sweeps`, `docs` and `tests`; the lines shown must come out in that order,
//! and `…` stands for any lines. Lines after a command that fails on purpose are its error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command and the lines shown after it.
struct Shown {
    command: String,
    lines: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|end| end == "md")));
    pages.sort();
    pages
}

/// The commands of a page's `console` blocks; a command that ends in `\` goes on in the next line.
fn commands(text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "```console" {
            continue;
        }
        for line in lines.by_ref().take_while(|line| line.trim() != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                found.push(Shown { command: command.to_owned(), lines: Vec::new() });
            } else if let Some(last) = found.last_mut() {
                if last.lines.is_empty() && last.command.ends_with('\\') {
                    last.command.pop();
                    last.command.push_str(line.trim());
                } else {
                    last.lines.push(line.trim_end().to_owned());
                }
            }
        }
    }
    found
}

/// A folder in which the commands of one page are run.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for name in ["sweeps", "docs", "tests"] {
        std::os::unix::fs::symlink(root().join(name), place.path().join(name)).unwrap();
    }
    place
}

fn run(place: &Path, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_failover-budget"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(place)
        .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    String::from_utf8_lossy(&text).into_owned()
}

/// The first line shown that does not come out, in order.
fn missing<'l>(shown: &'l [String], printed: &str) -> Option<&'l str> {
    let mut printed = printed.lines().map(str::trim_end);
    shown
        .iter()
        .map(String::as_str)
        .filter(|line| *line != "…" && !line.is_empty())
        .find(|line| !printed.any(|other| other == *line))
}

#[test]
fn what_the_pages_show_is_what_comes_out() {
    let mut wrong = Vec::new();
    for page in pages() {
        let place = place();
        for shown in commands(&fs::read_to_string(&page).unwrap()) {
            let printed = run(place.path(), &shown.command);
            if let Some(line) = missing(&shown.lines, &printed) {
                let (page, command) = (page.display(), &shown.command);
                wrong.push(format!("{page}: `{command}` does not print:\n{line}\nbut:\n{printed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_readme_has_two_set_up_commands() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let block = text.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let commands: Vec<&str> = block.lines().collect();
    assert_eq!(
        commands,
        ["cargo run --release -- sweep sweeps/patience.toml", "cargo test --release"]
    );
    // The first one without cargo, in a folder of its own.
    let place = place();
    run(place.path(), "failover-budget sweep sweeps/patience.toml");
    for file in ["results.parquet", "manifest.json", "pareto.svg"] {
        assert!(place.path().join("output/patience").join(file).is_file(), "{file}");
    }
}

#[test]
fn links_of_the_pages_lead_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let local = target.split('#').next().unwrap_or_default();
            if local.is_empty() || local.contains("://") {
                continue;
            }
            let path = page.parent().unwrap().join(local);
            assert!(path.exists(), "{}: {target}", page.display());
        }
    }
}
