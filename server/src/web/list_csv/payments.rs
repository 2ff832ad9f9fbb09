//! Payment reconciliation, compared as on its page.

use dewy_app::payment_days;
use dewy_domain::{
    money::{Cents, Currency},
    ports::{ReconciliationRow, SignedIn},
};
use serde_json::{Value, json};

use super::{Files, ListQuery, Refused};

/// Payments of the days in the query; `only=different` selects those that differ.
pub async fn read(files: &Files, user: &SignedIn, asked: &ListQuery) -> Result<Value, Refused> {
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
    let rows = reconciliation
        .rows
        .iter()
        .filter(|row| !only || row.discrepancy.differs());
    let rows: Vec<Value> = rows.map(|row| one(row, reconciliation.currency)).collect();
    Ok(json!({ "payments": rows, "cut": reconciliation.cut }))
}

fn one(row: &ReconciliationRow, currency: Currency) -> Value {
    let (taken, written, known) = (
        row.processor.as_ref(),
        row.crm.as_ref(),
        row.journal.as_ref(),
    );
    let cents = |amount: Option<Cents>| amount.map(|cents| cents.0);
    json!({
        "payment_intent_id": row.payment_intent_id, "at": row.at, "guest_email": row.guest_email,
        "booking_number": row.booking_number,
        "stripe_status": taken.map(|t| &t.status),
        "stripe_captured": cents(taken.map(|t| t.captured)),
        "stripe_refunded": cents(taken.map(|t| t.refunded)),
        "salesforce_paid": cents(written.map(|w| w.paid)),
        "salesforce_refunded": cents(written.map(|w| w.refunded)),
        "salesforce_numbers": written.map(|w| &w.numbers),
        "journal_execution_id": known.map(|k| &k.execution_id),
        "journal_state": known.map(|k| &k.state),
        "journal_captured": cents(known.map(|k| k.captured)),
        "journal_refunded": cents(known.map(|k| k.refunded)),
        "currency": currency.code(), "together": row.discrepancy.name(),
    })
}

#[cfg(test)]
mod tests {
    use dewy_domain::ports::{CrmRecord, Discrepancy, ProcessorRecord};

    use super::{
        super::{lists::PAYMENTS, table::table},
        *,
    };

    #[test]
    fn missing_amounts_are_empty_and_not_zero() {
        let row = ReconciliationRow {
            payment_intent_id: "pi_1".into(),
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
        let lone = one(&row, usd);
        let written = CrmRecord {
            paid: Cents(100),
            refunded: Cents(0),
            numbers: vec!["PT-1".into(), "PT-2".into()],
        };
        let both = one(
            &ReconciliationRow {
                crm: Some(written),
                ..row
            },
            usd,
        );
        let text = table(PAYMENTS, &json!({ "payments": [lone, both], "cut": false }));
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
