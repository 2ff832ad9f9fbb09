//! Receipts by email: one per completed check-out, whatever happens to the mail server, to Salesforce,
//! and to the workers.

use std::collections::BTreeSet;

use dewy_domain::ports::{Email, EmailStatus, ExecutionFeed};
use dewy_orchestrators::{KeyValueStore, SEND_EMAIL, guest_language_key};

use super::{
    checkout_pause::{check_out_of, in_house},
    simulated_hotel::MailFault,
};
use crate::prelude::*;

fn with(setup: Setup) -> SimulatedHotel {
    SimulatedHotel::new(Setup {
        mail: true,
        ..setup
    })
}

/// Every email delivered so far; all copies must be the same message to Beth.
fn delivered(hotel: &SimulatedHotel) -> Vec<String> {
    let all = hotel.mail.as_ref().unwrap().delivered();
    assert!(all.iter().all(|(to, _)| to == BETH), "{all:?}");
    all.into_iter().map(|(_, message)| message).collect()
}

async fn shown(hotel: &SimulatedHotel) -> EmailStatus {
    let guest = Caller::guest(BETH, Interface::Form);
    let about = hotel.only().id.to_string();
    hotel.processes[0].email_status(&guest, &about).await
}

async fn press(hotel: &SimulatedHotel) -> String {
    let guest = Caller::guest(BETH, Interface::Form);
    let email = Email {
        to: BETH.to_owned(),
        subject: "from the page".to_owned(),
        text: String::new(),
        html: String::new(),
        calendar: None,
    };
    let about = hotel.only().id.to_string();
    let pressed = hotel.processes[0]
        .email_receipt(&guest, &about, email)
        .await;
    pressed.unwrap()
}

/// Faults of the link, alone and one after the other.
fn faults() -> Vec<Vec<MailFault>> {
    use MailFault::{AnswerLost, Lost, Unreachable};
    vec![
        vec![],
        vec![Unreachable],
        vec![Lost],
        vec![AnswerLost],
        vec![Unreachable, Lost, AnswerLost, Unreachable],
        vec![AnswerLost, AnswerLost, Lost],
    ]
}

#[tokio::test(start_paused = true)]
async fn a_receipt_is_one_message_under_every_fault_of_the_link_and_every_crash() {
    for point in CrashPoint::ALL.map(Some).into_iter().chain([None]) {
        for faults in faults() {
            let crashes = point
                .into_iter()
                .map(|point| Crash::once(point, "send", Direction::Forward));
            let hotel = with(Setup {
                crashes: crashes.collect(),
                texts: false,
                workers: 2,
                ..Setup::default()
            });
            hotel.mail.as_ref().unwrap().break_next(faults.clone());
            assert_eq!(hotel.check_out("t1").await.status(), 200);
            let pressed = press(&hotel).await;
            assert!(hotel.run_until_idle(DAY).await, "{point:?} {faults:?}");
            assert_eq!(press(&hotel).await, pressed, "it was sent");
            assert!(hotel.run_until_idle(DAY).await, "{point:?} {faults:?}");
            let messages = delivered(&hotel);
            let different: BTreeSet<_> = messages.iter().collect();
            assert_eq!(different.len(), 1, "{point:?} {faults:?}: {messages:?}");
            assert!(
                messages[0].contains(&pressed),
                "the button's is the same email"
            );
            assert_eq!(shown(&hotel).await, EmailStatus::Sent);
            assert_sound(&hotel);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_receipt_is_in_the_language_of_the_guest_and_names_them() {
    let hotel = with(Setup::default());
    let store = &hotel.key_value_store;
    store
        .write(&guest_language_key(BETH), json!("es"))
        .await
        .unwrap();
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    let messages = delivered(&hotel);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("es Gibbs"), "{messages:?}");
    assert!(messages[0].contains("Checked out. $250.00 was paid."));
}

/// Salesforce does not answer for one guest: only their receipt waits.
#[tokio::test(start_paused = true)]
async fn an_unsendable_receipt_delays_no_other() {
    let hotel = with(Setup::default());
    let mail = hotel.mail.as_ref().unwrap();
    mail.unwritable().lock().unwrap().push(BETH.to_owned());
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (email, room, owed) = in_house(&hotel).remove(0);
    let answer = check_out_of(&hotel, &email, &room, owed).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    tokio::time::sleep(Duration::from_secs(5)).await;
    let to = || {
        let all = mail.delivered().into_iter();
        all.map(|(to, _)| to).collect::<Vec<_>>()
    };
    assert_eq!(to(), std::slice::from_ref(&email));
    mail.unwritable().lock().unwrap().clear();
    tokio::time::sleep(Duration::from_secs(40)).await;
    assert_eq!(to(), [email, BETH.to_owned()]);
}

#[tokio::test(start_paused = true)]
async fn a_check_out_that_was_compensated_or_refused_owes_no_receipt() {
    let broken = composite(FaultKind::TimeoutBeforeEffect).count(0);
    let hotel = with(Setup {
        faults: vec![broken],
        ..Setup::default()
    });
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::Compensated);
    assert_eq!(delivered(&hotel), Vec::<String>::new());
    assert_eq!(shown(&hotel).await, EmailStatus::Unsent);
    let input = json!({ "amount": 1 });
    hotel.check_out_with("t2", input).await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(delivered(&hotel), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_check_out_does_not_wait_for_its_receipt() {
    let hotel = with(Setup::default());
    let mail = hotel.mail.clone().unwrap();
    mail.break_next([MailFault::Unreachable; 200]);
    let started = tokio::time::Instant::now();
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(shown(&hotel).await, EmailStatus::OnItsWay);
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(hotel.only().state, State::Completed);
    assert_eq!(shown(&hotel).await, EmailStatus::OnItsWay);
}

#[tokio::test(start_paused = true)]
async fn receipts_wait_for_salesforce_and_refused_addresses_are_final() {
    let hotel = with(Setup::default());
    let mail = hotel.mail.clone().unwrap();
    mail.break_next([MailFault::Refused]);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    let down = salesforce("query", FaultKind::TimeoutBeforeEffect);
    hotel.fault(down.count(20));
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(shown(&hotel).await, EmailStatus::Refused);
    assert_eq!(delivered(&hotel), Vec::<String>::new());
    let emails = hotel.journal.snapshot();
    let emails = emails.iter().filter(|record| record.saga == SEND_EMAIL);
    assert_eq!(emails.count(), 1);
    // Only the guest asks for another attempt, and gets it once
    let (one, other) = tokio::join!(press(&hotel), press(&hotel));
    assert_eq!(one, other);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(delivered(&hotel).len(), 1);
    assert_eq!(shown(&hotel).await, EmailStatus::Sent);
}
