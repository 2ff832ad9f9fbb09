//! A message, written down once.

use dewy_domain::{call::Call, ports::TextNote};

use super::Requests;
use crate::{
    percent::percent,
    salesforce::{Picklist, composite::json_call, fields::Fields},
};

/// An upsert by the message's sid, which is unique in the org: however often it is sent, there is one row.
pub(super) fn call(requests: &Requests, note: &TextNote) -> Call {
    let path = format!(
        "/services/data/{}/sobjects/SMS_Notification__c/Twilio_Message_SID__c/{}",
        requests.api_version,
        percent(&note.sid)
    );
    let fields = Fields::new()
        .text("To_Phone_Number__c", &note.to)
        .text("Message_Body__c", &note.body)
        .text("Direction__c", requests.words.theirs(Picklist::TextDirection, "Outbound"))
        .text("Status__c", requests.words.theirs(Picklist::TextStatus, &note.status))
        .moment("Sent_Date__c", note.at)
        .text_if("Opportunity__c", note.opportunity_id.as_deref());
    json_call("upsert", "PATCH", path, fields.json())
}
