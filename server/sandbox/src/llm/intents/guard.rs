//! What is decided before anything is heard: danger, orders that are no orders, what nobody may have, and who should
//! rather talk to a person.

use crate::llm::heard::name_fits;
use crate::llm::said::{Call, Said};

use super::{Ask, service};

/// The tool that hands a conversation to a person, where there is one.
const HAND_OVER: &str = "hand_over_to_staff";

/// What is decided before anything else is heard.
pub fn judge(ask: &Ask<'_>) -> Option<Said> {
    let heard = ask.whole;
    let words = |text: &str| Some(Said::Words(text.to_owned()));
    if heard.any(
        "fire | smoke in | ambulance | heart attack | unconscious | not breathing | bleeding | call the police \
            | being attacked | there is a fire",
    ) && !heard.any("smoke detector | fireplace | fire door | fire alarm test | fire exit")
    {
        let urgent = "If anybody is in danger, call the emergency number now. The front desk is always there as well.";
        return Some(hand_over(ask, "emergency", urgent));
    }
    if heard.any(
        "ignore your | ignore all | ignore the | ignore previous | forget your rules | disregard | promoted to \
            | you are now | developer mode | pretend | override | jailbreak | system prompt | admin mode \
            | new instructions | act as | your instructions | without authorisation | skip the check",
    ) || orders(&heard.source)
    {
        return words("I can't follow that: what I may do is decided by the hotel, not by a message. What can I do for your stay?")
            .filter(|_| ask.guest())
            .or_else(|| words("That is text, not an instruction for me, so I leave it alone. If it stands in a case, treat it as what somebody wrote."));
    }
    if heard.any(
        "a human | a person please | real person | talk to somebody | talk to someone | speak to somebody \
            | speak to someone | speak to a | talk to a | speak with a | the manager please \
            | speak to the manager | talk to the manager | speak to staff | speak with someone | talk to staff",
    ) && ask.guest()
    {
        return Some(hand_over(
            ask,
            "asked for a person",
            "Of course: the front desk is there for you, day and night, by phone or in the lobby.",
        ));
    }
    if ask.guest() { of_guests(ask) } else { of_staff(ask) }
}

/// A message that plays the system.
fn orders(source: &str) -> bool {
    let lower = source.to_lowercase();
    ["system:", "[system]", "<system>", "assistant:", "</facts>", "<facts>"].iter().any(|mark| lower.contains(mark))
}

fn of_guests(ask: &Ask<'_>) -> Option<Said> {
    let heard = ask.whole;
    let facts = &ask.talk.facts;
    let own = facts.get("guest_email").unwrap_or_default();
    let own_name =
        format!("{own} {} {}", facts.get("name").unwrap_or_default(), facts.get("guest_last_name").unwrap_or_default());
    let other_email = heard.slots.email().is_some_and(|email| email != own);
    // One word with a capital letter may be anything; a person is two, or has a title, or owns something.
    let person = |name: &String| {
        let owner = |raw: &str| name.ends_with(raw.trim_end_matches("'s").trim_end_matches("’s"));
        name.contains(' ')
            || heard.words.iter().any(|word| word.owner && owner(&word.raw))
            || heard.any("mr | mrs | ms | miss | dr")
    };
    // `A table at Chez Pierre` is a wish, not a question about Pierre.
    let wish = service::kind(heard, true).is_some() && !heard.words.iter().any(|word| word.owner);
    let other_name = !wish && heard.slots.names.iter().any(|name| person(name) && !name_fits(name, &own_name));
    let private = heard.any(
        "booking | reservation | room | stay | stays | staying | bill | owe | owes | card | receipt | phone \
            | number | email | folio | checked in | arrive | arrived | balance | charge",
    );
    let somebody = heard.any(
        "who is in | who stays in | who is staying | guest in | guests in the house | every guest | all guests \
            | other guests | other guest | next door staying | list of guests | which guests | neighbour's bill",
    );
    let others_room =
        heard.slots.room().is_some_and(|room| facts.get("room_number").is_some_and(|known| known != room))
            && heard.any("who | whose | guest | couple in | man in | woman in | people in | family in | they");
    if (other_email || other_name) && private || somebody || others_room {
        return Some(Said::Words("I can only speak about your own stay; other guests' details are private. Is there something of yours I can help with?".to_owned()));
    }
    let money_back = heard.any("@money-back");
    let follows = heard.any(
        "check out failed | charged but | has my refund | where is my refund | did my refund \
            | is my refund",
    );
    if money_back && !follows {
        return Some(hand_over(
            ask,
            "asks for money back",
            "I'm sorry to hear that. Refunds and reductions are decided by the front desk; please speak to them, they will look at it with you.",
        ));
    }
    if heard.any(
        "complaint | complain | unacceptable | disgusting | disgrace | worst hotel | rude | furious \
            | outrageous | appalling",
    ) && !heard.any("did anybody | what became | my complaint")
    {
        return Some(hand_over(
            ask,
            "complaint",
            "I'm sorry. That should not happen here; the front desk will hear you out at once.",
        ));
    }
    if heard.any(
        "so loud | too loud | very loud | noisy neighbours | loud party | loud music | party next door \
        | neighbours are",
    ) {
        return Some(hand_over(
            ask,
            "noise",
            "I'm sorry. The front desk will see to it at once: please ring them, day or night.",
        ));
    }
    if heard.any("key") && heard.any("lost | lose | left my key | locked out | locked myself | locked ourselves") {
        return Some(hand_over(
            ask,
            "key",
            "The front desk makes you a new key at once; please bring something with your name on it.",
        ));
    }
    information(ask)
}

