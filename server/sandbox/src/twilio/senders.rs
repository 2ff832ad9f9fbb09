//! Senders of the account: numbers and one Messaging Service.

use serde_json::{Value, json};

use super::error_body::Refusal;

pub const NUMBERS: [&str; 2] = ["+12125550190", "+15005550006"];
/// Messaging Service; it sends from the first number.
pub const SERVICE: &str = "MG00000000000000000000000000000001";

/// Time at which the senders were bought.
const CREATED: &str = "2026-01-05T09:00:00Z";
const RFC_2822: &str = "Mon, 05 Jan 2026 09:00:00 +0000";

/// Refuses a Messaging Service that is not the account's.
pub fn check_service(sid: &str) -> Result<(), Refusal> {
    if sid == SERVICE {
        Ok(())
    } else if sid.len() == 34 && sid.starts_with("MG") {
        Err(Refusal::bad(21701, "The Messaging Service does not exist"))
    } else {
        Err(Refusal::bad(21705, "The Messaging Service Sid is invalid"))
    }
}

pub fn service(sid: &str, user: &str) -> Result<Value, Refusal> {
    if sid != SERVICE {
        return Err(Refusal::no_such("GET", &format!("Services/{sid}")));
    }
    let url = format!("https://messaging.twilio.com/v1/Services/{SERVICE}");
    let numbers = format!("{url}/PhoneNumbers");
    Ok(json!({
        "sid": SERVICE, "account_sid": user, "friendly_name": "Dewy Resort", "date_created": CREATED, "date_updated": CREATED,
        "inbound_request_url": null, "inbound_method": "POST", "fallback_url": null, "fallback_method": "POST",
        "status_callback": null, "sticky_sender": true, "mms_converter": true, "smart_encoding": false,
        "scan_message_content": "inherit", "fallback_to_long_code": false, "area_code_geomatch": false,
        "synchronous_validation": false, "validity_period": 36000, "url": url, "links": {"phone_numbers": numbers},
        "usecase": "notifications", "us_app_to_person_registered": true, "use_inbound_webhook_on_number": false,
    }))
}

/// The account's numbers, filtered by `PhoneNumber`.
pub fn numbers(account: &str, url: &str) -> Value {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let wanted = url::form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == "PhoneNumber")
        .map(|(_, value)| value.into_owned());
    let found = NUMBERS.iter().enumerate().filter(|(_, number)| {
        let wanted = wanted.as_deref();
        wanted.is_none_or(|wanted| **number == wanted)
    });
    let row = |(n, number): (usize, &&str)| {
        let sid = format!("PN{n:032}");
        let uri = format!("/2010-04-01/Accounts/{account}/IncomingPhoneNumbers/{sid}.json");
        json!({
            "account_sid": account, "address_sid": null, "address_requirements": "none", "api_version": "2010-04-01",
            "beta": false, "capabilities": {"voice": true, "sms": true, "mms": true, "fax": false},
            "date_created": RFC_2822, "date_updated": RFC_2822, "friendly_name": number, "identity_sid": null,
            "phone_number": number, "origin": "twilio", "sid": sid, "sms_application_sid": "", "sms_fallback_method": "POST",
            "sms_fallback_url": "", "sms_method": "POST", "sms_url": "", "status_callback": "",
            "status_callback_method": "POST", "trunk_sid": null, "uri": uri, "voice_receive_mode": "voice",
            "voice_application_sid": "", "voice_caller_id_lookup": false, "voice_fallback_method": "POST",
            "voice_fallback_url": null, "voice_method": "POST", "voice_url": null, "emergency_status": "Inactive",
            "emergency_address_sid": null, "emergency_address_status": "unregistered", "bundle_sid": null,
            "status": "in-use", "type": "local",
        })
    };
    page(
        "IncomingPhoneNumbers",
        account,
        "incoming_phone_numbers",
        found.map(row).collect(),
    )
}

/// The account's short codes: none.
pub fn short_codes(account: &str) -> Value {
    page("SMS/ShortCodes", account, "short_codes", Vec::new())
}

/// Whole list on one page.
fn page(list: &str, account: &str, name: &str, rows: Vec<Value>) -> Value {
    let uri = format!("/2010-04-01/Accounts/{account}/{list}.json?PageSize=50&Page=0");
    let end = rows.len().saturating_sub(1);
    json!({
        name: rows, "first_page_uri": uri, "next_page_uri": null, "previous_page_uri": null, "page": 0, "page_size": 50,
        "start": 0, "end": end, "uri": uri,
    })
}
