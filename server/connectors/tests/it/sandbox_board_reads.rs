//! Reads of boards and payment reconciliation, against the sandbox.

use crate::prelude::*;
use dewy_domain::paid_folio::{PaidFolio, PaidFolioQuery};

#[tokio::test(start_paused = true)]
async fn a_change_probe_is_one_call_and_detects_writes() {
    let hotel = hotel();
    let before = done(hotel.crm.change_probe().await);
    assert_eq!(
        hotel.operations(),
        ["token", "query"],
        "whoever orders a failing composite means a write"
    );
    for beats in [
        &before.rooms,
        &before.bookings,
        &before.opportunities,
        &before.cases,
    ] {
        assert_eq!(beats.len(), 5);
        assert!(beats.windows(2).all(|w| w[0].at >= w[1].at), "newest first");
    }
    hotel.pass(60).await;
    assert_eq!(
        hotel.crm.change_probe().await,
        Outcome::Done(before.clone())
    );
    let stay = hotel.beth().await;
    hotel.edit("Hotel_Room__c", &stay.room.id, "Status__c", "Maintenance");
    let after = done(hotel.crm.change_probe().await);
    assert_eq!(after.rooms[0].id, stay.room.id);
    assert_eq!(
        (&after.bookings, &after.cases),
        (&before.bookings, &before.cases)
    );
}

#[tokio::test(start_paused = true)]
async fn in_house_guests_with_balances() {
    let hotel = hotel();
    let stays = done(hotel.crm.stays_in_house(400).await);
    assert!(
        stays
            .iter()
            .all(|stay| stay.booking.status.as_str() == "Checked In")
    );
    assert!(
        stays.contains(&hotel.beth().await),
        "as when she is asked for alone"
    );
    let state = hotel.sandbox.state();
    let in_house = state["salesforce"]["Booking__c"].as_array().unwrap();
    assert_eq!(
        stays.len(),
        in_house
            .iter()
            .filter(|b| b["Status__c"] == "Checked In")
            .count()
    );
    let some = done(hotel.crm.stays_in_house(3).await);
    assert!(some.len() < stays.len(), "folios are counted");
}

#[tokio::test(start_paused = true)]
async fn payments_of_some_days_up_to_a_bound() {
    let hotel = hotel();
    let mut config = StripeConfig::new("sk_test_sandbox".to_owned().into());
    config.api_base = "http://sandbox".to_owned();
    let stripe = Stripe::new(config, Arc::new(hotel.sandbox.clone()), hotel.clock.clone());
    let customer = done(stripe.customers(&"beth.gibbs@email.com".into()).await).remove(0);
    for n in 0..3 {
        let order = PaymentOrder {
            amount: Cents(1_000 + n),
            customer: Some(customer.id.clone()),
            payment_method: "pm_card_visa".parse().unwrap(),
            save_card: false,
            key: format!("k{n}"),
            ..example_check_out::pay()
        };
        assert!(matches!(
            stripe.send_pay(&stripe.pay(&order)).await,
            Outcome::Done(_)
        ));
        hotel.pass(3600).await;
    }
    let now = hotel.clock.now();
    let hours = |n: i64| now - jiff::SignedDuration::from_mins(60 * n + 30);
    let amounts = async |from, to, most| match stripe.payments_between(from, to, most).await {
        Outcome::Done(payments) => payments
            .items
            .into_iter()
            .map(|payment| payment.amount.0)
            .collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(amounts(hours(9), now, 99).await, [1_002, 1_001, 1_000]);
    assert_eq!(
        amounts(hours(9), now, 2).await,
        [1_002, 1_001],
        "newest first"
    );
    assert_eq!(amounts(hours(2), hours(1), 99).await, [1_001]);
    assert_eq!(amounts(hours(9), hours(8), 99).await, [0_i64; 0]);
}

#[tokio::test(start_paused = true)]
async fn folios_with_money_by_day_and_by_payment() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    let now = hotel.clock.now();
    let day = jiff::SignedDuration::from_hours(24);
    let query = |from, payments: &[&str]| PaidFolioQuery {
        from,
        to: from + day,
        payment_intents: payments.iter().map(|id| id.parse().unwrap()).collect(),
        limit: 100,
    };
    let before = hotel.crm.paid_folios(&query(now - day, &[])).await;
    let folio_of = |reply: Outcome<Vec<PaidFolio>>| match reply {
        Outcome::Done(folios) => folios
            .into_iter()
            .find(|folio| folio.id == stay.opportunity.id),
        other => panic!("{other:?}"),
    };
    assert_eq!(folio_of(before), None);
    let order = hotel.order(stay.clone());
    assert!(matches!(hotel.check_out(&order).await, Outcome::Done(_)));
    let paid = order.payment.unwrap();
    for query in [
        query(order.at - day / 2, &[]),
        query(now - day * 40, &["pi_none", paid.payment_intent.as_str()]),
    ] {
        let folio = folio_of(hotel.crm.paid_folios(&query).await).unwrap();
        assert_eq!(folio.booking_numbers, ["BK-0042"]);
        assert_eq!(folio.guest_email.as_deref(), Some("beth.gibbs@email.com"));
        let line = folio
            .lines
            .iter()
            .find(|line| line.stripe_id.as_deref() == Some(paid.payment_intent.as_str()))
            .unwrap();
        assert_eq!(
            (line.amount, line.status.as_str()),
            (Some(paid.amount), "Completed")
        );
    }
    assert_eq!(
        folio_of(
            hotel
                .crm
                .paid_folios(&query(now - day * 40, &["pi_other"]))
                .await
        ),
        None
    );
}
