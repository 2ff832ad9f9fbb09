//! `Payment_Transaction__c`: a line of the folio.

use super::{
    CURRENCY_FIELD,
    field_constructors::{external, f, only, required, to},
};
use crate::salesforce::schema::{
    Field,
    Kind::{AutoNumber, Currency, DateTime, LongText, Text, Url},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    f("Name", AutoNumber("PT-", 5)),
    f("Amount__c", Currency(8, 2)),
    f(CURRENCY_FIELD, Text(3)),
    f("Error_Message__c", LongText(32768)),
    external(f("External_ID__c", Text(50))),
    f("Last_4_Digits__c", Text(4)),
    required(f(
        "Opportunity__c",
        to(
            "Opportunity",
            "Opportunity__r",
            "Payment_Transactions__r",
            OnDelete::Cascade,
        ),
    )),
    f(
        "Payment_Method__c",
        only(&["Credit Card", "Debit Card", "Cash", "Check", "Other"]),
    ),
    f("Receipt_URL__c", Url),
    f(
        "Status__c",
        only(&["Pending", "Completed", "Failed", "Cancelled", "Refunded"]),
    ),
    external(f("Stripe_Transaction_ID__c", Text(100))),
    f("Transaction_Date__c", DateTime),
    f(
        "Transaction_Type__c",
        only(&["Charge", "Payment", "Refund"]),
    ),
];
