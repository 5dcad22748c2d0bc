//! Writing values at dotted paths of a scenario's TOML, and laying a file over the defaults.

use std::sync::LazyLock;

use toml::{Table, Value};

use super::Scenario;
use super::document::parts;

/// The defaults as a table, every field written out.
static DEFAULTS: LazyLock<Table> =
    LazyLock::new(|| Scenario::default().to_toml().parse().unwrap_or_default());

/// What is written in `table`, laid over the defaults, so that a part of a default law can be changed
/// alone (`blips.length.mean`).
pub fn over_defaults(table: Table) -> Table {
    let mut whole = DEFAULTS.clone();
    for (key, value) in table {
        merge(&mut whole, &key, value);
    }
    whole
}

/// Writes `value` at a dotted path, merging tables. A part of the path may be a list index or the
/// `name` of a list's item.
pub fn set(table: &mut Table, path: &str, value: Value) -> Result<(), String> {
    let mut names: Vec<&str> = parts(path).collect();
    let Some(last) = names.pop() else { return Err("the path is empty".to_owned()) };
    let mut slot: &mut Table = table;
    let mut names = names.into_iter().peekable();
    while let Some(name) = names.next() {
        let next = slot.entry(name).or_insert_with(|| Value::Table(Table::new()));
        slot = match next {
            Value::Table(table) => table,
            Value::Array(items) => {
                let wanted = names.next().unwrap_or(last);
                let index = index_of(items, wanted).ok_or_else(|| {
                    let known: Vec<&str> = items.iter().filter_map(called).collect();
                    let hint = super::document::nearest(wanted, known.iter().copied())
                        .map(|word| format!("did you mean `{word}`? "))
                        .unwrap_or_default();
                    format!(
                        "`{wanted}` is neither an index nor the name of an item of `{name}`; {hint}\
                         there are: {}",
                        known.join(", ")
                    )
                })?;
                match items.get_mut(index).and_then(Value::as_table_mut) {
                    Some(item) => item,
                    None => return Err(format!("`{wanted}` of `{name}` cannot be varied below")),
                }
            }
            // A bare length such as `length = "20s"` gives way to the parts of a law.
            other => {
                *other = Value::Table(Table::new());
                match other {
                    Value::Table(table) => table,
                    _ => return Err(format!("`{name}` cannot be varied below")),
                }
            }
        };
    }
    merge(slot, last, value);
    Ok(())
}

fn index_of(items: &[Value], wanted: &str) -> Option<usize> {
    let by_index = wanted.parse::<usize>().ok().filter(|index| *index < items.len());
    by_index.or_else(|| items.iter().position(|item| called(item) == Some(wanted)))
}

/// What an item of a list is called: its name, or the tier of a target without one.
fn called(item: &Value) -> Option<&str> {
    item.get("name").or_else(|| item.get("tier")).and_then(Value::as_str)
}

/// A table that names another law replaces what was there; any other table is merged key by key.
pub fn merge(table: &mut Table, key: &str, value: Value) {
    match (table.get_mut(key), value) {
        (Some(Value::Table(old)), Value::Table(new)) if !new.contains_key("law") => {
            for (key, value) in new {
                merge(old, &key, value);
            }
        }
        (_, value) => {
            table.insert(key.to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_default_law_can_be_changed_alone() {
        let mut table = over_defaults(Table::new());
        set(&mut table, "blips.length.mean", Value::String("60s".to_owned())).unwrap();
        assert_eq!(table["blips"]["length"]["law"].as_str(), Some("exponential"));
        assert_eq!(table["blips"]["length"]["mean"].as_str(), Some("60s"));
    }

    #[test]
    fn items_of_lists_are_found_by_index_and_by_name() {
        let mut table: Table =
            "[[blips]]\nname = \"gc\"\n[[blips]]\nname = \"net\"".parse().unwrap();
        set(&mut table, "blips.net.gap", Value::Integer(1)).unwrap();
        set(&mut table, "blips.0.gap", Value::Integer(2)).unwrap();
        assert_eq!(table["blips"][1]["gap"].as_integer(), Some(1));
        assert_eq!(table["blips"][0]["gap"].as_integer(), Some(2));
        assert!(set(&mut table, "blips.dns.gap", Value::Integer(1)).unwrap_err().contains("`dns`"));
    }
}
