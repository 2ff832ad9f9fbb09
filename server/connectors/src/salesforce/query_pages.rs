//! Assembles long responses from their pages.
//!
//! ```text
//! response ─▶ a list with done:false? ── no ─▶ unchanged
//!                └─ yes ─▶ GET nextRecordsUrl … ─▶ the same response with complete lists
//! ```
//! Salesforce truncates a query's rows and each row's child lists at any point, also in the parts
//! of a composite. A truncated list is never mistaken for the whole, because a folio's balance
//! depends on it. Values keep their original text: no amount becomes a float.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Maximum number of pages fetched for one answer: a safeguard against a list that never ends. With
/// Salesforce's smallest pages this is 20,000 rows.
pub(super) const MAX_PAGES: usize = 100;

/// JSON object whose values are not parsed.
type Row = BTreeMap<String, Box<RawValue>>;

#[derive(Debug, Deserialize)]
pub(super) struct Page {
    done: bool,
    #[serde(rename = "nextRecordsUrl")]
    next: Option<String>,
    records: Vec<Box<RawValue>>,
}

#[derive(Debug)]
pub(super) struct TruncatedList {
    /// Path of the next page.
    pub(super) next: String,
}

/// Whether a body may contain a truncated list. Cheap, because nearly all contain none.
pub(super) fn may_be_cut(body: &[u8]) -> bool {
    str::from_utf8(body).is_ok_and(|body| body.contains("\"nextRecordsUrl\""))
}

/// Finds the first truncated list of a response, in a query or in a composite's parts.
pub(super) fn first_truncated_list(body: &str) -> Option<TruncatedList> {
    if let Some(parts) = parts(body) {
        return parts
            .iter()
            .find_map(|part| first_truncated_list(part.get("body")?.get()));
    }
    let page: Page = serde_json::from_str(body).ok()?;
    let child = || {
        page.records
            .iter()
            .find_map(|record| children(record.get()).values().find_map(cut_of))
    };
    if page.done {
        child()
    } else {
        page.next
            .clone()
            .map(|next| TruncatedList { next })
            .or_else(child)
    }
}

/// Response with the page that `cut` was missing; `None` if either can't be parsed.
pub(super) fn joined(body: &str, cut: &TruncatedList, more: &Page) -> Option<String> {
    if let Some(parts) = parts(body) {
        let mut done = false;
        let mut joined_part = |mut part: Row| -> Option<String> {
            if !done
                && let Some(body) = part
                    .get("body")
                    .and_then(|body| joined(body.get(), cut, more))
            {
                done = true;
                part.insert("body".to_owned(), RawValue::from_string(body).ok()?);
            }
            Some(object(&part))
        };
        let parts = parts
            .into_iter()
            .map(&mut joined_part)
            .collect::<Option<Vec<_>>>()?;
        return done.then(|| format!("{{\"compositeResponse\":[{}]}}", parts.join(",")));
    }
    let page: Page = serde_json::from_str(body).ok()?;
    if page.next.as_ref() == Some(&cut.next) {
        return Some(list(
            page.records
                .iter()
                .chain(&more.records)
                .map(|r| r.get().to_owned()),
            more,
        ));
    }
    let mut done = false;
    let mut records = Vec::with_capacity(page.records.len());
    for record in &page.records {
        let mut row: Row = serde_json::from_str(record.get()).ok()?;
        let names: Vec<String> = row.keys().cloned().collect();
        for name in names {
            let child = row
                .get(&name)
                .filter(|value| value.get().starts_with('{'))
                .map(|value| value.get().to_owned());
            if !done
                && let Some(child) = child
                && cut_of(&child).is_some_and(|own| own.next == cut.next)
                && let Some(whole) = joined(&child, cut, more)
            {
                done = true;
                row.insert(name, RawValue::from_string(whole).ok()?);
            }
        }
        records.push(object(&row));
    }
    done.then(|| list(records.into_iter(), &page))
}

