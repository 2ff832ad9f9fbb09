//! Payment reconciliation, compared as on its page.

use dewy_app::payment_days;
use dewy_domain::{
    money::Currency,
    ports::{ReconciliationRow, SignedIn},
};

use super::{
    Files, ListQuery, Refused,
    table::{
        Column::{self, Money, Text},
        table,
    },
};

/// Payments of the days in the query; `only=different` selects those that differ.
pub async fn read(files: &Files, user: &SignedIn, asked: &ListQuery) -> Result<String, Refused> {
    let day = |name: &str| asked.get(name).map(String::as_str);
    let today = files.clock.now().to_zoned(files.time_zone.clone()).date();
    let (from, to) =
        payment_days(day("from"), day("to"), today).map_err(|(field, words)| Refused {
            status: 400,
            message: format!("{field}: {words}"),
        })?;
    let reconciliation = files
        .reconciliation
        .payments(&user.caller, from, to)
        .await?;
    let only = day("only") == Some("different");
    let rows = reconciliation.rows.into_iter();
    let rows = rows.filter(|row| !only || row.discrepancy.differs());
    let rows: Vec<Payment> = rows.map(|row| (row, reconciliation.currency)).collect();
    Ok(table(PAYMENTS, &rows, reconciliation.cut))
}

/// A payment, and the currency of its amounts.
type Payment = (ReconciliationRow, Currency);

const PAYMENTS: &[Column<Payment>] = &[
    Text("payment_intent_id", |(it, _)| {
        Some(it.payment_intent_id.to_string())
    }),
    Text("at", |(it, _)| it.at.map(|at| at.to_string())),
    Text("guest_email", |(it, _)| {
        it.guest_email.clone().map(Into::into)
    }),
    Text("booking_number", |(it, _)| {
        it.booking_number.clone().map(Into::into)
    }),
    Text("stripe_status", |(it, _)| {
        it.processor.as_ref().map(|its| its.status.clone())
    }),
    Money("stripe_captured", |(it, currency)| {
        it.processor.as_ref().map(|its| (its.captured, *currency))
    }),
    Money("stripe_refunded", |(it, currency)| {
        it.processor.as_ref().map(|its| (its.refunded, *currency))
    }),
    Money("salesforce_paid", |(it, currency)| {
        it.crm.as_ref().map(|its| (its.paid, *currency))
    }),
    Money("salesforce_refunded", |(it, currency)| {
        it.crm.as_ref().map(|its| (its.refunded, *currency))
    }),
    Text("salesforce_numbers", |(it, _)| {
        it.crm.as_ref().map(|its| its.numbers.join("; "))
    }),
    Text("journal_execution_id", |(it, _)| {
        it.journal.as_ref().map(|its| its.execution_id.clone())
    }),
    Text("journal_state", |(it, _)| {
        it.journal.as_ref().map(|its| its.state.to_string())
    }),
    Money("journal_captured", |(it, currency)| {
        it.journal.as_ref().map(|its| (its.captured, *currency))
    }),
    Money("journal_refunded", |(it, currency)| {
        it.journal.as_ref().map(|its| (its.refunded, *currency))
    }),
    Text("currency", |(_, currency)| Some(currency.code().to_owned())),
    Text("together", |(it, _)| Some(it.discrepancy.name().to_owned())),
];

#[cfg(test)]
mod tests {
    use dewy_domain::{
        money::Cents,
        ports::{CrmRecord, Discrepancy, ProcessorRecord},
    };

    use super::*;

    #[test]
    fn missing_amounts_are_empty_and_not_zero() {
        let row = ReconciliationRow {
            payment_intent_id: "pi_1".parse().unwrap(),
            at: None,
            processor: Some(ProcessorRecord {
                status: "succeeded".into(),
                captured: Cents(25000),
                refunded: Cents(0),
            }),
            crm: None,
            journal: None,
            booking_number: None,
            guest_email: Some("=beth@example.com".into()),
            discrepancy: Discrepancy::MoneyWithoutBooking,
            waiting: None,
        };
        let usd = "usd".parse().unwrap();
        let written = CrmRecord {
            paid: Cents(100),
            refunded: Cents(0),
            numbers: vec!["PT-1".into(), "PT-2".into()],
        };
        let both = ReconciliationRow {
            crm: Some(written),
            ..row.clone()
        };
        let text = table(PAYMENTS, &[(row, usd), (both, usd)], false);
        let lines: Vec<&str> = text.lines().collect();
        let known = "pi_1,,\"'=beth@example.com\",,succeeded,25000,$250.00,0,$0.00,";
        assert_eq!(
            lines[1],
            format!("{known}{}usd,money_without_booking,", ",".repeat(11)),
            "{text}"
        );
        assert!(
            lines[2].contains(",100,$1.00,0,$0.00,\"PT-1; PT-2\","),
            "{text}"
        );
        let columns = |line: &str| line.matches(',').count();
        assert_eq!(columns(lines[0]), columns(lines[2]), "{text}");
    }
}
