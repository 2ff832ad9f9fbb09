//! Message log entry, written once.

use dewy_domain::{ports::SentTextRecord, upstream_request::Call};

use super::Requests;
use crate::salesforce::{Picklist, composite::json_call, fields::Fields};

/// Row with the message's sid, which is unique in the org: a second create is refused and
/// overwrites nothing.
pub(super) fn call(requests: &Requests, note: &SentTextRecord) -> Call {
    let path = format!(
        "/services/data/{}/sobjects/SMS_Notification__c",
        requests.api_version
    );
    let fields = Fields::new()
        .text("Twilio_Message_SID__c", &note.sid)
        .text("To_Phone_Number__c", &note.to)
        .text("Message_Body__c", &note.body)
        .text(
            "Direction__c",
            requests
                .vocabulary
                .theirs(Picklist::TextDirection, "Outbound"),
        )
        .text(
            "Status__c",
            requests
                .vocabulary
                .theirs(Picklist::TextStatus, &note.status),
        )
        .moment("Sent_Date__c", note.at)
        .text_if("Opportunity__c", note.opportunity_id.as_deref());
    let fields = requests.access.writable("SMS_Notification__c", fields);
    json_call("create", "POST", path, fields.json())
}
