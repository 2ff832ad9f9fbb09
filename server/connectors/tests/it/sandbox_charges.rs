//! Charges, rooms by number and messages against the sandbox.

use dewy_domain::{
    booking_number::BookingNumber,
    ports::{
        ChargeOrder, CheckOutRecords, RecordedPayment, SentTextRecord, SettleOrder, TextEnd,
        VoidOrder,
    },
    text_status::TextStatus,
    vocabulary::LineStatus,
};

use crate::prelude::*;

impl Hotel {
    fn minibar(&self, stay: &Stay) -> ChargeOrder {
        ChargeOrder {
            execution_id: "exe_1".to_owned(),
            stay: stay.clone(),
            amount: Cents(5_000),
            at: self.clock.now(),
        }
    }

    async fn charge(&self, stay: &Stay) -> Outcome<CheckOutRecords> {
        self.crm
            .send_charge(&self.crm.charge(&self.minibar(stay)))
            .await
    }

    async fn void(&self, stay: &Stay, line: &str) -> Outcome<CheckOutRecords> {
        let order = VoidOrder {
            stay: stay.clone(),
            line_id: line.to_owned(),
        };
        self.crm.send_charge(&self.crm.void_charge(&order)).await
    }
}

#[tokio::test(start_paused = true)]
async fn late_charges_and_stale_check_outs_both_fail() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    let call = hotel.crm.charge(&hotel.minibar(&stay));
    assert_eq!(arm(&hotel.crm.send_charge(&call).await), "done");
    assert_eq!(
        arm(&hotel.crm.send_charge(&call).await),
        "refused guard_failed"
    );
    assert_eq!(hotel.beth().await.lines.len(), 1, "once");
    assert_eq!(
        arm(&hotel.check_out(&hotel.order(stay)).await),
        "refused guard_failed"
    );
}

#[tokio::test(start_paused = true)]
async fn charges_stop_at_check_out_and_voids_stay_in_the_folio() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    assert_eq!(
        arm(&hotel.check_out(&hotel.order(stay.clone())).await),
        "done"
    );
    assert_eq!(arm(&hotel.charge(&stay).await), "refused guard_failed");
    let paid = hotel.trace(&stay).await;
    let payment = paid.marker.clone().unwrap().id;
    let gone = Stay {
        booking: paid.booking,
        room: paid.room,
        opportunity: paid.opportunity,
        lines: paid.lines,
        ..stay
    };
    assert_eq!(
        arm(&hotel.void(&gone, &payment).await),
        "refused guard_failed",
        "a payment is not a charge"
    );

    let wei = hotel.stays("wei.chen@example.com").await;
    let charged = done(hotel.charge(&wei[0]).await);
    let line = charged.marker.unwrap().id;
    let nora = hotel.stays("nora.o'brien@example.com").await.pop().unwrap();
    assert_eq!(
        arm(&hotel.void(&nora, &line).await),
        "refused guard_failed",
        "another guest's charge"
    );
}

#[tokio::test(start_paused = true)]
async fn guests_are_found_by_room_number() {
    let hotel = hotel();
    let found = |room: &str| {
        let room = room.into();
        let crm = &hotel.crm;
        async move { done(crm.in_house(&room).await) }
    };
    let beth = hotel.beth().await;
    assert_eq!(found("302").await, std::slice::from_ref(&beth));
    assert_eq!(found("205").await, [], "reserved is not in house");
    for none in ["999", "", "302' OR Name != '"] {
        assert_eq!(found(none).await, [], "{none}");
    }
    // A second booking that claims the room: both are found, whoever is the room's guest
    let wei = hotel.stays("wei.chen@example.com").await.pop().unwrap();
    hotel.edit("Booking__c", &wei.booking.id, "Room__c", &beth.room.id);
    let both = found("302").await.into_iter().map(|stay| stay.booking.id);
    let both: std::collections::BTreeSet<_> = both.collect();
    assert_eq!(both, [beth.booking.id, wei.booking.id].into());
}

#[tokio::test(start_paused = true)]
async fn many_numbers_are_one_query() {
    let hotel = hotel();
    let state = hotel.sandbox.state();
    let bookings = state["salesforce"]["Booking__c"].as_array().unwrap();
    let whole =
        |booking: &&Value| !booking["Room__c"].is_null() && !booking["Primary_Guest__c"].is_null();
    let mut numbers: Vec<String> = bookings
        .iter()
        .filter(whole)
        .map(|booking| booking["Name"].as_str().unwrap().to_owned())
        .collect();
    numbers.sort();
    let asked: Vec<BookingNumber> = numbers
        .iter()
        .map(String::as_str)
        .chain(["BK-9999", "it's none"])
        .map(Into::into)
        .collect();
    assert!(numbers.len() > 20 && asked.len() <= 100);
    let stays = done(hotel.crm.stays_by_number(&asked).await);
    let mut found: Vec<_> = stays
        .iter()
        .map(|stay| stay.booking.number.as_str())
        .collect();
    found.sort();
    assert_eq!(found, numbers, "whatever their status, and each once");
    assert_eq!(hotel.operations(), ["token", "query"]);
    assert_eq!(hotel.crm.stays_by_number(&[]).await, Outcome::Done(vec![]));
    assert_eq!(hotel.operations().len(), 2, "nothing asked, nobody called");

    assert_eq!(
        arm(&hotel.check_out(&hotel.order(hotel.beth().await)).await),
        "done"
    );
    let stays = done(hotel.crm.stays_by_number(&["BK-0042".into()]).await);
    assert_eq!(
        stays[0].lines[0].external_id.as_deref(),
        Some("exe_1"),
        "the marker is among the lines"
    );

    let hundreds: Vec<BookingNumber> = (0..250)
        .map(|n| format!("BK-{:04}", 5_000 + n).into())
        .collect();
    assert_eq!(
        hotel.crm.stays_by_number(&hundreds).await,
        Outcome::Done(vec![])
    );
    assert_eq!(
        hotel.operations().iter().filter(|o| *o == "query").count(),
        6,
        "a URL holds only so many"
    );
}

