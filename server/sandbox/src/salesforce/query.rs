//! The query endpoint, and the pages of a long answer.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Org;
use super::answer::Answer;
use super::call::Call;
use super::error::{ApiError, ApiResult};
use super::soql;

/// Rows a page holds unless the caller asks for another number, and the least it may ask for.
const PAGE: usize = 2000;
const LEAST: usize = 200;
/// Queries a user can have open; the oldest closes.
const OPEN: usize = 10;

/// Long answers, their pages still to be fetched. Not saved: a locator does not outlive us.
#[derive(Clone, Debug, Default)]
pub struct Cursors {
    issued: u64,
    open: Vec<Cursor>,
}

#[derive(Clone, Debug)]
struct Cursor {
    id: String,
    page: usize,
    records: Arc<Vec<Value>>,
}

impl Org {
    /// Answers `…/query?q=`.
    pub(super) fn query(&mut self, call: &Call) -> ApiResult<Answer> {
        let text = call.target.param("q").ok_or_else(|| ApiError::malformed("A query string has to be specified"))?;
        let base = call.target.base();
        let found = soql::run(&self.world, text, &base)?;
        let page = page_size(call.header("sforce-query-options"))?;
        if found.records.len() <= page {
            let body = json!({"totalSize": found.total, "done": true, "records": found.records});
            return Ok(Answer::new(200, body));
        }
        self.cursors.issued += 1;
        let id = format!("01gHs{:010}AAA", self.cursors.issued);
        let cursor = Cursor { id, page, records: Arc::new(found.records) };
        let answer = cursor.show(0, &base);
        self.cursors.open.push(cursor);
        if self.cursors.open.len() > OPEN {
            self.cursors.open.remove(0);
        }
        Ok(answer)
    }

    /// Answers `…/query/{locator}`.
    pub(super) fn more(&self, locator: &str, base: &str) -> ApiResult<Answer> {
        let found = locator.rsplit_once('-').and_then(|(id, from)| {
            let cursor = self.cursors.open.iter().find(|c| c.id == id)?;
            from.parse().ok().filter(|from| *from < cursor.records.len()).map(|from| cursor.show(from, base))
        });
        found.ok_or_else(|| ApiError::bad("INVALID_QUERY_LOCATOR", "invalid query locator"))
    }
}

impl Cursor {
    fn show(&self, from: usize, base: &str) -> Answer {
        let next = from + self.page;
        let done = next >= self.records.len();
        let mut body = json!({
            "totalSize": self.records.len(),
            "done": done,
            "records": self.records[from..next.min(self.records.len())],
        });
        if !done {
            body["nextRecordsUrl"] = json!(format!("{base}/query/{}-{next}", self.id));
        }
        Answer::new(200, body)
    }
}

/// `Sforce-Query-Options: batchSize=200`
fn page_size(header: Option<&str>) -> ApiResult<usize> {
    let Some(text) = header else { return Ok(PAGE) };
    let size = text.trim().strip_prefix("batchSize=").and_then(|s| s.parse().ok());
    size.filter(|s| (LEAST..=PAGE).contains(s))
        .ok_or_else(|| ApiError::bad("INVALID_QUERY_OPTIONS", format!("batchSize must be between {LEAST} and {PAGE}")))
}
