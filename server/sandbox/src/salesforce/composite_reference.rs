//! References such as `@{q.records[0].Id}`: a value from an earlier part's response, in a later
//! part's URL or body.

use std::collections::BTreeMap;

use serde_json::Value;
use url::form_urlencoded;

use super::error::{ApiError, ApiResult};

/// Responses so far, by reference id.
pub type Known<'a> = BTreeMap<&'a str, Value>;

/// Reference ids in a text.
#[must_use]
pub fn names(text: &str) -> Vec<&str> {
    let inner = text
        .split("@{")
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    inner
        .map(|(path, _)| path.split(['.', '[']).next().unwrap_or_default())
        .collect()
}

/// URL with its references resolved and percent-encoded.
///
/// # Errors
/// 400 for an unresolvable reference.
pub fn fill_url(url: &str, known: &Known<'_>) -> ApiResult<String> {
    let plain = url
        .replace("%40%7B", "@{")
        .replace("%40%7b", "@{")
        .replace("%7D", "}")
        .replace("%7d", "}");
    let url = if plain.contains("@{") { &plain } else { url };
    fill(url, known, |value| {
        form_urlencoded::byte_serialize(value.as_bytes()).collect()
    })
}

/// Body with its references resolved; a text that consists of one reference takes on the value's
/// type.
///
/// # Errors
/// 400 for an unresolvable reference.
pub fn fill_body(body: &Value, known: &Known<'_>) -> ApiResult<Value> {
    Ok(match body {
        Value::String(text) => match whole(text) {
            Some(path) => find(path, known)?.clone(),
            None => Value::String(fill(text, known, str::to_owned)?),
        },
        Value::Array(items) => Value::Array(
            items
                .iter()
                .map(|i| fill_body(i, known))
                .collect::<ApiResult<_>>()?,
        ),
        Value::Object(fields) => {
            let filled = fields
                .iter()
                .map(|(n, v)| Ok((n.clone(), fill_body(v, known)?)));
            Value::Object(filled.collect::<ApiResult<_>>()?)
        }
        other => other.clone(),
    })
}

fn whole(text: &str) -> Option<&str> {
    let path = text.strip_prefix("@{")?.strip_suffix('}')?;
    (!path.contains(['{', '}'])).then_some(path)
}

fn fill(text: &str, known: &Known<'_>, encode: impl Fn(&str) -> String) -> ApiResult<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("@{") {
        let Some((path, after)) = after.split_once('}') else {
            return Err(nowhere(after));
        };
        filled.push_str(before);
        filled.push_str(&match find(path, known)? {
            Value::String(text) => encode(text),
            other => encode(&other.to_string()),
        });
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Names are case-sensitive, as in the real API: the response to a create has `id`, a query's
/// record `Id`.
fn find<'k>(path: &str, known: &'k Known<'_>) -> ApiResult<&'k Value> {
    let (name, steps) = path.split_once('.').ok_or_else(|| nowhere(path))?;
    let mut value = known.get(name).ok_or_else(|| nowhere(path))?;
    for step in steps.split('.') {
        let (field, index) = match step.strip_suffix(']').and_then(|s| s.split_once('[')) {
            Some((field, index)) => (
                field,
                Some(index.parse::<usize>().map_err(|_| nowhere(path))?),
            ),
            None => (step, None),
        };
        value = value.get(field).ok_or_else(|| nowhere(path))?;
        if let Some(index) = index {
            value = value.get(index).ok_or_else(|| nowhere(path))?;
        }
    }
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => Err(nowhere(path)),
        scalar => Ok(scalar),
    }
}

fn nowhere(path: &str) -> ApiError {
    let name = path.split('.').next().unwrap_or_default();
    let message = format!("Invalid reference specified. No value for {path} found in {name}");
    ApiError::bad("PROCESSING_HALTED", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_replaced() {
        let known = Known::from([
            (
                "q",
                json!({"records": [{"Id": "a01", "N": 2, "P__r": {"Email": "o'x+y@z"}}]}),
            ),
            ("p", json!({"id": "006"})),
        ]);
        assert_eq!(
            fill_url("/x/@{q.records[0].Id}?e=@{q.records[0].P__r.Email}", &known).unwrap(),
            "/x/a01?e=o%27x%2By%40z"
        );
        assert_eq!(fill_url("/x/%40%7Bp.id%7D", &known).unwrap(), "/x/006");
        let body = json!({"a": "@{p.id}", "n": "@{q.records[0].N}", "t": ["n @{p.id}!"]});
        assert_eq!(
            fill_body(&body, &known).unwrap(),
            json!({"a": "006", "n": 2, "t": ["n 006!"]})
        );
        for wrong in [
            "@{q.records[1].Id}",
            "@{p.Id}",
            "@{z.id}",
            "@{q}",
            "@{q.records}",
            "@{q.records[x].Id}",
        ] {
            assert_eq!(
                fill_body(&json!(wrong), &known).unwrap_err().status,
                400,
                "{wrong}"
            );
        }
        assert_eq!(names("a @{q.records[0].Id} @{p.id}"), ["q", "p"]);
    }
}
