//! A YAML or JSON document as a tree that knows its lines. JSON is read as the YAML that it is.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

/// A value and the line it stands on.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its line, from 1.
    pub line: u64,
}

/// A value of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in their order.
    Map(Vec<(String, Node)>),
}

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, from 1, where it is known.
    pub line: Option<u64>,
    /// What the parser says.
    pub why: String,
}

impl Node {
    /// The documents in a text; more than one where `---` parts them.
    ///
    /// # Errors
    /// When it is neither YAML nor JSON, or is nested or repeated beyond what is reasonable.
    pub fn documents(text: &str) -> Result<Vec<Node>, Unreadable> {
        let options = serde_saphyr::options! { with_snippet: false };
        serde_saphyr::from_multiple_with_options::<Spanned<Value>>(text, options)
            .map(|documents| documents.into_iter().map(Node::from).collect())
            .map_err(|error| Unreadable {
                line: error.location().map(|place| place.line()),
                why: error.to_string(),
            })
    }

    /// The value under a key of a map.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// The value under a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// What stands in a map (by key) or in a list (by number).
    pub fn children(&self) -> Box<dyn Iterator<Item = (String, &Node)> + '_> {
        match &self.value {
            Value::Map(entries) => Box::new(entries.iter().map(|(key, node)| (key.clone(), node))),
            Value::List(items) => {
                Box::new(items.iter().enumerate().map(|(i, node)| (i.to_string(), node)))
            }
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// True iff keys and values.
    pub fn is_map(&self) -> bool {
        matches!(self.value, Value::Map(_))
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, also when it is written as text or as `3.0`.
    pub fn integer(&self) -> Option<i64> {
        match &self.value {
            Value::Integer(number) => Some(*number),
            Value::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Some(*number as i64)
            }
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

impl From<Spanned<Value>> for Node {
    fn from(spanned: Spanned<Value>) -> Self {
        Node { value: spanned.value, line: spanned.referenced.line() }
    }
}

impl fmt::Display for Value {
    /// Short, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("nothing"),
            Value::Bool(truth) => write!(f, "`{truth}`"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Float(number) => write!(f, "{number}"),
            Value::Text(text) if text.chars().count() <= 60 => {
                write!(f, "`{}`", text.escape_debug())
            }
            Value::Text(_) => f.write_str("a long text"),
            Value::List(_) => f.write_str("a list"),
            Value::Map(_) => f.write_str("keys and values"),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Float(number as f64), Value::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(AnyValue)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<Spanned<Value>>()? {
            items.push(item.into());
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            entries.push((key, map.next_value::<Spanned<Value>>()?.into()));
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines() {
        let documents =
            Node::documents("a: 1\nb:\n  - x: two\n    y: [3.5, null]\n---\n{\"c\": true}\n")
                .unwrap();
        let b = documents[0].get("b").unwrap();
        assert_eq!(b.items()[0].get("x").unwrap().text(), Some("two"));
        assert_eq!(b.items()[0].get("y").unwrap().line, 4);
        assert_eq!(b.items()[0].get("y").unwrap().items()[1].value, Value::Null);
        assert_eq!(documents[1].get("c").unwrap().value, Value::Bool(true));
        assert_eq!(documents[1].get("c").unwrap().line, 6);
    }

    #[test]
    fn nonsense_is_an_error_with_a_line() {
        let error = Node::documents("a: 1\nb: [1, 2\n").unwrap_err();
        assert!(error.line.is_some(), "{error:?}");
    }

    #[test]
    fn a_deep_or_self_feeding_document_is_an_error_and_no_crash() {
        assert!(Node::documents(&"[".repeat(100_000)).is_err());
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for i in 1..12 {
            let refs = vec![format!("*a{}", i - 1); 10].join(", ");
            bomb.push_str(&format!("a{i}: &a{i} [{refs}]\n"));
        }
        assert!(Node::documents(&bomb).is_err());
    }
}
