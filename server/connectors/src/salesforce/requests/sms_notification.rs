//! Message log entry, written once, and its end.

use dewy_domain::{
    ports::{SentTextRecord, TextEnd},
    text_status::TextStatus,
    upstream_request::Call,
};

use super::Requests;
use crate::{
    percent_encoding::percent,
    salesforce::{Picklist, composite::json_call, fields::Fields},
};

impl Requests {
    /// Row with the message's sid, which is unique in the org: a second create is refused and
    /// overwrites nothing.
    pub(crate) fn record_text(&self, note: &SentTextRecord) -> Call {
        let path = self.object("SMS_Notification__c");
        let fields = Fields::new()
            .text("Twilio_Message_SID__c", &note.sid)
            .text("To_Phone_Number__c", &note.to)
            .text("Message_Body__c", &note.body)
            .word(&self.vocabulary, Picklist::TextDirection, "Outbound")
            .word(&self.vocabulary, Picklist::TextStatus, &note.status)
            .moment("Sent_Date__c", note.at)
            .text_if("Opportunity__c", note.opportunity_id.as_deref());
        let fields = self.access.writable("SMS_Notification__c", fields);
        json_call("create", "POST", path, fields.json())
    }

    /// The row of a message with its end; `None` if our user may write none of its fields. A row that
    /// somebody has deleted is not made again.
    pub(crate) fn record_text_end(&self, sid: &str, end: &TextEnd) -> Option<Call> {
        let status = match end.status {
            TextStatus::Delivered => "Delivered",
            TextStatus::Undelivered => "Undelivered",
            _ => "Failed",
        };
        let code = end.error_code.map(|code| code.to_string());
        let mut fields = Fields::new()
            .word(&self.vocabulary, Picklist::TextStatus, status)
            .text_if("Error_Code__c", code.as_deref());
        if end.status == TextStatus::Delivered {
            fields = fields.moment("Delivered_Date__c", end.at);
        }
        let fields = self.access.writable("SMS_Notification__c", fields);
        let path = format!(
            "{}/Twilio_Message_SID__c/{}?updateOnly=true",
            self.object("SMS_Notification__c"),
            percent(sid)
        );
        (!fields.is_empty()).then(|| json_call("upsert", "PATCH", path, fields.json()))
    }
}
