//! `SMS_Notification__c`: a text message.

use super::field_constructors::{external, f, only, to, unique};
use crate::salesforce::schema::{
    Field,
    Kind::{AutoNumber, Currency, DateTime, LongText, Phone, Text},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    f("Name", AutoNumber("SMS-", 5)),
    f(
        "Case__c",
        to("Case", "Case__r", "SMS_Notifications__r", OnDelete::SetNull),
    ),
    f("Cost__c", Currency(6, 4)),
    f("Delivered_Date__c", DateTime),
    f("Direction__c", only(&["Outbound", "Inbound"])),
    f("Error_Code__c", Text(10)),
    f("Error_Message__c", LongText(32768)),
    f("Message_Body__c", LongText(32768)),
    f(
        "Opportunity__c",
        to(
            "Opportunity",
            "Opportunity__r",
            "SMS_Notifications__r",
            OnDelete::SetNull,
        ),
    ),
    f("Sent_Date__c", DateTime),
    f(
        "Status__c",
        only(&["Queued", "Sent", "Delivered", "Failed", "Undelivered"]),
    ),
    f("To_Phone_Number__c", Phone),
    unique(external(f("Twilio_Message_SID__c", Text(100)))),
];
