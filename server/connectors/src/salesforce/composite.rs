//! One composite request: several subrequests in order, all or none, for one call of the daily
//! quota.
//!
//! Salesforce resolves `@{part.path}` in every text of a composite's body, even in guest input, and
//! has no escape. It doesn't resolve inserted values again, so the brace itself is taken from a
//! response: the row is written with a lone `{` in place of such a text, read back, and written
//! once more.
//!
//! ```text
//! POST   booking        {"Special_Requests__c":"{"}
//! GET    booking_brace  ?fields=Special_Requests__c                                    answers "{"
//! PATCH  booking_text   {"Special_Requests__c":"see @@{booking_brace.Special_Requests__c}x}"}      stores "see @{x}"
//! ```
//! All of it stays one transaction; should Salesforce ever resolve twice, the reference can't be
//! resolved and nothing is written.

use dewy_domain::stay::Stamp;
use dewy_domain::upstream_request::{Call, System};

use super::{field_access::FieldAccess, fields::Fields, requests::Requests};
use crate::percent_encoding::percent;

/// Header that controls rows flagged by a duplicate rule, and the value that allows them.
pub(crate) const DUPLICATES: &str = "Sforce-Duplicate-Rule-Header";
pub(crate) const ALLOWED: &str = "allowSave=true";

/// Builds the body subrequest by subrequest. `collateSubrequests` is off, because only then does
/// Salesforce keep the order.
#[derive(Debug)]
pub(crate) struct Composite<'a> {
    api_version: &'a str,
    access: &'a FieldAccess,
    parts: Vec<String>,
    /// Whether rows that a duplicate rule warns of are created anyway.
    allow_duplicates: bool,
}

impl<'a> Composite<'a> {
    pub(crate) fn new(requests: &'a Requests) -> Self {
        Self {
            api_version: &requests.api_version,
            access: &requests.access,
            parts: Vec::new(),
            allow_duplicates: false,
        }
    }

    /// Creates rows that a duplicate rule only warns of. A composite's own headers don't apply to
    /// its parts.
    pub(crate) fn allow_duplicates(self, allow_duplicates: bool) -> Self {
        Self {
            allow_duplicates,
            ..self
        }
    }

    /// Adds a query; later parts may refer to its rows.
    pub(crate) fn query(self, reference: &str, soql: &str) -> Self {
        // Percent-encoded, so nothing in it needs to be escaped
        let url = format!(
            "\"{}\"",
            query_path(self.api_version, &self.access.visible(soql))
        );
        self.part(
            Fields::new()
                .text("method", "GET")
                .raw("url", url)
                .text("referenceId", reference),
        )
    }

    /// Changes the first row found by an earlier query, if it was not modified since `stamp`. If
    /// the query found nothing, the reference can't be resolved and everything is rolled back.
    pub(crate) fn change_found(
        self,
        reference: &str,
        object: &str,
        query: &str,
        stamp: &Stamp,
        fields: Fields,
    ) -> Self {
        let row = format!("@{{{query}.records[0].Id}}");
        self.write(reference, object, &row, Some(stamp), fields)
    }

    /// The same for a row whose stamp was not read: only the query guards it.
    pub(crate) fn change_if_found(
        self,
        reference: &str,
        object: &str,
        query: &str,
        fields: Fields,
    ) -> Self {
        let row = format!("@{{{query}.records[0].Id}}");
        self.write(reference, object, &row, None, fields)
    }

    /// Changes a row, if it was not modified since `stamp`.
    pub(crate) fn change(
        self,
        reference: &str,
        object: &str,
        id: &str,
        stamp: &Stamp,
        fields: Fields,
    ) -> Self {
        self.write(reference, object, &percent(id), Some(stamp), fields)
    }

    pub(crate) fn make(self, reference: &str, object: &str, fields: Fields) -> Self {
        let fields = self.access.writable(object, fields);
        let url = format!("/services/data/{}/sobjects/{object}", self.api_version);
        let mut part = Fields::new()
            .text("method", "POST")
            .text("url", &url)
            .text("referenceId", reference);
        if self.allow_duplicates {
            part = part.raw(
                "httpHeaders",
                Fields::new().text(DUPLICATES, ALLOWED).json(),
            );
        }
        let made = self.part(part.raw("body", fields.with_braces()));
        made.braced_texts(reference, object, &format!("@{{{reference}.id}}"), &fields)
    }

    /// The complete call: all parts or none.
    pub(crate) fn call(self) -> Call {
        self.call_with("true")
    }

    /// The complete call of a composite that only reads: a failed part affects no other.
    pub(crate) fn independent_reads(self, operation: &str) -> Call {
        Call {
            operation: operation.to_owned(),
            ..self.call_with("false")
        }
    }

    fn call_with(self, all_or_none: &str) -> Call {
        let requests = format!("[{}]", self.parts.join(","));
        let body = Fields::new()
            .raw("allOrNone", all_or_none)
            .raw("collateSubrequests", "false")
            .raw("compositeRequest", requests);
        let path = format!("/services/data/{}/composite", self.api_version);
        json_call("composite", "POST", path, body.json())
    }

    fn write(
        self,
        reference: &str,
        object: &str,
        row: &str,
        stamp: Option<&Stamp>,
        fields: Fields,
    ) -> Self {
        let fields = self.access.writable(object, fields);
        let url = format!(
            "/services/data/{}/sobjects/{object}/{row}",
            self.api_version
        );
        let mut headers = Fields::new();
        if let Some(stamp) = stamp {
            headers = headers.text("If-Unmodified-Since", &http_date(stamp));
        }
        if self.allow_duplicates {
            headers = headers.text(DUPLICATES, ALLOWED);
        }
        let mut part = Fields::new()
            .text("method", "PATCH")
            .text("url", &url)
            .text("referenceId", reference);
        if !headers.is_empty() {
            part = part.raw("httpHeaders", headers.json());
        }
        self.part(part.raw("body", fields.with_braces()))
            .braced_texts(reference, object, row, &fields)
    }

    /// Writes the texts that must not appear in a body; see above.
    fn braced_texts(self, reference: &str, object: &str, row: &str, fields: &Fields) -> Self {
        let Some(field) = fields.braced() else {
            return self;
        };
        let url = format!(
            "/services/data/{}/sobjects/{object}/{row}",
            self.api_version
        );
        let (brace, text) = (format!("{reference}_brace"), format!("{reference}_text"));
        let get = Fields::new()
            .text("method", "GET")
            .text("url", &format!("{url}?fields={field}"));
        let patch = Fields::new()
            .text("method", "PATCH")
            .text("url", &url)
            .text("referenceId", &text);
        let body = fields.braced_texts(&format!("{brace}.{field}"));
        self.part(get.text("referenceId", &brace))
            .part(patch.raw("body", body))
    }

    fn part(mut self, part: Fields) -> Self {
        self.parts.push(part.json());
        self
    }
}

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

pub(crate) fn query_path(api_version: &str, soql: &str) -> String {
    format!("/services/data/{api_version}/query?q={}", percent(soql))
}

/// Stamp in the format of `If-Unmodified-Since`: whole seconds, GMT.
pub(crate) fn http_date(stamp: &Stamp) -> String {
    stamp.at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
