//! Every command explains itself: an example that parses, and no option without a word of help.

use std::collections::BTreeSet;

use clap::{Command, CommandFactory, Parser};
use failover_budget::cli::Cli;

fn command_tree() -> Command {
    let mut root = Cli::command();
    root.build();
    root
}

/// `command` and everything below it, but for clap's own `help`.
fn walk(command: &Command, visit: &mut impl FnMut(&Command)) {
    visit(command);
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        walk(below, visit);
    }
}

/// The words of a line of shell, up to a pipe or a redirection. Knows both kinds of quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '|' | '>' | '#') => break,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn examples(command: &Command) -> Vec<String> {
    let after = command.get_after_help().or(command.get_after_long_help());
    let text = after.map(ToString::to_string).unwrap_or_default();
    let lines = text.replace("\\\n", " ");
    lines
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("failover-budget "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_ends_its_help_in_an_example_that_parses() {
    walk(&command_tree(), &mut |command| {
        let examples = examples(command);
        let name = command.get_name();
        assert!(!examples.is_empty(), "`{name} --help` ends in no example");
        let mut shown = command.get_subcommands().next().is_some();
        for example in &examples {
            let words = words(example);
            if let Err(error) = Cli::try_parse_from(&words) {
                panic!("the example of `{name}` does not parse: {example}\n{error}");
            }
            shown |= words.iter().any(|word| word == name);
        }
        assert!(shown, "no example of `{name}` shows it");
    });
}

#[test]
fn every_command_option_and_value_has_a_word_of_help() {
    walk(&command_tree(), &mut |command| {
        let name = command.get_name();
        assert!(command.get_about().is_some(), "`{name}` does not say what it does");
        for argument in command.get_arguments() {
            let id = argument.get_id();
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.trim().is_empty(), "`{name}`: `{id}` has no help");
            // Shells explain themselves.
            for value in argument.get_possible_values().iter().filter(|_| id != "shell") {
                let flag = matches!(value.get_name(), "true" | "false");
                assert!(
                    flag || value.get_help().is_some(),
                    "`{name}`: `{id} {}` has no help",
                    value.get_name()
                );
            }
        }
    });
}

#[test]
fn no_option_is_there_twice() {
    walk(&command_tree(), &mut |command| {
        let (mut longs, mut shorts) = (BTreeSet::new(), BTreeSet::new());
        for argument in command.get_arguments() {
            for long in argument.get_long_and_visible_aliases().unwrap_or_default() {
                assert!(longs.insert(long), "`{}` has --{long} twice", command.get_name());
            }
            for short in argument.get_short_and_visible_aliases().unwrap_or_default() {
                assert!(shorts.insert(short), "`{}` has -{short} twice", command.get_name());
            }
        }
    });
}

#[test]
fn words_are_split_as_a_shell_splits_them() {
    assert_eq!(words("a --b 'c d' | e"), ["a", "--b", "c d"]);
    assert_eq!(words("a \"b|c\" > d"), ["a", "b|c"]);
}
