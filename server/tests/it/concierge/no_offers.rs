//! Whoever complains, reports, refuses, asks after a fact or speaks of somebody else is offered neither
//! a payment nor the end of a stay, whatever the model wants: they read what is known, or the front desk
//! is called.

use dewy_domain::concierge::{ConversationItem, ConversationView, Responder};
use serde_json::json;

use super::scripted_hotel::{ScriptStep, ScriptedHotel, beth, front_desk, lines, proposals, sarah};

/// What may be pressed instead.
const CALL_DESK: &str = "I’d like to speak to the front desk";

/// Not in the lists of first messages, which are tried as well.
const GUESTS: [&str; 16] = [
    "I got charged but checkout failed",
    "My booking got cancelled!",
    "why did you cancel my reservation",
    "I was charged again after I left, why?",
    "he said he checked me out",
    "I did not ask to check out",
    "my husband wants to know if he can check out",
    "there is a late charge on my card that I did not make",
    "you checked me out by mistake",
    "What happens if I cancel?",
    "The minibar charge is wrong",
    "I have been charged twice for the same night",
    "my mother-in-law is leaving and needs the bill",
    "nobody told me that I have to pay now",
    "Me cancelaron la reserva sin avisar",
    "On m'a débité deux fois",
];
const STAFF: [&str; 6] = [
    "Guest in 302 says she was charged twice",
    "302 complains that checkout failed",
    "why was Beth Gibbs charged?",
    "Beth Gibbs didn't ask to check out",
    "the guest in 302 is angry about a late charge",
    "did 302 check out already?",
];

/// Texts of the concierge since the last message, without what was said before.
fn answers(thread: &ConversationView) -> String {
    let items = thread.items.iter().rev();
    let since = items.take_while(|item| !matches!(item, ConversationItem::Said { .. }));
    let texts = since.filter_map(|item| match item {
        ConversationItem::Answered { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What offers a payment or the end of a stay; nothing if it is as it should be.
fn offers(thread: &ConversationView) -> Vec<String> {
    let mut found: Vec<String> = proposals(thread)
        .into_iter()
        .filter(|card| !card.title.contains("service") && !card.title.contains("maintenance"))
        .map(|card| card.question.to_string())
        .collect();
    let pressed = thread.suggestions.iter().filter(|say| *say != CALL_DESK);
    found.extend(pressed.cloned());
    let text = answers(thread).to_lowercase();
    let sentences = text.split_inclusive(['.', '?', '!', '\n']);
    let asks = sentences.filter(|sentence| {
        let acts = [
            "check out",
            "check-out",
            "cancel",
            "leave",
            "check you out",
            "post $",
        ];
        sentence.ends_with('?') && acts.iter().any(|act| sentence.contains(act))
            || sentence.contains("check me out")
    });
    found.extend(asks.map(str::to_owned));
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn no_model_may_offer_it() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let cancel = json!({ "booking_number": "BK-0034", "action": "cancel" });
    let charge = json!({ "room_number": "302", "amount": 1800, "description": "Minibar" });
    let email = json!({ "guest_email": "beth.gibbs@email.com" });
    let mut wrong = Vec::new();
    let check_out = |input| ("process_guest_checkout", input);
    let desk_calls = vec![check_out(email), ("post_charge", charge)];
    let tries = [
        (beth(), &GUESTS[..], vec![check_out(json!({}))]),
        (sarah(), &GUESTS[..], vec![("manage_bookings", cancel)]),
        (front_desk(), &STAFF[..], desk_calls),
    ];
    for (caller, texts, calls) in &tries {
        for said in *texts {
            for offer in [
                "I'm sorry. Do you want to check out now?",
                "**Would you like me to cancel the booking?**",
                "Do you want to check in, or to change or cancel it?",
                "Shall I post $18.00 to room 302? Or shall I call a colleague?",
                "¿Quiere hacer el check-out ahora?",
            ] {
                let calls = ScriptStep::Calls(calls.clone());
                scripted.then(vec![calls, ScriptStep::Words(offer)]);
                let thread = scripted.say(caller, said).await;
                let found = offers(&thread);
                let desk = thread.suggestions.iter().any(|say| say == CALL_DESK);
                let asked = scripted.script.asked.lock().unwrap();
                let told = format!("{:?}", asked.last().unwrap().messages.last());
                let leads_on = told.contains("Do you want");
                if !found.is_empty() || answers(&thread).is_empty() || leads_on {
                    wrong.push(format!("{said}: {found:?} {told}"));
                }
                assert_eq!(desk, !caller.email.ends_with("dewy.example"), "{said}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_offline_model_answers_with_facts_or_calls_the_desk() {
    let scripted = ScriptedHotel::offline().await;
    let mut wrong = Vec::new();
    for (caller, texts) in [
        (beth(), &GUESTS[..]),
        (sarah(), &GUESTS),
        (front_desk(), &STAFF),
    ] {
        for said in texts {
            // Two staff conversations may wait at once, so each message has its own
            let thread = scripted.say_anew(&caller, said).await;
            println!("{}: {:#?}", caller.email, lines(&thread));
            let found = offers(&thread);
            let silent = answers(&thread).is_empty() && thread.standing == Responder::Model;
            if !found.is_empty() || silent {
                wrong.push(format!("{said}: {found:?}"));
            }
            if said == &"My booking got cancelled!" {
                let (room, status, open) = match caller == beth() {
                    true => ("302", "Checked In", "$250.00"),
                    false => ("205", "Reserved", "$525.00"),
                };
                let facts = format!(
                    "Your booking of room {room} is {status}. Paid so far: $0.00. Open: {open}. Shall I call a colleague?"
                );
                assert_eq!(answers(&thread), facts);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_too_a_guest_whose_check_out_failed_reaches_a_colleague() {
    let scripted = ScriptedHotel::offline().await;
    scripted
        .hotel
        .fault("salesforce", "composite", "unable_to_lock_row", 0, 0)
        .await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).pop().unwrap();
    let choice = card.choices.first().map(|choice| choice.value.as_str());
    scripted.decide(&beth(), &card, true, choice).await.unwrap();
    let thread = scripted
        .say(&beth(), "I got charged but checkout failed")
        .await;
    let text = answers(&thread);
    assert!(text.ends_with("Shall I call a colleague?"), "{text}");
    assert_eq!(proposals(&thread).len(), 1, "{:?}", lines(&thread));
    // And the colleague is called by a yes
    let thread = scripted.say(&beth(), "yes please").await;
    assert_eq!(thread.standing, Responder::Staff, "{:?}", lines(&thread));
}