#[tokio::test(start_paused = true)]
async fn a_message_is_logged_once() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    let note = SentTextRecord {
        sid: "SM0123456789abcdef0123456789abcdef".to_owned(),
        to: "+15550100".to_owned(),
        body: "Welcome, Beth \u{1f6ce}".to_owned(),
        status: "Queued".to_owned(),
        at: hotel.clock.now(),
        opportunity_id: Some(stay.opportunity.id.clone()),
    };
    assert_eq!(
        hotel
            .crm
            .send_record_text(&hotel.crm.record_text(&note))
            .await,
        Outcome::Done(())
    );
    let again = hotel.crm.record_text(&SentTextRecord {
        status: "Delivered".to_owned(),
        ..note.clone()
    });
    assert_eq!(
        arm(&hotel.crm.send_record_text(&again).await),
        "refused duplicate"
    );
    let state = hotel.sandbox.state();
    let rows = state["salesforce"]["SMS_Notification__c"]
        .as_array()
        .unwrap();
    let [row] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(
        (
            row["Twilio_Message_SID__c"].as_str(),
            row["Status__c"].as_str()
        ),
        (Some(note.sid.as_str()), Some("Queued"))
    );
    assert_eq!(row["Message_Body__c"].as_str(), Some(note.body.as_str()));
    assert_eq!(
        row["Opportunity__c"].as_str(),
        Some(stay.opportunity.id.as_str())
    );
    let end = |status, error_code| TextEnd {
        status,
        error_code,
        at: hotel.clock.now(),
    };
    let failed = end(TextStatus::Canceled, Some(30036));
    for _ in 0..2 {
        assert_eq!(
            hotel.crm.record_text_end(&note.sid, &failed).await,
            Outcome::Done(())
        );
    }
    let delivered = end(TextStatus::Delivered, None);
    assert_eq!(
        arm(&hotel.crm.record_text_end("SM1", &delivered).await),
        "refused NOT_FOUND",
        "no row is made"
    );
    let state = hotel.sandbox.state();
    let rows = state["salesforce"]["SMS_Notification__c"]
        .as_array()
        .unwrap();
    assert_eq!(
        (rows.len(), &rows[0]["Status__c"], &rows[0]["Error_Code__c"]),
        (1, &json!("Failed"), &json!("30036"))
    );
    assert_eq!(rows[0]["Delivered_Date__c"], json!(null));
    let wrong = SentTextRecord {
        status: "Sung".to_owned(),
        ..note
    };
    let call = hotel.crm.record_text(&wrong);
    refused(hotel.crm.send_record_text(&call).await);
}

/// Holds pay after the guest has left: until then their lines count for nothing.
#[tokio::test(start_paused = true)]
async fn pending_lines_are_completed_or_failed_and_repeating_it_changes_nothing() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    let held = |intent: &str, cents| RecordedPayment {
        payment_intent: intent.parse().unwrap(),
        amount: Cents(cents),
        last4: Some("4242".to_owned()),
        receipt_url: None,
    };
    let order = CheckOutOrder {
        payment: None,
        held: vec![held("pi_1", 20_000), held("pi_2", 5_000)],
        ..hotel.order(stay.clone())
    };
    let moved = done(hotel.check_out(&order).await);
    let owed =
        |now: &CheckOutRecords| dewy_domain::stay::balance(now.opportunity.amount, &now.lines);
    assert_eq!(owed(&moved), Some(Cents(25_000)));
    assert_eq!(moved.opportunity.payment_id.as_deref(), Some("pi_1"));
    let lines: Vec<_> = ["exe_1", "exe_1#2"]
        .map(|reference| {
            let mut lines = moved.lines.iter();
            let line = lines.find(|line| line.external_id.as_deref() == Some(reference));
            line.unwrap().clone()
        })
        .into();
    assert!(lines.iter().all(|line| line.status == LineStatus::Pending));
    let settle = SettleOrder {
        booking_id: stay.booking.id.clone(),
        opportunity_id: stay.opportunity.id.clone(),
        lines: vec![
            (lines[0].id.clone(), Some(held("pi_other", 20_000))),
            (lines[1].id.clone(), None),
        ],
        renamed: None,
    };
    for _ in 0..2 {
        let call = hotel.crm.settle_check_out(&settle);
        let now = done(hotel.crm.send_charge(&call).await);
        assert_eq!(owed(&now), Some(Cents(5_000)));
        let written = |n: usize| {
            now.lines
                .iter()
                .find(|line| line.id == lines[n].id)
                .unwrap()
        };
        let (first, second) = (written(0), written(1));
        assert_eq!(first.stripe_id.as_deref(), Some("pi_other"));
        assert_eq!(
            (&first.status, &second.status),
            (&LineStatus::Completed, &LineStatus::Failed)
        );
    }
}
