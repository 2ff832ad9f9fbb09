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
        "cancel my dinner reservation",
        "Please cancel our restaurant booking",
        "cancel my massage booking",
        "Cancel the taxi",
        "Cancel room 301 please",
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
        "I want to pay and go to dinner",
        "My friend wants to pay and go",
        "why can't I just pay and go?",
        "I don't want to pay and go",
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
        "I want to pay and go",
        "we want to pay and go home now",
        "I'd like to settle up and go please",
    ] {
        assert!(guest(Act::Leave, said), "{said}");
    }
    assert!(guest(Act::Shorten, "Quiero irme hoy") && guest(Act::Again, "try another card"));
    for said in [
        "Cancel my December booking",
        "cancel my Friday booking please",
        "cancel my room reservation",
        "cancel my room please",
        "cancel the booking of next month",
        "please cancel my reservation for Friday",
    ] {
        assert!(guest(Act::Cancel, said), "{said}");
    }
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

#[test]
fn what_might_have_been_a_refusal_or_a_report_arranges_nothing() {
    for said in [
        "Could I have stayed another night?",
        "Hello! We could have stayed another night",
        "I would have liked to stay another night",
        "Could I have checked in earlier?",
        "I wish we had booked a suite",
        "I don't want to stay another night",
        "please don't change my booking",
        "no more nights please",
        "never move me to another room",
        "did my booking get extended?",
        "was I already checked in",
        "you changed my dates without asking",
        "somebody else checked in to my room",
        "I checked in yesterday",
        "My sister wants to stay another night",
        "Can other guests stay another night?",
        "my friend wants to check in",
        "check in my mother",
        "My husband will check in for me",
        "please check my parents in to the other room",
        "¿Podría haberme quedado otra noche?",
        "no quiero quedarme otra noche",
        "Mi hermana quiere quedarse otra noche",
    ] {
        assert!(!guest(Act::Arrange, said), "{said}");
    }
    for said in [
        "Beth Gibbs would have liked to stay another night",
        "Beth didn't want to stay another night",
        "don't extend BK-0042",
        "did Beth extend her stay?",
    ] {
        assert!(!staff(Act::Arrange, said), "{said}");
    }
}

#[test]
fn any_other_words_may_arrange_a_stay() {
    for said in [
        "Could I stay another night?",
        "Could I have another night?",
        "can't we stay one more night?",
        "My wife and I would like to stay another night",
        "I can't sleep here, could we move to 305?",
        "I didn't like 302, move me to 305",
        "No no, then I stay until Sunday",
        "no, 305 please",
        "my sister wants us to stay another night",
        "check in for my booking please",
        "check my wife and me in",
        "my flight was cancelled yesterday, i made it now. is my room still there? if yes check me in",
        "I've just arrived and want to check in",
        "I wnat room 306 not the othr one",
        "there should have been three of us, please book another room",
        "quiero quedarme otra noche",
        "yes",
    ] {
        assert!(guest(Act::Arrange, said), "{said}");
    }
    for said in [
        "302 wants to extend one night, and the tv is broken",
        "Mrs O'Brien cannot sleep for the lift noise. Please move her stay, BK-0024, to room 107.",
        "BK-0030 extends to the 15th",
        "Beth asked for one more night",
    ] {
        assert!(staff(Act::Arrange, said), "{said}");
    }
}
