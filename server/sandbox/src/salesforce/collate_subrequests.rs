//! Implements `collateSubrequests`: calls of one kind run together, as far as their references
//! allow.

use super::composite_part::Part;
use super::composite_reference;
use super::route::{Resource, Target};

/// Execution order of the parts. Parts with their own headers are never grouped.
#[must_use]
pub fn order(parts: &[Part]) -> Vec<usize> {
    let needs: Vec<Vec<usize>> = parts.iter().map(|part| needed(part, parts)).collect();
    let mut order: Vec<usize> = Vec::new();
    while order.len() < parts.len() {
        let ready = |order: &[usize], at: usize| {
            !order.contains(&at) && needs[at].iter().all(|n| order.contains(n))
        };
        // A part with a circular reference still gets its turn, and fails then.
        let first = (0..parts.len())
            .find(|at| ready(&order, *at))
            .or_else(|| (0..parts.len()).find(|at| !order.contains(at)));
        let Some(first) = first else { break };
        let done = order.clone();
        order.push(first);
        let Some(kind) = kind(&parts[first]) else {
            continue;
        };
        for (at, part) in parts.iter().enumerate().skip(first + 1) {
            if ready(&done, at) && self::kind(part).as_ref() == Some(&kind) {
                order.push(at);
            }
        }
    }
    order
}

fn needed(part: &Part, parts: &[Part]) -> Vec<usize> {
    let text = format!("{} {}", part.url, part.body);
    composite_reference::names(&text)
        .into_iter()
        .filter_map(|name| parts.iter().position(|p| p.id == name))
        .collect()
}

/// Group of a part: the same verb on rows of the same object.
fn kind(part: &Part) -> Option<(String, String)> {
    if !part.headers.is_empty() {
        return None;
    }
    match Target::read(&part.url)?.resource {
        Resource::Object(object) | Resource::Row(object, _) | Resource::External(object, ..) => {
            Some((part.method.clone(), object))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn part(id: &str, object: &str, body: Value) -> Part {
        let url = format!("/services/data/v62.0/sobjects/{object}");
        Part {
            id: id.into(),
            method: "POST".into(),
            url,
            body,
            headers: Vec::new(),
        }
    }

    #[test]
    fn collates_subrequests_and_keeps_references() {
        let parts = [
            part("a", "Account", json!({})),
            part("c", "Contact", json!({"AccountId": "@{a.id}"})),
            part("b", "Account", json!({})),
            part("d", "Account", json!({"Name": "@{c.id}"})),
        ];
        assert_eq!(order(&parts), [0, 2, 1, 3]);
        let mut kept = parts.to_vec();
        kept[2].headers.push(("if-match".into(), "x".into()));
        assert_eq!(order(&kept), [0, 1, 2, 3]);
    }
}
