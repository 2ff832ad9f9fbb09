//! Proposals under abuse: one approval runs one action, and nothing runs without an approval,
//! whatever a person, a page or a crash does.

use dewy_domain::concierge::ProposalState;

use super::{script_player::scripts, scripted_hotel::*};
use crate::prelude::*;

scripts! {
    a_check_out_request_needs_only_the_session "
        model calls process_guest_checkout {}
        model says The card below waits for you.
        beth: I want to check out
        states is proposed
        card irreversible is true
        card question has room 302 & $250.00
        card yes is Pay $250.00
        card choices has pm_card_visa
        charges is 0
        model says You are checked out.
        beth approves pm_card_visa
        states is done
        charges is 1
        last is answered: You are checked out.
        # The model is told how it ended, not with which card
        told has decided_by
        told lacks pm_card_visa
        card execution is Completed"

    a_decline_is_final "
        beth asks to check out
        beth declines
        states is declined
        # A yes from an old page changes nothing
        beth approves pm_card_visa
        states is declined
        charges is 0
        beth: What now?
        last is answered: Fine.
        told has the person said no"

    a_question_about_a_proposal_is_no_approval "
        beth asks to check out
        beth: Which card is that?
        states is proposed
        beth: yes
        states is proposed
        charges is 0
        beth approves pm_card_visa
        states is done
        charges is 1"

    a_proposal_expires "
        with proposal_ttl=6000
        beth asks to check out
        sleep 6100
        beth approves pm_card_visa
        states is expired
        charges is 0"

    only_the_owner_can_approve_with_the_shown_page "
        beth asks to check out
        beth approves pm_card_visa nonce=00000000000000000000000000000000 => PROPOSAL_NOT_OPEN
        beth approves pm_card_visa nonce= => PROPOSAL_NOT_OPEN
        sarah approves pm_card_visa => PROPOSAL_NOT_OPEN
        sarah declines => PROPOSAL_NOT_OPEN
        desk approves pm_card_visa => PROPOSAL_NOT_OPEN
        desk declines => PROPOSAL_NOT_OPEN
        manager approves pm_card_visa => PROPOSAL_NOT_OPEN
        manager declines => PROPOSAL_NOT_OPEN
        sarah opens => CONVERSATION_NOT_FOUND
        manager opens => CONVERSATION_NOT_FOUND
        # A card of one's own choosing, or none, is no choice
        beth approves pm_of_somebody_else => VALIDATION_FAILED
        beth approves => VALIDATION_FAILED
        charges is 0
        beth approves pm_card_visa
        states is done
        charges is 1"

    a_changed_bill_needs_a_new_approval r#"
        beth asks to check out
        desk calls post_charge {"room_number":"302","amount":1250,"description":"Minibar"}
        beth approves pm_card_visa
        states is superseded proposed
        charges is 0
        card question has $262.50
        beth approves pm_card_visa
        states is superseded done
        charges is 1"#

    an_approval_survives_a_crash_before_execution "
        beth asks to check out
        beth confirms pm_card_visa
        restart
        beth waits
        states is done
        charges is 1
        # And once only
        restart
        beth waits
        states is done
        charges is 1"

    unreadable_data_stops_an_approved_proposal "
        beth asks to check out
        fault salesforce query reset_before_effect 0 0
        beth approves pm_card_visa => 5xx
        heal
        beth opens
        states is proposed
        charges is 0
        beth approves pm_card_visa
        states is done
        charges is 1"

    an_approval_survives_a_crash_during_execution "
        beth asks to check out
        fault stripe payment_intent_create slow 1 1500
        beth starts pm_card_visa
        sleep 500
        beth opens
        states is running
        # Its steps are on the card
        card steps among 1 2 3 4 5 6 7 8 9
        restart
        beth waits
        states is done
        charges is 1"

    a_check_out_failure_after_payment_is_reported_truthfully "
        beth asks to check out
        fault salesforce composite timeout_before_effect 0 50
        beth approves pm_card_visa
        states among compensated needs_attention
        refunds is 1"

    two_requests_to_staff_are_two_proposals r#"
        model calls process_guest_checkout {"guest_email":"beth.gibbs@email.com","room_number":"302"} submit_maintenance_request {"room_number":"302","description":"The toilet is broken"}
        model says Two cards wait for you.
        remember
        desk: The guest of room 302 is checking out and says the toilet is broken
        states is proposed proposed
        unchanged
        card#0 irreversible is true
        card#1 irreversible is false
        desk approves #0 pm_card_visa
        states is done proposed
        desk approves #1
        states is done done
        charges is 1
        records Case Description=The toilet is 1"#

    an_equal_proposal_is_not_repeated "
        model calls process_guest_checkout {}
        model calls process_guest_checkout {}
        model says It waits.
        beth: I want to check out
        states is proposed"

    // It ends in its own way: not as a success, without a farewell, and no longer waiting for staff.
    a_check_out_settled_by_hand_ends_its_proposal_without_claims r#"
        beth asks to check out
        fault salesforce composite timeout_before_effect 0 50
        fault {"system":"stripe","operation":"refund_create","kind":"status","status":400,"count":0}
        beth approves pm_card_visa
        states is needs_attention
        let execution = card execution_id
        let said = words
        manager calls resolve_execution {"execution_id":"{execution}","resolution":"mark_solved","reason":"paid back in cash"}
        beth opens
        beth waits
        states is settled_by_hand
        card execution is SettledByHand
        words is {said}
        card outcome starts Our front desk has settled this with you in person."#
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_approvals_in_two_tabs_are_one_check_out() {
    let check_out = ScriptStep::Calls(vec![("process_guest_checkout", json!({}))]);
    let scripted = ScriptedHotel::open(vec![check_out]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let yes = decision(&proposals(&thread)[0], true, Some("pm_card_visa"));
    let clicks = (0..20).map(|_| {
        let (concierge, yes) = (scripted.concierge.clone(), yes.clone());
        tokio::spawn(async move { concierge.decide(&beth(), &yes).await })
    });
    for click in clicks.collect::<Vec<_>>() {
        // Whoever was second is shown the same conversation, or that the card is over
        let clicked = click.await.unwrap();
        assert!(matches!(clicked, Ok(_) | Err(ErrorCode::ProposalNotOpen)));
    }
    let thread = scripted.quiet(&beth(), &thread.id).await;
    assert_eq!(states(&thread), [ProposalState::Done]);
    assert_eq!(scripted.charges(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staff_approval_continues_without_a_viewer() {
    let input = json!({ "room_number": "302", "description": "The toilet is broken" });
    let call = ScriptStep::Calls(vec![("submit_maintenance_request", input)]);
    let mut scripted = ScriptedHotel::open(vec![call]).await;
    let desk = front_desk();
    let thread = scripted.say(&desk, "The toilet of 302 is broken").await;
    let card = proposals(&thread).remove(0);
    let (store, now) = (scripted.hotel.server.store.clone(), now());
    let key = desk.key();
    let confirmed = store.confirm_proposal(&card.id, &key, &card.nonce, None, now);
    assert_eq!(confirmed.await, Ok(true));
    let state = async || store.proposal(&card.id).await.unwrap().unwrap().state;
    // Whose account is shut does nothing any more
    let mut account = store.staff_by_email(&desk.email).await.unwrap().unwrap();
    account.disabled = true;
    store.upsert_staff(&account).await.unwrap();
    scripted.restart();
    scripted.concierge.clean_up().await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(state().await, ProposalState::Confirmed);
    account.disabled = false;
    store.upsert_staff(&account).await.unwrap();
    scripted.concierge.clean_up().await.unwrap();
    for _ in 0..100 {
        if state().await == ProposalState::Done {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(state().await, ProposalState::Done);
}
