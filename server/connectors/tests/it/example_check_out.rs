//! Example check-out of room 302.

use dewy_domain::{
    money::{Cents, Currency},
    payment::{PaymentOrder, PaymentTexts, RefundOrder},
    ports::{CheckOutOrder, RecordedPayment, RefundLine, RevertOrder},
    saved_card_order::SavedCardOrder,
    stay::{Booking, Opportunity, Room, Stamp, Stay},
};
use jiff::{Timestamp, civil::date};

pub const BOOKING: &str = "a01000000000042AAA";
pub const ROOM: &str = "a02000000000302AAA";
pub const OPPORTUNITY: &str = "006000000000042AAA";
pub const GUEST: &str = "003000000000007AAA";
pub const US: &str = "005000000000001AAA";
pub const SETUP: &str = "005000000000003AAA";
pub const EXECUTION: &str = "exe_0195aaaa-bbbb-7ccc-8ddd-eeeeffff0000";

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn stamp(by: &str, when: &str) -> Stamp {
    Stamp {
        at: at(when),
        by: by.to_owned(),
    }
}

pub fn booking() -> Booking {
    Booking {
        id: BOOKING.to_owned(),
        number: "BK-0042".into(),
        status: "Checked In".into(),
        check_in: date(2026, 3, 8),
        check_out: date(2026, 3, 10),
        guest_id: GUEST.to_owned(),
        external_id: Some(String::new()),
        stamp: stamp(SETUP, "2026-03-09T09:00:00.123Z"),
    }
}

pub fn room() -> Room {
    Room {
        id: ROOM.to_owned(),
        number: "302".into(),
        status: "Occupied".into(),
        current_guest: Some(GUEST.to_owned()),
        stamp: stamp(SETUP, "2026-03-09T09:00:01Z"),
    }
}

pub fn opportunity() -> Opportunity {
    Opportunity {
        id: OPPORTUNITY.to_owned(),
        stage: "Checked In".into(),
        amount: Some(Cents(25_010)),
        close_date: date(2026, 3, 10),
        payment_id: None,
        stamp: stamp(SETUP, "2026-03-09T09:00:02Z"),
    }
}

pub fn stay() -> Stay {
    Stay {
        booking: booking(),
        room: room(),
        opportunity: opportunity(),
        lines: Vec::new(),
        guest_email: None,
        shares_folio_with: Vec::new(),
    }
}

pub fn paid() -> RecordedPayment {
    RecordedPayment {
        payment_intent: "pi_1".parse().unwrap(),
        amount: Cents(25_010),
        last4: Some("4242".to_owned()),
        receipt_url: Some("https://pay.stripe.com/receipts/1".to_owned()),
    }
}

pub fn check_out() -> CheckOutOrder {
    CheckOutOrder {
        execution_id: EXECUTION.to_owned(),
        stay: stay(),
        held: vec![],
        payment: Some(paid()),
        at: at("2026-03-11T00:30:00.5Z"),
    }
}

/// Everything was applied, and all of it is reverted.
pub fn revert() -> RevertOrder {
    let ours = stamp(US, "2026-03-11T00:30:02.900Z");
    RevertOrder {
        execution_id: EXECUTION.to_owned(),
        booking: Some((
            Booking {
                status: "Checked Out".into(),
                stamp: ours.clone(),
                ..booking()
            },
            booking(),
        )),
        room: Some((
            Room {
                status: "Cleaning".into(),
                current_guest: None,
                stamp: ours.clone(),
                ..room()
            },
            room(),
        )),
        opportunity: Some((
            Opportunity {
                stage: "Closed Won".into(),
                close_date: date(2026, 3, 11),
                payment_id: Some("pi_1".to_owned()),
                stamp: ours,
                ..opportunity()
            },
            opportunity(),
        )),
        opportunity_id: OPPORTUNITY.to_owned(),
        missing_payment: None,
        refund: Some(refund_line()),
        unpaid: vec![],
        at: at("2026-03-11T00:31:00Z"),
    }
}

/// Nothing was applied: only the pair of lines is missing.
pub fn lines_only() -> RevertOrder {
    RevertOrder {
        booking: None,
        room: None,
        opportunity: None,
        missing_payment: Some(paid()),
        ..revert()
    }
}

pub fn refund_line() -> RefundLine {
    RefundLine {
        refund_id: "re_1".to_owned(),
        amount: Cents(25_010),
        status: "Completed".into(),
    }
}

pub fn pay() -> PaymentOrder {
    let metadata = [
        ("execution_id", EXECUTION),
        ("booking_number", "BK-0042"),
        ("room_number", "302"),
    ];
    PaymentOrder {
        amount: Cents(25_010),
        currency: Currency::USD,
        customer: Some("cus_1".to_owned()),
        payment_method: "pm_card_visa".parse().unwrap(),
        save_card: false,
        return_url: "https://hotel.example/guest/execution?x=1&y=2".to_owned(),
        texts: PaymentTexts::default(),
        metadata: metadata.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
        key: "exe_1:pay".to_owned(),
    }
}

pub fn hold() -> SavedCardOrder {
    let pay = pay();
    SavedCardOrder {
        amount: Cents(45_010),
        currency: pay.currency,
        customer: "cus_1".to_owned(),
        payment_method: pay.payment_method,
        texts: pay.texts,
        metadata: pay.metadata,
        key: "exe_1:hold".to_owned(),
    }
}

pub fn refund() -> RefundOrder {
    let metadata = [("execution_id".to_owned(), EXECUTION.to_owned())].into();
    RefundOrder {
        payment_intent: "pi_1".parse().unwrap(),
        metadata,
        key: "refund:pi_1:1".to_owned(),
    }
}
