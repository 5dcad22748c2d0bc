//! Which fields of a scenario its author has written.

use toml::{Table, Value};

/// The keys that stand in a scenario's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    table: Table,
}

impl Written {
    /// The keys of a parsed file.
    pub fn new(table: Table) -> Self {
        Written { table }
    }

    /// Takes a key of the top as written, such as one that the command line has set.
    pub fn add(&mut self, key: &str) {
        self.table.entry(key).or_insert(Value::Boolean(true));
    }

    /// True iff the dotted path is written; a number is an index of a list.
    pub fn has(&self, path: &str) -> bool {
        let mut parts = path.split('.');
        let Some(first) = parts.next() else { return false };
        let mut value = self.table.get(first);
        for part in parts {
            value = match value {
                Some(Value::Table(table)) => table.get(part),
                Some(Value::Array(items)) => part.parse::<usize>().ok().and_then(|i| items.get(i)),
                _ => None,
            };
        }
        value.is_some()
    }

    /// Those of the paths that are not written.
    pub fn missing<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<&'p str> {
        paths.into_iter().filter(|path| !self.has(path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_through_tables_and_lists() {
        let text = "rto = \"15min\"\n[stages]\npromotion = \"60s\"\n[[targets]]\ntier = \"hot\"";
        let mut written = Written::new(text.parse().unwrap());
        for path in ["rto", "stages.promotion", "targets", "targets.0.tier"] {
            assert!(written.has(path), "{path}");
        }
        for path in ["", "rto.x", "stages.capacity", "targets.1.tier", "targets.hot", "triggers"] {
            assert!(!written.has(path), "{path}");
        }
        written.add("triggers");
        assert_eq!(written.missing(["rto", "triggers", "probe"]), ["probe"]);
    }
}
