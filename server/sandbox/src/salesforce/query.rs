//! Query endpoint, and paging of long results.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Org;
use super::call::Call;
use super::call_result::CallResult;
use super::error::{ApiError, ApiResult};
use super::soql;

/// Default and minimum rows per page.
const PAGE: usize = 2000;
/// Rows of a parent's child list before it is paged.
const CHILD_PAGE: usize = 200;
const MIN_BATCH_SIZE: usize = 200;
/// Maximum number of open queries per user; the oldest is closed.
const OPEN: usize = 10;

/// Results with remaining pages. Not persistent: a locator doesn't survive a restart.
#[derive(Clone, Debug, Default)]
pub struct Cursors {
    issued: u64,
    open: Vec<Cursor>,
}

#[derive(Clone, Debug)]
struct Cursor {
    id: String,
    /// The query's own rows first, then the child lists that were cut.
    lists: Vec<List>,
}

#[derive(Clone, Debug)]
struct List {
    page: usize,
    records: Arc<Vec<Value>>,
}

impl Org {
    /// Answers `…/query?q=`.
    pub(super) fn query(&mut self, call: &Call) -> ApiResult<CallResult> {
        let text = call
            .target
            .param("q")
            .ok_or_else(|| ApiError::malformed("A query string has to be specified"))?;
        let base = call.target.base();
        let mut found = soql::run(&self.records, text, &base)?;
        let asked = page_size(call.header("sforce-query-options"))?;
        let page = self
            .settings
            .page_size
            .map_or(asked, |most| most.min(asked));
        let id = format!("01gHs{:010}AAA", self.cursors.issued + 1);
        // Filled in below, so that child lists are numbered from 1.
        let mut lists = vec![List {
            page,
            records: Arc::default(),
        }];
        for record in &mut found {
            cut_children(record, page.min(CHILD_PAGE), &mut lists, &id, &base);
        }
        if found.len() <= page && lists.len() == 1 {
            let body = json!({"totalSize": found.len(), "done": true, "records": found});
            return Ok(CallResult::new(200, body));
        }
        lists[0].records = Arc::new(found);
        self.cursors.issued += 1;
        let cursor = Cursor { id, lists };
        let answer = cursor.show(0, 0, &base);
        self.cursors.open.push(cursor);
        if self.cursors.open.len() > OPEN {
            self.cursors.open.remove(0);
        }
        Ok(answer)
    }

    /// Answers `…/query/{locator}`.
    pub(super) fn more(&self, locator: &str, base: &str) -> ApiResult<CallResult> {
        let mut parts = locator.split('-');
        let found = parts.next().and_then(|id| {
            let mut number = || parts.next().and_then(|n| n.parse::<usize>().ok());
            let (list, from) = (number()?, number()?);
            let cursor = self.cursors.open.iter().find(|c| c.id == id)?;
            cursor
                .lists
                .get(list)
                .filter(|list| from < list.records.len())
                .map(|_| cursor.show(list, from, base))
        });
        found.ok_or_else(|| ApiError::bad("INVALID_QUERY_LOCATOR", "invalid query locator"))
    }
}

impl Cursor {
    fn show(&self, number: usize, from: usize, base: &str) -> CallResult {
        let Some(list) = self.lists.get(number) else {
            return CallResult::empty();
        };
        CallResult::new(
            200,
            list.show(from, &format!("{base}/query/{}-{number}", self.id)),
        )
    }
}

impl List {
    fn show(&self, from: usize, locator: &str) -> Value {
        let next = from + self.page;
        let done = next >= self.records.len();
        let mut body = json!({
            "totalSize": self.records.len(),
            "done": done,
            "records": self.records[from..next.min(self.records.len())],
        });
        if !done {
            body["nextRecordsUrl"] = json!(format!("{locator}-{next}"));
        }
        body
    }
}

/// Moves the rest of a long child list to a list of its own.
fn cut_children(record: &mut Value, page: usize, lists: &mut Vec<List>, id: &str, base: &str) {
    let Some(fields) = record.as_object_mut() else {
        return;
    };
    for child in fields
        .values_mut()
        .filter(|value| value.get("done").is_some())
    {
        let Some(records) = child.get_mut("records").and_then(Value::as_array_mut) else {
            continue;
        };
        if records.len() > page {
            let records = std::mem::take(records);
            let list = List {
                page,
                records: Arc::new(records),
            };
            *child = list.show(0, &format!("{base}/query/{id}-{}", lists.len()));
            lists.push(list);
        }
    }
}

/// `Sforce-Query-Options: batchSize=200`
fn page_size(header: Option<&str>) -> ApiResult<usize> {
    let Some(text) = header else { return Ok(PAGE) };
    let size = text
        .trim()
        .strip_prefix("batchSize=")
        .and_then(|s| s.parse().ok());
    size.filter(|s| (MIN_BATCH_SIZE..=PAGE).contains(s))
        .ok_or_else(|| {
            ApiError::bad(
                "INVALID_QUERY_OPTIONS",
                format!("batchSize must be between {MIN_BATCH_SIZE} and {PAGE}"),
            )
        })
}
