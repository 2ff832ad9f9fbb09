//! Proposals under abuse: one approval runs one action, and nothing runs without an approval,
//! whatever a person, a page or a crash does.

use std::time::Duration;

use dewy_concierge::Settings;
use dewy_domain::{
    concierge::ProposalState,
    error_code::ErrorCode,
    ports::{Concierge, Decision, Dispatcher},
    tool::ToolCall,
    vocabulary::ExecutionState,
};
use serde_json::json;

use super::scripted_hotel::{
    ScriptStep, ScriptedHotel, beth, front_desk, lines, manager, proposals, sarah, states,
};

const VISA: Option<&str> = Some("pm_card_visa");

fn check_out() -> ScriptStep {
    ScriptStep::Calls(vec![("process_guest_checkout", json!({}))])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_out_request_needs_only_the_session() {
    let scripted = ScriptedHotel::open(vec![
        check_out(),
        ScriptStep::Words("The card below waits for you."),
    ])
    .await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let proposal = proposals(&thread).remove(0);
    assert_eq!(
        (proposal.state, proposal.irreversible),
        (ProposalState::Proposed, true)
    );
    assert!(
        proposal.question.contains("room 302") && proposal.question.contains("$250.00"),
        "{}",
        proposal.question
    );
    assert_eq!(proposal.yes, "Pay $250.00");
    assert!(
        proposal
            .choices
            .iter()
            .any(|choice| choice.value == "pm_card_visa")
    );
    assert_eq!(scripted.charges(), 0, "nothing without a click");

    scripted.then(vec![ScriptStep::Words("You are checked out.")]);
    let thread = scripted
        .decide(&beth(), &proposal, true, VISA)
        .await
        .unwrap();
    assert_eq!(states(&thread), [ProposalState::Done]);
    assert_eq!(scripted.charges(), 1);
    assert_eq!(
        lines(&thread).last().unwrap(),
        "answered: You are checked out.",
        "the outcome is explained"
    );
    let expected = format!(
        "{:?}",
        scripted
            .script
            .asked
            .lock()
            .unwrap()
            .last()
            .unwrap()
            .messages
    );
    assert!(
        expected.contains("decided_by") && !expected.contains("pm_card_visa"),
        "the model is told how it ended, not with which card"
    );
    let view = proposals(&thread).remove(0).execution.unwrap();
    assert_eq!(view.state, ExecutionState::Completed);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_approvals_in_two_tabs_are_one_check_out() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let clicks = (0..20).map(|_| {
        let (concierge, proposal) = (scripted.concierge.clone(), card.clone());
        tokio::spawn(async move {
            let decision = Decision {
                proposal: proposal.id,
                nonce: proposal.nonce,
                yes: true,
                choice: Some("pm_card_visa".to_owned()),
            };
            concierge.decide(&beth(), &decision).await
        })
    });
    for click in clicks.collect::<Vec<_>>() {
        // Whoever was second is shown the same conversation, or that the card is over
        assert!(matches!(
            click.await.unwrap(),
            Ok(_) | Err(ErrorCode::ProposalNotOpen)
        ));
    }
    let thread = scripted.quiet(&beth(), &thread.id).await;
    assert_eq!(states(&thread), [ProposalState::Done]);
    assert_eq!(scripted.charges(), 1);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decline_is_final() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let thread = scripted.decide(&beth(), &card, false, None).await.unwrap();
    assert_eq!(states(&thread), [ProposalState::Declined]);
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Declined],
        "a yes from an old page changes nothing"
    );
    assert_eq!(scripted.charges(), 0);
    let thread = scripted.say(&beth(), "What now?").await;
    assert_eq!(
        lines(&thread).last().unwrap(),
        "answered: Fine.",
        "the next turn works"
    );
    let expected = format!(
        "{:?}",
        scripted
            .script
            .asked
            .lock()
            .unwrap()
            .last()
            .unwrap()
            .messages
    );
    assert!(expected.contains("the person said no"));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_proposal_is_no_approval() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let thread = scripted.say(&beth(), "Which card is that?").await;
    assert_eq!(
        states(&thread),
        [ProposalState::Proposed],
        "asked about, not answered"
    );
    let thread = scripted.say(&beth(), "yes").await;
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Proposed], 0),
        "typing is not clicking"
    );
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1),
        "and it can still be said yes to"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_expires() {
    let settings = Settings {
        proposal_ttl: Duration::from_millis(300),
        ..Settings::default()
    };
    let scripted = ScriptedHotel::with(vec![check_out()], settings).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Expired], 0)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_can_approve_with_the_shown_page() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let mut other = card.clone();
    other.nonce = "0".repeat(32);
    assert_eq!(
        scripted
            .decide(&beth(), &other, true, VISA)
            .await
            .unwrap_err(),
        ErrorCode::ProposalNotOpen
    );
    other.nonce = String::new();
    assert_eq!(
        scripted
            .decide(&beth(), &other, true, VISA)
            .await
            .unwrap_err(),
        ErrorCode::ProposalNotOpen
    );
    for stranger in [sarah(), front_desk(), manager()] {
        assert_eq!(
            scripted
                .decide(&stranger, &card, true, VISA)
                .await
                .unwrap_err(),
            ErrorCode::ProposalNotOpen
        );
        assert_eq!(
            scripted
                .decide(&stranger, &card, false, None)
                .await
                .unwrap_err(),
            ErrorCode::ProposalNotOpen
        );
    }
    // A card of one's own choosing, or none, is no choice
    for choice in [Some("pm_of_somebody_else"), None] {
        assert_eq!(
            scripted
                .decide(&beth(), &card, true, choice)
                .await
                .unwrap_err(),
            ErrorCode::ValidationFailed
        );
    }
    assert_eq!(scripted.charges(), 0);
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_bill_needs_a_new_approval() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let charge = ToolCall {
        tool: "post_charge".to_owned(),
        input: json!({ "room_number": "302", "amount": 1250, "description": "Minibar" }),
        idempotency_token: Some("minibar".to_owned()),
        wait: None,
    };
    assert_eq!(
        scripted
            .hotel
            .server
            .hotel
            .dispatch(&front_desk(), charge)
            .await
            .error(),
        None
    );
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Superseded, ProposalState::Proposed], 0)
    );
    let fresh = proposals(&thread).remove(1);
    assert!(fresh.question.contains("$262.50"), "{}", fresh.question);
    let thread = scripted.decide(&beth(), &fresh, true, VISA).await.unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Superseded, ProposalState::Done], 1)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_survives_a_crash_before_execution() {
    let mut scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let proposal = proposals(&thread).remove(0);
    // The yes is stored, then the process is gone before anything was begun
    let now = crate::test_hotel::now();
    let store = &scripted.hotel.server.store;
    assert_eq!(
        store
            .confirm_proposal(&proposal.id, &beth().key(), &proposal.nonce, VISA, now)
            .await,
        Ok(true)
    );
    scripted.restart();
    let thread = scripted.quiet(&beth(), &thread.id).await;
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1),
        "looking again goes on with it"
    );
    scripted.restart();
    let thread = scripted.quiet(&beth(), &thread.id).await;
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1),
        "and once only"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staff_approval_continues_without_a_viewer() {
    let input = json!({ "room_number": "302", "description": "The toilet is broken" });
    let mut scripted = ScriptedHotel::open(vec![ScriptStep::Calls(vec![(
        "submit_maintenance_request",
        input,
    )])])
    .await;
    let thread = scripted
        .say(&front_desk(), "The toilet of 302 is broken")
        .await;
    let proposal = proposals(&thread).remove(0);
    let store = scripted.hotel.server.store.clone();
    assert_eq!(
        store
            .confirm_proposal(
                &proposal.id,
                &front_desk().key(),
                &proposal.nonce,
                None,
                crate::test_hotel::now()
            )
            .await,
        Ok(true)
    );
    // Whose account is shut does nothing any more
    let account = store
        .staff_by_email(&front_desk().email)
        .await
        .unwrap()
        .unwrap();
    let shut = |disabled| dewy_store::StaffAccount {
        disabled,
        ..account.clone()
    };
    store.upsert_staff(&shut(true)).await.unwrap();
    scripted.restart();
    scripted.concierge.clean_up().await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(
        store.proposal(&proposal.id).await.unwrap().unwrap().state,
        ProposalState::Confirmed
    );
    store.upsert_staff(&shut(false)).await.unwrap();
    scripted.concierge.clean_up().await.unwrap();
    for _ in 0..100 {
        if store.proposal(&proposal.id).await.unwrap().unwrap().state == ProposalState::Done {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(
        store.proposal(&proposal.id).await.unwrap().unwrap().state,
        ProposalState::Done
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_data_stops_an_approved_proposal() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    scripted
        .hotel
        .fault("salesforce", "query", "reset_before_effect", 0, 0)
        .await;
    let refused = scripted
        .decide(&beth(), &card, true, VISA)
        .await
        .unwrap_err();
    assert!(refused.status() >= 500, "{refused:?}");
    scripted
        .hotel
        .server
        .sandbox
        .as_ref()
        .unwrap()
        .sandbox
        .clear_faults();
    let thread = scripted
        .concierge
        .conversation(&beth(), Some(&thread.id))
        .await
        .unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Proposed], 0),
        "it still waits"
    );
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_survives_a_crash_during_execution() {
    let mut scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let proposal = proposals(&thread).remove(0);
    scripted
        .hotel
        .fault("stripe", "payment_intent_create", "slow", 1, 1500)
        .await;
    let decision = Decision {
        proposal: proposal.id.clone(),
        nonce: proposal.nonce.clone(),
        yes: true,
        choice: Some("pm_card_visa".to_owned()),
    };
    scripted.concierge.decide(&beth(), &decision).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let running = scripted
        .concierge
        .conversation(&beth(), Some(&thread.id))
        .await
        .unwrap();
    assert_eq!(states(&running), [ProposalState::Running]);
    assert!(
        !proposals(&running)[0]
            .execution
            .as_ref()
            .unwrap()
            .forward
            .is_empty(),
        "its steps are on the card"
    );
    scripted.restart();
    let thread = scripted.quiet(&beth(), &thread.id).await;
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_out_failure_after_payment_is_reported_truthfully() {
    let scripted = ScriptedHotel::open(vec![check_out()]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    scripted
        .hotel
        .fault("salesforce", "composite", "timeout_before_effect", 0, 50)
        .await;
    let thread = scripted.decide(&beth(), &card, true, VISA).await.unwrap();
    let proposal = proposals(&thread).remove(0);
    assert!(
        matches!(
            proposal.state,
            ProposalState::Compensated | ProposalState::NeedsAttention
        ),
        "{:?}",
        proposal.state
    );
    let state = scripted.hotel.state();
    assert_eq!(
        state["stripe"]["refunds"].as_array().unwrap().len(),
        1,
        "the money went back"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_requests_to_staff_are_two_proposals() {
    let calls = vec![
        (
            "process_guest_checkout",
            json!({ "guest_email": "beth.gibbs@email.com", "room_number": "302" }),
        ),
        (
            "submit_maintenance_request",
            json!({ "room_number": "302", "description": "The toilet is broken" }),
        ),
    ];
    let scripted = ScriptedHotel::open(vec![
        ScriptStep::Calls(calls),
        ScriptStep::Words("Two cards wait for you."),
    ])
    .await;
    let before = scripted.ledger();
    let thread = scripted
        .say(
            &front_desk(),
            "The guest of room 302 is checking out and says the toilet is broken",
        )
        .await;
    assert_eq!(
        states(&thread),
        [ProposalState::Proposed, ProposalState::Proposed]
    );
    assert_eq!(scripted.ledger(), before, "nothing without a click");
    let [out, toilet] = <[_; 2]>::try_from(proposals(&thread)).unwrap();
    assert!(!toilet.irreversible && out.irreversible);
    let thread = scripted
        .decide(&front_desk(), &out, true, VISA)
        .await
        .unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Done, ProposalState::Proposed],
        "one click is for one card"
    );
    let thread = scripted
        .decide(&front_desk(), &toilet, true, None)
        .await
        .unwrap();
    assert_eq!(states(&thread), [ProposalState::Done, ProposalState::Done]);
    assert_eq!(scripted.charges(), 1);
    let state = scripted.hotel.state();
    let cases = state["salesforce"]["Case"].as_array().unwrap();
    let of_302 = cases.iter().filter(|case| {
        case["Description"]
            .as_str()
            .is_some_and(|d| d.contains("The toilet is broken"))
    });
    assert_eq!(of_302.count(), 1);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_equal_proposal_is_not_repeated() {
    let scripted = ScriptedHotel::open(vec![
        check_out(),
        check_out(),
        ScriptStep::Words("It waits."),
    ])
    .await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    assert_eq!(states(&thread), [ProposalState::Proposed]);
    scripted.hotel.close().await;
}
