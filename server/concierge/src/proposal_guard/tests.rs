use dewy_domain::{
    caller::{Interface, Role},
    tool_catalog,
};
use jiff::Timestamp;

use super::*;

fn entries(all: &[(bool, &str)]) -> Vec<NumberedEntry> {
    let entry = |(said, text): &(bool, &str)| match said {
        true => Entry::Said {
            danger: None,
            text: (*text).to_owned(),
        },
        false => Entry::answered(*text),
    };
    let placed = |(n, one): (usize, &(bool, &str))| NumberedEntry {
        seq: i64::try_from(n).unwrap(),
        at: Timestamp::UNIX_EPOCH,
        entry: entry(one),
    };
    all.iter().enumerate().map(placed).collect()
}

fn leaves(all: &[(bool, &str)]) -> bool {
    let caller = Caller::guest("beth.gibbs@email.com", Interface::Chat);
    let tool = tool_catalog::find(&caller, "process_guest_checkout").unwrap();
    is_wished(&caller, Act::Leave, tool, &json!({}), &entries(all), &[])
}

#[test]
fn the_latest_words_decide_and_an_answer_belongs_to_its_question() {
    let wish = (true, "I'd like to check out");
    assert!(leaves(&[
        wish,
        (false, "Which room do you mean?"),
        (true, "302")
    ]));
    assert!(leaves(&[
        (false, "Do you want to check out now?"),
        (true, "yes please")
    ]));
    assert!(!leaves(&[
        wish,
        (false, "Which room?"),
        (true, "you charged me twice")
    ]));
    assert!(!leaves(&[
        wish,
        (false, "Please decide above."),
        (true, "302")
    ]));
    assert!(!leaves(&[wish, (true, "it failed")]));
    assert!(!leaves(&[
        (false, "Shall I send towels?"),
        (true, "yes please")
    ]));
    assert!(!leaves(&[(true, "yes")]));
}

/// What the person may press must be understood as the wish it stands for.
#[test]
fn what_is_suggested_is_a_wish() {
    let desk = Caller::staff("a@dewy.example", Role::Manager, Interface::Chat);
    let today = jiff::civil::date(2026, 3, 10);
    let booking = json!({ "booking_number": "BK-0042", "action": "cancel" });
    for (tool, input) in [
        (
            "process_guest_checkout",
            json!({ "guest_email": "beth.gibbs@email.com" }),
        ),
        ("process_guest_checkout", json!({ "room_number": "302" })),
        ("manage_bookings", booking),
        (
            "manage_bookings",
            json!({ "booking_number": "BK-0042", "action": "no_show" }),
        ),
        (
            "manage_bookings",
            json!({ "booking_number": "BK-0042", "check_out_date": "2026-03-10" }),
        ),
        (
            "post_charge",
            json!({ "room_number": "302", "amount": 1250, "description": "Minibar" }),
        ),
        (
            "post_charge",
            json!({ "charge_number": "PT-00012", "void": true }),
        ),
        (
            "compensate_checkout_failure",
            json!({ "payment_intent_id": "pi_1", "guest_email": "beth.gibbs@email.com" }),
        ),
        (
            "resolve_execution",
            json!({ "execution_id": "exe_1", "resolution": "retry_now", "reason": "x" }),
        ),
    ] {
        let tool = tool_catalog::find(&desk, tool).unwrap();
        let act = act_of(tool, &input, today).unwrap();
        let (ask, say) = question(act, &input, &Settings::default());
        for said in [&[(true, &*say)][..], &[(false, &*ask), (true, "yes")]] {
            let said = entries(said);
            assert!(is_wished(&desk, act, tool, &input, &said, &[]), "{said:?}");
        }
    }
}

/// After a wish for an act any may be offered, and to staff after an order in other words.
#[test]
fn offers_are_taken_out_of_what_the_model_writes() {
    let kept = |persona, said: &str, text: &str| {
        without_unasked_offers(text.to_owned(), persona, &entries(&[(true, said)]))
    };
    let (guest, staff) = (Persona::Guest, Persona::Staff);
    let sorry = "I'm sorry: $250.00 is open.";
    for offer in [
        "Do you want to check out and pay $250.00?",
        "Shall I cancel it for you?",
        "Do you want to check in, or to change or cancel it?",
        "**Would you like me to check you out now?**",
        "¿Quiere hacer el check-out?",
    ] {
        let text = format!("{sorry} {offer} Or shall I call a colleague?");
        let rest = kept(guest, "you charged me twice", &text);
        assert!(rest.starts_with(sorry) && rest.ends_with("Or shall I call a colleague?"));
        assert!(!rest.contains("heck") && !rest.contains("cancel"), "{rest}");
        assert_eq!(kept(guest, "you charged me twice", offer), "", "{offer}");
        assert_eq!(kept(guest, "I'd like to check out", &text), text);
    }
    let post = "Do you want to post $18.00 to room 302?";
    assert_eq!(kept(staff, "302 says she was charged twice", post), "");
    assert_eq!(kept(staff, "302 18 dollars spa", post), post);
    for text in [
        "Shall I call a colleague about the check-out?",
        "Which booking do you want me to look at?",
        "Check-out is until 11 AM. May I ask your room number?",
    ] {
        assert_eq!(kept(guest, "when is check-out?", text), text);
    }
}
