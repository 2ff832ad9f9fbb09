//! Stripe's form encoding: nested brackets, and lists as `x[]=` or `x[0]=`.

use serde_json::{Map, Value};

/// Decodes `a[b]=c&x[]=1` into a tree with text leaves.
pub fn decode(encoded: &[u8]) -> Map<String, Value> {
    let mut root = Map::new();
    for (name, value) in url::form_urlencoded::parse(encoded) {
        let (head, rest) = name
            .split_once('[')
            .map_or((name.as_ref(), ""), |(h, r)| (h, r));
        let mut path = vec![head.to_owned()];
        path.extend(
            rest.split('[')
                .filter(|_| !rest.is_empty())
                .map(|part| part.trim_end_matches(']').to_owned()),
        );
        insert(&mut root, &path, value.into_owned());
    }
    root.into_iter()
        .map(|(name, value)| (name, listed(value)))
        .collect()
}

fn insert(into: &mut Map<String, Value>, path: &[String], text: String) {
    let Some((head, rest)) = path.split_first() else {
        return;
    };
    // `x[]` appends to the list.
    let key = if head.is_empty() {
        into.len().to_string()
    } else {
        head.clone()
    };
    if rest.is_empty() {
        into.insert(key, Value::String(text));
        return;
    }
    let slot = into.entry(key).or_insert_with(|| Value::Object(Map::new()));
    if !slot.is_object() {
        *slot = Value::Object(Map::new());
    }
    if let Value::Object(inner) = slot {
        insert(inner, rest, text);
    }
}

/// Objects with only numeric keys are lists.
fn listed(value: Value) -> Value {
    let Value::Object(map) = value else {
        return value;
    };
    let numbered = !map.is_empty() && map.keys().all(|key| key.parse::<usize>().is_ok());
    if numbered {
        let mut items: Vec<(usize, Value)> = map
            .into_iter()
            .map(|(key, inner)| (key.parse().unwrap_or(usize::MAX), listed(inner)))
            .collect();
        items.sort_by_key(|(place, _)| *place);
        Value::Array(items.into_iter().map(|(_, inner)| inner).collect())
    } else {
        Value::Object(
            map.into_iter()
                .map(|(key, inner)| (key, listed(inner)))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::decode;
    use serde_json::{Value, json};

    #[test]
    fn brackets_nest_and_lists_come_in_both_spellings() {
        for (text, want) in [
            (
                "amount=5&currency=usd",
                json!({"amount": "5", "currency": "usd"}),
            ),
            (
                "metadata%5Ba%20b%5D=c+d",
                json!({"metadata": {"a b": "c d"}}),
            ),
            ("expand[]=x&expand[]=y", json!({"expand": ["x", "y"]})),
            ("expand[1]=y&expand[0]=x", json!({"expand": ["x", "y"]})),
            (
                "a[b][c][0]=1&a[b][d]=2",
                json!({"a": {"b": {"c": ["1"], "d": "2"}}}),
            ),
            ("metadata=", json!({"metadata": ""})),
        ] {
            assert_eq!(Value::Object(decode(text.as_bytes())), want, "{text}");
        }
    }
}
