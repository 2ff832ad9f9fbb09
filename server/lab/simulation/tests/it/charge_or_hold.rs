//! The same check-out with and without a hold, side by side: what the guest's card sees and how long it
//! takes, when all goes well and when Salesforce does not take it. Latencies are those of the reference.

use dewy_saga::Outcome;
use dewy_test_kit::Payment;

use super::capture_last::{BALANCE, held};
use crate::prelude::*;

/// What came of a check-out.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// Amounts that left the guest's account, and came back.
    charged: i64,
    refunded: i64,
    /// What the card still reserves.
    reserved: i64,
    /// From the request until the guest is told the end.
    told: Duration,
    /// For how long the money was gone that came back.
    gone: Duration,
    state: State,
}

fn between(from: jiff::Timestamp, to: jiff::Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).unwrap()
}

async fn check_out(holds: bool, fails: bool) -> Seen {
    let hotel = SimulatedHotel::new(Setup {
        hold: holds.then_some(Cents(0)),
        ..Setup::default()
    });
    if holds {
        held(&hotel, 40_000).await;
    }
    hotel.sandbox.set_latency(Latency::reference());
    if fails {
        hotel.fault(salesforce("composite", FaultKind::TimeoutBeforeEffect).count(0));
    }
    let began = hotel.clock.now();
    hotel.check_out("t").await;
    let answered = hotel.clock.now();
    assert!(hotel.run_until_idle(DAY).await);
    let record = check_out_of(&hotel);
    let mut ended = record.rows.iter().rev();
    let ended = ended.find(|row| matches!(row.event, Event::Ended { .. }));
    let done = |step: &str, wanted: Direction| {
        let rows = record.rows.iter();
        rows.filter_map(|row| match &row.event {
            Event::Settled {
                step: of,
                direction,
                outcome: Outcome::Done(_),
                ..
            } if of == step && *direction == wanted => Some(row.at),
            _ => None,
        })
        .next_back()
    };
    let gone = done("pay", Direction::Forward).zip(done("pay", Direction::Back));
    let ledger = hotel.sandbox_ledger();
    let sum = |of: fn(&Payment) -> i64| -> i64 { ledger.payments.values().map(of).sum() };
    Seen {
        charged: sum(|one| one.taken),
        refunded: sum(|one| one.refunded),
        reserved: sum(|one| one.held),
        told: between(began, answered.max(ended.unwrap().at)),
        gone: gone.map_or(Duration::ZERO, |(paid, back)| between(paid, back)),
        state: record.state,
    }
}

#[tokio::test(start_paused = true)]
async fn with_a_hold_a_check_out_that_salesforce_does_not_take_moves_no_money() {
    let mut seen = Vec::new();
    for (name, fails) in [("all goes well", false), ("Salesforce is down", true)] {
        for (way, holds) in [("charge, then record", false), ("hold, capture last", true)] {
            let one = check_out(holds, fails).await;
            println!(
                "{name:<20}{way:<22}charged ${:>6.2}  refunded ${:>6.2}  reserved ${:>6.2}  told after {:>5.1} s  gone for {:>5.1} s",
                one.charged as f64 / 100.0,
                one.refunded as f64 / 100.0,
                one.reserved as f64 / 100.0,
                one.told.as_secs_f64(),
                one.gone.as_secs_f64(),
            );
            seen.push(one);
        }
    }
    let sums = |one: &Seen| (one.charged, one.refunded, one.reserved, one.state);
    assert_eq!(sums(&seen[0]), (BALANCE, 0, 0, State::Completed));
    assert_eq!(sums(&seen[1]), (BALANCE, 0, 0, State::Completed));
    assert_eq!(sums(&seen[2]), (BALANCE, BALANCE, 0, State::Compensated));
    assert_eq!(sums(&seen[3]), (0, 0, 40_000, State::Compensated));
    assert!(seen[2].gone > Duration::from_secs(1) && seen[3].gone == Duration::ZERO);
    assert!(
        seen[1].told <= seen[0].told + Duration::from_secs(4),
        "{seen:?}"
    );
}
