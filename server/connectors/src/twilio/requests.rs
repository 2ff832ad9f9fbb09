//! Requests to Twilio, byte for byte; pure.

use dewy_domain::upstream_request::{Call, System};

use crate::{form_encoding::Form, percent_encoding::percent};

/// Twilio's maximum page size: few numbers have more messages.
const PAGE: &str = "1000";

pub(super) fn text(account: &str, from: &str, to: &str, body: &str) -> Call {
    Call {
        system: System::Twilio,
        operation: "message_create".to_owned(),
        method: "POST".to_owned(),
        path: messages(account),
        headers: vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )],
        body: Form::new()
            .field("To", to)
            .field("From", from)
            .field("Body", body)
            .text(),
        idempotency_key: None,
    }
}

pub(super) fn texts(account: &str, to: &str) -> Call {
    let query = Form::new().field("To", to).field("PageSize", PAGE).text();
    Call {
        system: System::Twilio,
        operation: "message_list".to_owned(),
        method: "GET".to_owned(),
        path: format!("{}?{query}", messages(account)),
        headers: Vec::new(),
        body: String::new(),
        idempotency_key: None,
    }
}

/// Whether this is a page of this account's list.
pub(super) fn is_list(account: &str, path: &str) -> bool {
    path.strip_prefix(&messages(account))
        .is_some_and(|rest| rest.starts_with('?'))
}

fn messages(account: &str) -> String {
    format!("/2010-04-01/Accounts/{}/Messages.json", percent(account))
}