/// Child lists of a record, and any other object fields.
fn children(record: &str) -> BTreeMap<String, String> {
    let row: Row = serde_json::from_str(record).unwrap_or_default();
    let nested = row
        .into_iter()
        .filter(|(_, value)| value.get().starts_with('{'));
    nested
        .map(|(name, value)| (name, value.get().to_owned()))
        .collect()
}

fn cut_of(list: impl AsRef<str>) -> Option<TruncatedList> {
    let page: Page = serde_json::from_str(list.as_ref()).ok()?;
    if page.done {
        None
    } else {
        page.next.map(|next| TruncatedList { next })
    }
}

/// Parts of a composite's response.
fn parts(body: &str) -> Option<Vec<Row>> {
    #[derive(Deserialize)]
    struct Composite {
        #[serde(rename = "compositeResponse")]
        parts: Vec<Row>,
    }
    serde_json::from_str::<Composite>(body)
        .ok()
        .map(|composite| composite.parts)
}

/// List that continues, or ends, where `last` does.
fn list(records: impl Iterator<Item = String>, last: &Page) -> String {
    let records: Vec<String> = records.collect();
    let next = last.next.as_deref().filter(|_| !last.done);
    let next = next.map_or_else(String::new, |next| {
        format!("\"nextRecordsUrl\":{},", serde_json::Value::from(next))
    });
    format!(
        "{{\"done\":{},{next}\"records\":[{}]}}",
        last.done,
        records.join(",")
    )
}

fn object(row: &Row) -> String {
    let fields: Vec<String> = row
        .iter()
        .map(|(name, value)| format!("{}:{}", serde_json::Value::from(name.as_str()), value.get()))
        .collect();
    format!("{{{}}}", fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_joined_without_changing_amounts() {
        let body = r#"{"totalSize":3,"done":false,"nextRecordsUrl":"/q/2","records":[{"Id":"a","Amount":250.10,
            "L__r":{"totalSize":2,"done":false,"nextRecordsUrl":"/q/c","records":[{"N":1.0E7}]}},{"Id":"b","L__r":null}]}"#;
        let cut = first_truncated_list(body).unwrap();
        assert_eq!(cut.next, "/q/2");
        let more: Page =
            serde_json::from_str(r#"{"totalSize":3,"done":true,"records":[{"Id":"c"}]}"#).unwrap();
        let body = joined(body, &cut, &more).unwrap();
        let cut = first_truncated_list(&body).unwrap();
        assert_eq!(cut.next, "/q/c");
        let more: Page =
            serde_json::from_str(r#"{"totalSize":2,"done":true,"records":[{"N":2.50}]}"#).unwrap();
        let body = joined(&body, &cut, &more).unwrap();
        assert!(first_truncated_list(&body).is_none());
        assert!(
            body.contains("250.10") && body.contains("1.0E7") && body.contains("2.50"),
            "{body}"
        );
        let read: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (
                read["records"].as_array().unwrap().len(),
                read["done"].as_bool()
            ),
            (3, Some(true))
        );
        assert_eq!(
            read["records"][0]["L__r"]["records"]
                .as_array()
                .unwrap()
                .len(),
            2
        );
    }

    #[test]
    fn pages_inside_a_composite_are_joined() {
        let body = r#"{"compositeResponse":[{"body":{"id":"x"},"httpStatusCode":201,"referenceId":"a"},
            {"body":{"done":false,"nextRecordsUrl":"/q/1","records":[1]},"httpStatusCode":200,"referenceId":"q"}]}"#;
        let cut = first_truncated_list(body).unwrap();
        let more: Page = serde_json::from_str(r#"{"done":true,"records":[2]}"#).unwrap();
        let body = joined(body, &cut, &more).unwrap();
        let read: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            read["compositeResponse"][1]["body"]["records"],
            serde_json::json!([1, 2])
        );
        assert_eq!(read["compositeResponse"][1]["referenceId"], "q");
        assert!(first_truncated_list(&body).is_none());
        assert!(!may_be_cut(b"{\"done\":true}") && may_be_cut(b"{\"nextRecordsUrl\":1}"));
    }
}
