use super::*;

fn guest(act: Act, said: &str) -> bool {
    wishes(Persona::Guest, act, said, &Named::default())
}

fn staff(act: Act, said: &str) -> bool {
    let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let named = Named {
        names: list(&["beth", "gibbs", "302", "bk-0044", "bk-0021"]),
        amounts: list(&["12.50", "18", "18.00"]),
    };
    wishes(Persona::Staff, act, said, &named)
}

#[test]
fn every_form_is_read() {
    let lines = include_str!("forms.txt").lines();
    let forms = lines
        .filter(|line| !line.starts_with('#') && line.contains(": "))
        .count();
    assert_eq!(FORMS.acts.values().map(Vec::len).sum::<usize>(), forms);
    assert!(FORMS.request.is_some() && FORMS.question.is_some());
}

#[test]
fn first_messages_are_told_apart() {
    let complaints = include_str!("../../../lab/dialogues/first_messages/complaints.txt");
    for (_, said) in complaints.lines().filter_map(|line| line.split_once('\t')) {
        for act in [Act::Leave, Act::Cancel, Act::Shorten] {
            assert!(!guest(act, said), "{act:?}: {said}");
        }
    }
    let wishes = include_str!("../../../lab/dialogues/first_messages/wishes.txt");
    for line in wishes.lines() {
        let mut fields = line.split('\t').skip(1);
        let (said, act) = (fields.next().unwrap(), fields.next().unwrap());
        let act = if act == "cancel" {
            Act::Cancel
        } else {
            Act::Leave
        };
        assert!(guest(act, said), "{said}");
    }
}

#[test]
fn a_doubtful_wish_is_none() {
    for said in [
        "Cancel? I never asked for that!",
        "Check out now says error",
        "Cancel my booking button does not work",
        "I have to pay now?",
        "Can I check out here or do I have to go to the desk?",
        "cancel the booking of my friend",
        "I want to check out but you already charged me",
        "What happens if I go home and cancel my booking?",
        "My neighbor wants to check out and pay",
        "She told me “check me out”",
        "cancel my booking? no thanks",
        "check out the bill, it is wrong",
        "Can I cancel?",
        "Can you check out why I was charged",
        "please cancel that charge, it is wrong",
        "I want to check out of this conversation",
        "¿puedo cancelar gratis?",
        "quiero cancelar la reserva de mi amiga",
        "quiero pagar pero ya me cobraron",
    ] {
        for act in [Act::Leave, Act::Cancel, Act::Shorten] {
            assert!(!guest(act, said), "{act:?}: {said}");
        }
    }
}

#[test]
fn a_wish_may_stand_beside_other_words() {
    for said in [
        "I'm thinking of leaving now, two days early. Check me out?",
        "Check us all out right now please.",
        "the shower was cold, but anyway, check me out now",
        "check me out now I have a taxi waiting",
        "Pay my bill and check me out",
        "Quisiera registrar mi salida",
    ] {
        assert!(guest(Act::Leave, said), "{said}");
    }
    assert!(guest(Act::Shorten, "Quiero irme hoy") && guest(Act::Again, "try another card"));
    assert!(guest(Act::Cancel, "yes, cancel it") && guest(Act::Cancel, "Cancelar mi reserva"));
}

#[test]
fn staff_pass_on_what_guests_want_and_report_too() {
    for (act, said) in [
        (Act::Leave, "beth gibbs is leaving, check her out"),
        (Act::Leave, "302 wants to check out"),
        (
            Act::Leave,
            "Beth Gibbs is checking out, and she says the toilet in her room is broken.",
        ),
        (Act::Cancel, "cancel BK-0044"),
        (
            Act::NoShow,
            "Dmitri Volkov never showed up, mark him as a no-show",
        ),
        (Act::Charge, "minibar 12.50 on 302"),
        (Act::Charge, "Put $18 for the spa on her room"),
        (Act::Void, "Void the charge PT-00017 on room 308"),
        (Act::Repair, "undo the payment pi_1"),
    ] {
        assert!(staff(act, said), "{act:?}: {said}");
    }
    for said in [
        "302 was charged twice",
        "Beth Gibbs checked out this morning and was charged again",
        "don't check out 302",
        "when does 302 check out?",
        "302 says he was charged 18 dollars twice",
        "Is BK-0044 cancelled?",
        "check out failed for 302",
        "BK-0021 is not a no show",
        "which guests are leaving tomorrow",
        "how much did we charge 302 for the minibar",
        "what would a refund cost us?",
    ] {
        for act in [
            Act::Leave,
            Act::Cancel,
            Act::NoShow,
            Act::Charge,
            Act::Repair,
        ] {
            assert!(!staff(act, said), "{act:?}: {said}");
        }
    }
}

#[test]
fn a_yes_needs_an_offer_of_the_same() {
    for text in [
        "Do you want to check out now?",
        "All right. Shall I check you out?",
        "¿Quiere hacer el check-out ahora?",
    ] {
        assert!(offers(Act::Leave, text), "{text}");
        assert!(!offers(Act::Cancel, text), "{text}");
    }
    assert!(offers(
        Act::Cancel,
        "Nothing is charged. Shall I cancel it?"
    ));
    for text in [
        "Shall I call a colleague about the check-out?",
        "You are checked out.",
        "Is the check-out wrong?",
    ] {
        assert!(!offers(Act::Leave, text), "{text}");
    }
}

#[test]
fn the_wish_for_one_act_is_none_for_another() {
    assert!(!staff(Act::Charge, "cancel BK-0044") && !staff(Act::Void, "cancel BK-0044"));
    assert!(!guest(Act::Leave, "Cancel my booking") && !guest(Act::Cancel, "check me out"));
}
