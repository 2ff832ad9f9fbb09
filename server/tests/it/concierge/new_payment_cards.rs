//! New cards entered on a pay page: only where real cards are accepted, and only by the guest.

use dewy_concierge::Settings;
use serde_json::json;

use super::{script_player::scripts, scripted_hotel::*};

scripts! {
    a_new_card_pays_without_the_model_seeing_it r#"
        with demo=false new_cards=true
        model calls get_folio {}
        model calls process_guest_checkout {"booking_number":"BK-0042"}
        beth: I want to check out
        # The saved one, and no test card
        card choices is pm_1BethVisa4242
        card new_card is $250.00
        # Its own page shows the same
        beth pays on the page of the card
        beth approves pm_card_mastercard
        states is done
        charges is 1
        charged_card is 4444
        # The model may know that there is a card, but not its id
        told_ever has saved_cards & 4242
        told_ever lacks pm_"#

    a_guest_without_a_saved_card_can_approve_in_chat "
        with demo=false new_cards=true
        nora asks to check out
        card choices is none
        card new_card starts $
        nora approves => VALIDATION_FAILED
        nora approves another => VALIDATION_FAILED
        nora approves 4242424242424242 => VALIDATION_FAILED
        nora approves pm_card_mastercard
        states is done
        charges is 1"

    an_invented_card_is_refused_and_the_proposal_stays_open r#"
        model calls process_guest_checkout {"booking_number":"BK-0042"}
        beth: I want to check out
        card new_card is none
        beth approves pm_card_amex => VALIDATION_FAILED
        beth opens
        states is proposed
        charges is 0"#

    keys_of_a_live_account_do_not_make_a_demo_take_real_cards r#"
        with demo=true new_cards=true
        model calls process_guest_checkout {"booking_number":"BK-0042"}
        beth: I want to check out
        card new_card is none
        beth approves pm_card_amex => VALIDATION_FAILED
        beth opens
        states is proposed
        charges is 0"#

    a_new_card_is_bound_to_its_proposal r#"
        with demo=false new_cards=true
        model calls process_guest_checkout {"booking_number":"BK-0042"}
        beth: I want to check out
        sarah approves pm_card_mastercard => PROPOSAL_NOT_OPEN
        sarah pays on the page of the card => PROPOSAL_NOT_OPEN
        wei approves pm_card_mastercard => PROPOSAL_NOT_OPEN
        wei pays on the page of the card => PROPOSAL_NOT_OPEN
        desk approves pm_card_mastercard => PROPOSAL_NOT_OPEN
        desk pays on the page of the card => PROPOSAL_NOT_OPEN
        beth approves pm_card_mastercard nonce=00 => PROPOSAL_NOT_OPEN
        # She says no; a pay page that is still open somewhere changes nothing
        beth declines
        beth approves pm_card_mastercard
        states is declined
        charges is 0"#

    staff_cannot_enter_a_guests_card r#"
        with demo=false new_cards=true
        model calls process_guest_checkout {"guest_email":"beth.gibbs@email.com","booking_number":"BK-0042"}
        desk: Check Beth Gibbs out
        card new_card is none
        card choices is pm_1BethVisa4242
        desk approves pm_card_mastercard => VALIDATION_FAILED
        charges is 0"#
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pay_pages_are_one_payment() {
    let call = (
        "process_guest_checkout",
        json!({ "booking_number": "BK-0042" }),
    );
    let settings = Settings {
        demo: false,
        new_cards: true,
        ..Settings::default()
    };
    let scripted = ScriptedHotel::with(vec![ScriptStep::Calls(vec![call])], settings).await;
    let guest = beth();
    let card = proposals(&scripted.say(&guest, "I want to check out").await).remove(0);
    let (first, second) = tokio::join!(
        scripted.decide(&guest, &card, true, Some("pm_card_mastercard")),
        scripted.decide(&guest, &card, true, Some("pm_card_visa")),
    );
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(scripted.charges(), 1);
}