/// What the house knows and this model does not.
fn information(ask: &Ask<'_>) -> Option<Said> {
    let heard = ask.whole;
    let asks = heard.any(
        "what time | when is | when does | when do you | until when | opening hours | open until | where is the \
            | where can i | is there a | do you have a | have you got a | how do i get | how far \
            | what is the wifi | wifi password | is the | do you offer | are there any | what is the weather \
            | recommend | do you allow | are pets | can i bring my dog | is parking | is breakfast | how late",
    );
    let place = heard.any(
        "breakfast | pool | gym | spa | sauna | wifi | restaurant | bar | parking | car park | garage | airport \
            | station | beach | pharmacy | check in time | check out time | is check out | is check in \
            | reception | lift | pets | dog | weather | smoking area | laundry room | business centre \
            | playground | shop | cash machine | atm | gift shop | terrace",
    );
    let booking = heard.slots.days.any() && heard.slots.room_type.is_some();
    let wish = heard.any(
        "@bill | @my-room | @arrival-question | could i | can i get | could we | i would like | bring | send | book me | not working | does not work \
            | broken | is down | my breakfast | our breakfast | reserve",
    );
    (asks && place && !booking && !wish).then(|| {
        Said::Words("I don't have the house's hours and places at hand, and would rather not guess: the front desk knows. I can help with your stay, your bill, your bookings and requests.".to_owned())
    })
}

fn of_staff(ask: &Ask<'_>) -> Option<Said> {
    let heard = ask.whole;
    let words = |text: &str| Some(Said::Words(text.to_owned()));
    let refund = heard.any("refund | give back | give* _ back | money back | compensate | reimburse");
    if refund
        && (heard.source.contains('%')
            || heard.any("half | part of | partly | some of | partial | percent | a third | a quarter"))
    {
        return words(
            "A payment goes back as a whole or not at all, and only that of a check-out that failed. A part of it can be settled at the terminal or as a credit by the desk.",
        );
    }
    if heard.any(
        "make/set/mark/put _ occupied | to occupied | as occupied | mark occupied | set occupied | occupied status",
    ) && heard.slots.room().is_some()
    {
        return words("Occupied comes and goes with check-in and check-out only. Shall I check somebody in?");
    }
    let money = refund
        || heard.any("owe | owes | bill | folio | balance | charge")
            && (heard.slots.cents().is_some() || heard.any("owe | owes | folio | balance"));
    if money && !ask.tools.offers("get_folio") && !ask.tools.offers("post_charge") {
        return words("Bills, charges and refunds are the front desk's. Please ask them; I can't from your role.");
    }
    let guests = heard.any(
        "who is in | who is staying | guest in | phone number of | email of | book | reserve | check in \
            | check out | cancel",
    );
    let desk = !ask.tools.offers("search_guests");
    let booking = heard.slots.booking().is_some() && heard.slots.named.cases.is_empty();
    if booking
        && !ask.tools.offers("manage_bookings")
        && heard.slots.named.executions.is_empty()
        && heard.any("@change | @cancel | @lengthen | @shorten | @no-come | @book")
    {
        return words("Bookings are the front desk's. Please ask them; I can help with rooms and cases.");
    }
    if desk
        && guests
        && !heard.any("case | close | after check out | check out clean")
        && heard.slots.named.executions.is_empty()
        && heard.slots.named.cases.is_empty()
        && (heard.slots.booking().is_some()
            || heard.any(
                "who is in | who is staying | book a | reserve a | check in | check out | phone number of \
                    | email of | cancel",
            ))
    {
        return words(
            "Guests and their bookings are the front desk's. Please ask them; I can help with rooms and cases.",
        );
    }
    None
}

fn hand_over(ask: &Ask<'_>, reason: &str, words: &str) -> Said {
    if ask.tools.offers(HAND_OVER) {
        let reason = format!("{reason}: {}", ask.whole.tidy()).chars().take(500).collect::<String>();
        return Said::Calls(vec![Call::to(HAND_OVER).with("reason", Some(reason))]);
    }
    Said::Words(words.to_owned())
}
