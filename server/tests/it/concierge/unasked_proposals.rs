//! Whatever the model wants: nothing that moves money or ends a stay is proposed unless the person's own
//! words wish for it, and no case is changed that they did not speak of. The model of these tests always
//! wants everything.

use super::{script_player::scripts, scripted_hotel::*};
use crate::prelude::*;

const COMPLAINTS: &str = include_str!("../../../lab/dialogues/first_messages/complaints.txt");
const WISHES: &str = include_str!("../../../lab/dialogues/first_messages/wishes.txt");

fn check_out() -> (&'static str, Value) {
    ("process_guest_checkout", json!({}))
}

/// Of Sarah's booking of today.
fn cancel() -> (&'static str, Value) {
    let input = json!({ "booking_number": "BK-0034", "action": "cancel" });
    ("manage_bookings", input)
}

#[tokio::test(flavor = "multi_thread")]
async fn complaints_questions_and_reports_get_no_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let early = json!({ "booking_number": "BK-0042", "check_out_date": day(0) });
    let mut wrong = Vec::new();
    let complaints = COMPLAINTS.lines().filter_map(|line| line.split_once('\t'));
    // All of them are told apart in the concierge's own tests
    let complaints: Vec<_> = complaints.take(60).collect();
    assert!(complaints.len() >= 40);
    for (_, said) in complaints {
        let leave = vec![check_out(), ("manage_bookings", early.clone())];
        for (caller, calls) in [(beth(), leave), (sarah(), vec![cancel()])] {
            scripted.then(vec![ScriptStep::Calls(calls), ScriptStep::Words("Hm.")]);
            let thread = scripted.say(&caller, said).await;
            wrong.extend((!proposals(&thread).is_empty()).then_some((caller.email, said)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_gets_its_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    assert!(WISHES.lines().count() >= 25);
    for wish in WISHES.lines() {
        let [_, said, act] = wish.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{wish}")
        };
        let (caller, call) = match act {
            "checkout" => (beth(), check_out()),
            _ => (sarah(), cancel()),
        };
        let answer = ScriptStep::Words("Please decide above.");
        scripted.then(vec![ScriptStep::Calls(vec![call]), answer]);
        let thread = scripted.say(&caller, said).await;
        let card = proposals(&thread).pop();
        let card = card.filter(|card| !card.nonce.is_empty());
        let card = card.unwrap_or_else(|| panic!("{said}: {:?}", lines(&thread)));
        scripted.decide(&caller, &card, false, None).await.unwrap();
    }
}

scripts! {
    a_wish_in_own_words_or_a_yes_to_an_offer_after_one_gets_its_proposal r#"
        model says You are not here yet. Do you want to cancel the booking?
        sarah: I'd like to check out
        last ends cancel the booking?
        model always calls manage_bookings {"booking_number":"BK-0034","action":"cancel"}
        sarah: yes please => 1 cards
        # A question leaves it open, and a complaint makes no second one
        sarah: What does that mean? => 0 cards
        sarah: somebody canceled my booking => 0 cards
        card open is true"#

    what_might_have_been_or_is_refused_changes_no_stay r#"
        model always calls manage_bookings {"booking_number":"BK-0042","room_number":"305"} create_booking {"room_type":"Suite","check_in_date":"{+40}","check_out_date":"{+42}"}
        beth: Could I have stayed another night? => 0 cards
        beth: I don't want to stay another night => 0 cards
        beth: my sister wants to stay another night => 0 cards
        model always calls check_in_guest {}
        sarah: could I have checked in earlier? => 0 cards
        sarah: somebody else checked in to my room => 0 cards
        sarah: I want to check in => 1 cards"#

    staff_reports_get_no_money_proposal r#"
        model always calls process_guest_checkout {"guest_email":"beth.gibbs@email.com"} post_charge {"room_number":"302","amount":1800,"description":"Minibar"} manage_bookings {"booking_number":"BK-0034","action":"cancel"}
        manager: 302 was charged twice => 0 cards
        manager: did Beth Gibbs pay? => 0 cards
        manager: don't check out 302 => 0 cards
        manager: 302 says he was charged 18 dollars twice => 0 cards
        manager: why was BK-0034 cancelled? => 0 cards
        manager: check out failed for 302 => 0 cards
        desk: cancel BK-0034 => 1 cards
        card facts has Guest: Sarah Johnson, room 205.
        model always calls process_guest_checkout {"guest_email":"beth.gibbs@email.com"} submit_maintenance_request {"room_number":"302","description":"Toilet broken"}
        desk: Beth Gibbs is checking out, and she says the toilet in her room is broken. => 2 cards"#

    a_case_is_changed_only_if_it_is_meant_and_its_card_says_whose_it_is r#"
        let case = record Case Subject=Late breakfast in 310: CaseNumber
        model always calls manage_cases {"case_number":"{case}","status":"Closed"}
        desk: ac in 310 fixed => 0 cards
        # The model can ask which one
        told has Late breakfast in 310
        desk: the late breakfast in 310 was not delivered yet => 0 cards
        desk: was the late breakfast in 310 delivered? => 0 cards
        # It is in progress already
        model always calls manage_cases {"case_number":"{case}","status":"In Progress"}
        desk: working on the breakfast for 310 => 0 cards
        model always calls set_room_status {"room_number":"201","status":"Cleaning"}
        desk: 201 is dirty => 0 cards
        model always calls manage_cases {"case_number":"{case}","status":"Closed"}
        desk: the breakfast in 310 was brought => 1 cards
        card question has {case} & Late breakfast & room 310 & Olivia Martin
        card facts has Status: Closed, instead of In Progress."#

    a_booking_that_is_so_already_gets_no_proposal r#"
        record Booking__c Name=BK-0034: Number_of_Guests__c is 2.0
        model always calls manage_bookings {"booking_number":"BK-0034","number_of_guests":2}
        sarah: we will be 2 => 0 cards
        model always calls manage_bookings {"booking_number":"BK-0034","number_of_guests":1}
        sarah: we will be 1 => 1 cards"#

    a_void_names_the_charge_the_room_and_the_guest r#"
        model calls post_charge {"room_number":"302","amount":1800,"description":"Minibar"}
        desk: post 18 to 302 for the minibar
        desk approves
        let charge = record Payment_Transaction__c: Name
        model calls post_charge {"room_number":"302","charge_number":"{charge}","void":true}
        desk: void charge {charge} of 302
        card question has {charge} & 302 & Minibar & $18.00
        card facts has Guest: Beth Gibbs"#

    a_guest_who_complains_reads_how_their_check_out_ended "
        fault salesforce composite unable_to_lock_row 0 0
        beth asks to check out
        beth approves pm_card_visa
        model always calls process_guest_checkout {}
        beth: I got charged but checkout failed => 0 cards
        told has refunded & Your booking of room 302 is Checked In."

    an_order_does_not_become_the_line_of_a_bill r#"
        model always calls post_charge {"room_number":"302","amount":1250,"description":"Charge 302 12.50 minibar"}
        desk: charge 302 12.50 minibar => 0 cards
        model always calls post_charge {"room_number":"302","amount":1250,"description":"12.50 minibar"}
        desk: charge 302 12.50 minibar => 0 cards
        model always calls post_charge {"room_number":"302","amount":1250,"description":"Minibar"}
        desk: charge 302 12.50 minibar => 1 cards
        # An answer to what it is for is its text
        model always says
        model says What is the charge for?
        desk: charge 302 9 dollars
        model always calls post_charge {"room_number":"302","amount":900,"description":"Two glasses of wine"}
        desk: two glasses of wine => 1 cards"#
}
