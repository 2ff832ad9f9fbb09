//! Requests to Twilio, byte for byte; pure.

use std::time::Duration;

use dewy_domain::upstream_request::{Call, System};

use super::config::{TextSender, TwilioConfig};
use crate::{form_encoding::Form, percent_encoding::percent};

/// Twilio's maximum page size: few numbers have more messages.
const PAGE: &str = "1000";

/// Range of `ValidityPeriod`: Twilio advises more than 5 seconds.
const VALIDITY_SECONDS: std::ops::RangeInclusive<u64> = 6..=36_000;

pub(super) fn text(config: &TwilioConfig, to: &str, body: &str, valid_for: Duration) -> Call {
    let form = Form::new().field("To", to);
    let form = match &config.sender {
        TextSender::Number(from) => form.field("From", from),
        TextSender::Service(sid) => form.field("MessagingServiceSid", sid),
    };
    let seconds = valid_for
        .as_secs()
        .clamp(*VALIDITY_SECONDS.start(), *VALIDITY_SECONDS.end());
    Call {
        method: "POST".to_owned(),
        headers: vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )],
        body: form
            .field("Body", body)
            .field_if("StatusCallback", config.status_callback.as_deref())
            .field("ValidityPeriod", &seconds.to_string())
            .text(),
        ..read("message_create", messages(&config.account_sid))
    }
}

pub(super) fn text_by_sid(account: &str, sid: &str) -> Call {
    let path = format!("{}/Messages/{}.json", resources(account), percent(sid));
    read("message_list", path)
}

pub(super) fn texts(account: &str, to: &str) -> Call {
    let query = Form::new().field("To", to).field("PageSize", PAGE).text();
    read("message_list", format!("{}?{query}", messages(account)))
}

/// Asks for the sender: a number of the account, a short code, or a Messaging Service. A name is not
/// listed anywhere.
pub(super) fn sender(account: &str, sender: &TextSender) -> Option<Call> {
    let listed = |list: &str, name: &str, value: &str| {
        let query = Form::new().field(name, value).field("PageSize", "1").text();
        format!("{}/{list}.json?{query}", resources(account))
    };
    let path = match sender {
        TextSender::Service(sid) => format!("/v1/Services/{}", percent(sid)),
        TextSender::Number(number) if number.starts_with('+') => {
            listed("IncomingPhoneNumbers", "PhoneNumber", number)
        }
        TextSender::Number(code) if code.bytes().all(|b| b.is_ascii_digit()) => {
            listed("SMS/ShortCodes", "ShortCode", code)
        }
        TextSender::Number(_) => return None,
    };
    Some(read("sender", path))
}

fn read(operation: &str, path: String) -> Call {
    Call {
        system: System::Twilio,
        operation: operation.to_owned(),
        method: "GET".to_owned(),
        path,
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
    format!("{}/Messages.json", resources(account))
}

fn resources(account: &str) -> String {
    format!("/2010-04-01/Accounts/{}", percent(account))
}
