//! One composite request: several subrequests in order, all of them or none, for one call of the daily quota.

use dewy_domain::call::{Call, System};
use dewy_domain::stay::Stamp;

use super::fields::Fields;
use crate::percent::percent;

/// Builds the body subrequest by subrequest. `collateSubrequests` is off, since only then does Salesforce keep the order.
#[derive(Debug)]
pub(crate) struct Composite<'a> {
    api_version: &'a str,
    parts: Vec<String>,
}

impl<'a> Composite<'a> {
    pub(crate) fn new(api_version: &'a str) -> Self {
        Self { api_version, parts: Vec::new() }
    }

    /// A query; later parts may refer to its rows.
    pub(crate) fn query(self, reference: &str, soql: &str) -> Self {
        let url = query_path(self.api_version, soql);
        self.part(Fields::new().text("method", "GET").text("url", &url).text("referenceId", reference))
    }

    /// Changes the first row that an earlier query found, if nobody has written it since `stamp`. When the query found
    /// nothing the reference cannot be resolved, and everything is rolled back.
    pub(crate) fn change_found(
        self,
        reference: &str,
        object: &str,
        query: &str,
        stamp: &Stamp,
        fields: Fields,
    ) -> Self {
        self.patch(reference, object, &format!("@{{{query}.records[0].Id}}"), stamp, fields)
    }

    /// The same for a row whose stamp was not read: the query alone decides.
    pub(crate) fn change_if_found(self, reference: &str, object: &str, query: &str, fields: Fields) -> Self {
        let url = format!("/services/data/{}/sobjects/{object}/@{{{query}.records[0].Id}}", self.api_version);
        let part = Fields::new().text("method", "PATCH").text("url", &url).text("referenceId", reference);
        self.part(part.raw("body", &fields.json()))
    }

    /// Changes a row, if nobody has written it since `stamp`.
    pub(crate) fn change(self, reference: &str, object: &str, id: &str, stamp: &Stamp, fields: Fields) -> Self {
        self.patch(reference, object, &percent(id), stamp, fields)
    }

    /// Makes a row.
    pub(crate) fn make(self, reference: &str, object: &str, fields: Fields) -> Self {
        let url = format!("/services/data/{}/sobjects/{object}", self.api_version);
        let part = Fields::new().text("method", "POST").text("url", &url).text("referenceId", reference);
        self.part(part.raw("body", &fields.json()))
    }

    /// The whole call.
    pub(crate) fn call(self) -> Call {
        let requests = format!("[{}]", self.parts.join(","));
        let body = Fields::new()
            .raw("allOrNone", "true")
            .raw("collateSubrequests", "false")
            .raw("compositeRequest", &requests);
        let path = format!("/services/data/{}/composite", self.api_version);
        json_call("composite", "POST", path, body.json())
    }

    fn patch(self, reference: &str, object: &str, row: &str, stamp: &Stamp, fields: Fields) -> Self {
        let url = format!("/services/data/{}/sobjects/{object}/{row}", self.api_version);
        let headers = Fields::new().text("If-Unmodified-Since", &http_date(stamp));
        let part = Fields::new().text("method", "PATCH").text("url", &url).text("referenceId", reference);
        self.part(part.raw("httpHeaders", &headers.json()).raw("body", &fields.json()))
    }

    fn part(mut self, part: Fields) -> Self {
        self.parts.push(part.json());
        self
    }
}

/// A call with a JSON body.
pub(crate) fn json_call(operation: &str, method: &str, path: String, body: String) -> Call {
    Call {
        system: System::Salesforce,
        operation: operation.to_owned(),
        method: method.to_owned(),
        path,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body,
        idempotency_key: None,
    }
}

/// Where a query is asked.
pub(crate) fn query_path(api_version: &str, soql: &str) -> String {
    format!("/services/data/{api_version}/query?q={}", percent(soql))
}

/// The stamp as `If-Unmodified-Since` wants it: whole seconds, GMT.
pub(crate) fn http_date(stamp: &Stamp) -> String {
    stamp.at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
