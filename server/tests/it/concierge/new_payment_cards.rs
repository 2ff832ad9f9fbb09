//! New cards entered on a pay page: only where real cards are accepted, and only by the guest.

use dewy_concierge::Settings;
use dewy_domain::{
    caller::{Caller, Interface},
    concierge::{ProposalState, ProposalView},
    error_code::ErrorCode,
    money::{Cents, Currency, Money},
    ports::{Concierge, Decision},
};
use serde_json::json;

use super::scripted_hotel::{
    ScriptStep, ScriptedHotel, beth, front_desk, proposals, sarah, states,
};

/// Stripe's id of a card that was not offered.
const TYPED: &str = "pm_card_mastercard";

async fn live(lines: Vec<ScriptStep>) -> ScriptedHotel {
    ScriptedHotel::with(
        lines,
        Settings {
            demo: false,
            new_cards: true,
            ..Settings::default()
        },
    )
    .await
}

fn check_out(booking: &str) -> ScriptStep {
    ScriptStep::Calls(vec![(
        "process_guest_checkout",
        json!({ "booking_number": booking }),
    )])
}

fn wei() -> Caller {
    Caller::guest("wei.chen@example.com", Interface::Form)
}

async fn one(scripted: &ScriptedHotel, caller: &Caller) -> ProposalView {
    proposals(&scripted.say(caller, "I want to check out").await).remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_card_pays_without_the_model_seeing_it() {
    let scripted = live(vec![
        ScriptStep::Calls(vec![("get_folio", json!({}))]),
        check_out("BK-0042"),
    ])
    .await;
    let card = one(&scripted, &beth()).await;
    let values: Vec<&str> = card
        .choices
        .iter()
        .map(|choice| choice.value.as_str())
        .collect();
    assert_eq!(
        values,
        ["pm_1BethVisa4242"],
        "the saved one, and no test card"
    );
    assert_eq!(
        card.new_card,
        Some(Money {
            cents: Cents(25000),
            currency: Currency::USD
        })
    );
    let (_, same) = scripted
        .concierge
        .proposal(&beth(), &card.id)
        .await
        .unwrap();
    assert_eq!(same, card, "its own page shows the same");

    let thread = scripted
        .decide(&beth(), &card, true, Some(TYPED))
        .await
        .unwrap();
    assert_eq!(states(&thread), [ProposalState::Done]);
    assert_eq!(scripted.charges(), 1);
    let charges = scripted.hotel.state()["stripe"]["charges"].clone();
    assert_eq!(
        charges[0]["payment_method_details"]["card"]["last4"], "4444",
        "{charges}"
    );
    let shown: String = scripted
        .script
        .asked
        .lock()
        .unwrap()
        .iter()
        .map(|request| format!("{:?}", request.messages))
        .collect();
    assert!(
        shown.contains("saved_cards") && shown.contains("4242"),
        "it may know that there is a card"
    );
    assert!(!shown.contains("pm_"), "but not its id: {shown}");
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_without_a_saved_card_can_approve_in_chat() {
    let scripted = live(vec![ScriptStep::Calls(vec![(
        "process_guest_checkout",
        json!({}),
    )])])
    .await;
    let nora = Caller::guest("nora.o'brien@example.com", Interface::Form);
    let proposal = one(&scripted, &nora).await;
    assert!(
        proposal.choices.is_empty()
            && proposal
                .new_card
                .is_some_and(|money| money.cents > Cents(0)),
        "{proposal:?}"
    );
    for choice in [None, Some("another"), Some("4242 4242 4242 4242")] {
        let refused = scripted.decide(&nora, &proposal, true, choice).await;
        assert_eq!(
            refused.err(),
            Some(ErrorCode::ValidationFailed),
            "{choice:?}"
        );
    }
    let thread = scripted
        .decide(&nora, &proposal, true, Some(TYPED))
        .await
        .unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Done], 1)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invented_card_is_refused_and_the_proposal_stays_open() {
    let lines = || vec![check_out("BK-0042")];
    // Keys that say otherwise do not make a demo take real cards
    let odd = Settings {
        demo: true,
        new_cards: true,
        ..Settings::default()
    };
    for scripted in [
        ScriptedHotel::open(lines()).await,
        ScriptedHotel::with(lines(), odd).await,
    ] {
        let card = one(&scripted, &beth()).await;
        assert_eq!(card.new_card, None);
        let refused = scripted
            .decide(&beth(), &card, true, Some("pm_card_amex"))
            .await;
        assert_eq!(refused.err(), Some(ErrorCode::ValidationFailed));
        let (_, proposal) = scripted
            .concierge
            .proposal(&beth(), &card.id)
            .await
            .unwrap();
        assert_eq!(
            (proposal.state, scripted.charges()),
            (ProposalState::Proposed, 0)
        );
        scripted.hotel.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_card_is_bound_to_its_proposal() {
    let scripted = live(vec![
        check_out("BK-0042"),
        ScriptStep::Words("Fine."),
        check_out("BK-0042"),
    ])
    .await;
    let proposal = one(&scripted, &beth()).await;
    let typed = |card: &str, nonce: &str| Decision {
        proposal: card.to_owned(),
        nonce: nonce.to_owned(),
        yes: true,
        choice: Some(TYPED.to_owned()),
    };
    for stranger in [sarah(), wei(), front_desk()] {
        assert_eq!(
            scripted
                .concierge
                .proposal(&stranger, &proposal.id)
                .await
                .err(),
            Some(ErrorCode::ProposalNotOpen)
        );
        let refused = scripted
            .concierge
            .decide(&stranger, &typed(&proposal.id, &proposal.nonce))
            .await;
        assert_eq!(refused.err(), Some(ErrorCode::ProposalNotOpen));
    }
    let guessed = scripted
        .concierge
        .decide(&beth(), &typed(&proposal.id, "00"))
        .await;
    assert_eq!(guessed.err(), Some(ErrorCode::ProposalNotOpen));
    // She says no; a pay page that is still open somewhere changes nothing
    scripted
        .decide(&beth(), &proposal, false, None)
        .await
        .unwrap();
    let thread = scripted
        .decide(&beth(), &proposal, true, Some(TYPED))
        .await
        .unwrap();
    assert_eq!(
        (states(&thread), scripted.charges()),
        (vec![ProposalState::Declined], 0)
    );

    // Two pay pages, one payment
    let card = proposals(&scripted.say(&beth(), "I want to check out").await)
        .pop()
        .unwrap();
    let guest = beth();
    let (first, second) = tokio::join!(
        scripted.decide(&guest, &card, true, Some(TYPED)),
        scripted.decide(&guest, &card, true, Some("pm_card_visa")),
    );
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(scripted.charges(), 1);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_cannot_enter_a_guests_card() {
    let asks = json!({ "guest_email": "beth.gibbs@email.com", "booking_number": "BK-0042" });
    let scripted = live(vec![ScriptStep::Calls(vec![(
        "process_guest_checkout",
        asks,
    )])])
    .await;
    let proposal = proposals(&scripted.say(&front_desk(), "Check Beth Gibbs out").await).remove(0);
    assert_eq!((proposal.new_card, proposal.choices.len()), (None, 1));
    let refused = scripted
        .decide(&front_desk(), &proposal, true, Some(TYPED))
        .await;
    assert_eq!(
        (refused.err(), scripted.charges()),
        (Some(ErrorCode::ValidationFailed), 0)
    );
    scripted.hotel.close().await;
}
