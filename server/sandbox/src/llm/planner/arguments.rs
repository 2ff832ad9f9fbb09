//! Arguments of a call, filled in by their schema names.

use jiff::civil::Date;
use serde_json::Value;

use super::Ask;
use crate::llm::examples::NO_TEAM;
use crate::llm::lexicon::{self, Match};
use crate::llm::said::Call;
use crate::llm::sentence::{Kind, Pause, add, fold, one_of};

/// Call with every argument known from the sentence or the facts.
pub fn fill(ask: &Ask<'_>, tool: &str) -> Call {
    let fields = ask.tools.fields(tool).into_iter().flatten();
    fields.fold(Call::to(tool), |call, (name, schema)| {
        call.with(name, value(ask, tool, name, schema))
    })
}

fn value(ask: &Ask<'_>, tool: &str, name: &str, schema: &Value) -> Option<Value> {
    let (sentence, today) = (ask.sentence, ask.talk.today());
    let lists = tool.starts_with("search_") || tool.starts_with("list_");
    let case = tool == "manage_cases" && sentence.first(Kind::Case).is_some();
    let fact = |name: &str| ask.talk.fact(name).map(Value::from);
    let own = |name: &str| fact(name).filter(|_| !lists);
    let text = |kind: Kind| sentence.text(kind).map(Value::from);
    let number = |kind: Kind| sentence.number(kind).map(Value::from);
    let date = |date: Option<Date>| date.map(|date| Value::from(date.to_string()));
    let said = |most: usize| {
        let text: String = sentence.tidy().chars().take(most).collect();
        Some(Value::from(text))
    };
    let says = |list: &str| sentence.words.iter().any(|word| word.is(list));
    match name {
        "filter" if fact("stay_status").is_some_and(|status| status == "Reserved") => {
            enumerated(ask, tool, name, schema).or(Some(Value::from("upcoming")))
        }
        _ if schema["enum"].is_array() => enumerated(ask, tool, name, schema),
        "assignee" => text(Kind::Email).filter(|_| case),
        "guest_email" | "room_number" | "description" | "subject" if case => None,
        "booking_number" => {
            text(Kind::Booking).or_else(|| fact(name).filter(|_| tool == "manage_bookings"))
        }
        "case_number" => text(Kind::Case),
        "charge_number" => text(Kind::Charge),
        "execution_id" => text(Kind::Execution).or_else(|| own(name)),
        "payment_intent_id" => text(Kind::Payment)
            .or_else(|| own(name))
            .or_else(|| own("payment_intent")),
        "guest_email" => guest(ask)
            .filter(|_| !lists || names_guest(ask))
            .map(Value::from),
        "email" => text(Kind::Email),
        "new_guest_email" => text(Kind::Email).filter(|_| says("email mail address")),
        "first_name" | "guest_first_name" => full_name(ask).map(|(first, _)| Value::from(first)),
        "last_name" | "guest_last_name" => full_name(ask).map(|(_, last)| Value::from(last)),
        "phone" | "guest_phone" => text(Kind::Phone),
        // `From 104 to 305`
        "room_number" if tool == "manage_bookings" => {
            let room = sentence.all(Kind::Room).last();
            room.map(|room| Value::from(room.text.as_str()))
        }
        "room_number" => {
            let near = tool.starts_with("submit_") || tool == "set_room_status";
            let near = ask.whole.text(Kind::Room).filter(|_| near).map(Value::from);
            let known = || fact(name).filter(|_| tool == "submit_maintenance_request");
            text(Kind::Room).or(near).or_else(known)
        }
        "limit" => number(Kind::Limit),
        "number_of_guests" => number(Kind::People),
        "floor_filter" => {
            let floor = sentence.all(Kind::Floor).last();
            floor.map(|floor| Value::from(floor.number))
        }
        "amount" => number(Kind::Money),
        "check_in_date" | "check_out_date" if tool == "manage_bookings" => date(changed(ask, name)),
        "check_in_date" if tool == "check_in_guest" => {
            date(sentence.days.first.filter(|day| *day != today))
        }
        "check_in_date" => date(sentence.days.stay().0).or_else(|| fact("wanted_check_in_date")),
        "check_out_date" => date(sentence.days.stay().1).or_else(|| fact("wanted_check_out_date")),
        "from" | "from_date" => date(sentence.days.range().0),
        "to" | "to_date" => date(sentence.days.range().1),
        "query" => query(ask).map(Value::from),
        "tool" => {
            let tool = |found: &Match| {
                let name = found.concept.strip_prefix('=')?;
                (name.contains('_') && ask.tools.offers(name)).then(|| Value::from(name))
            };
            ask.matches.iter().find_map(tool)
        }
        "void" => text(Kind::Charge).map(|_| Value::from(true)),
        "take_out_of_service" => ask.has(&["=Out of Service"]).then_some(Value::from(true)),
        "description" if tool == "post_charge" => {
            let what = sentence.source.rsplit_once(" for ").map(|(_, what)| what);
            number(Kind::Money)?;
            what.map(Value::from).or_else(|| said(500))
        }
        "subject" => said(255),
        "description" => said(2000),
        "comment" if sentence.first(Kind::Case).is_some() && says("comment note add") => said(2000),
        "reason" => said(500),
        "special_requests" if tool == "manage_bookings" => {
            let changes = |kind: Kind| !matches!(kind, Kind::Booking | Kind::Name | Kind::Number);
            let mut entities = sentence.entities.iter();
            let other = entities.any(|entity| changes(entity.kind));
            said(500).filter(|_| !other && !ask.has(&["lengthen", "shorten"]))
        }
        "special_requests" => special(ask).map(Value::from),
        _ => None,
    }
}

/// Address of the guest: named, or known and not another's.
pub fn guest(ask: &Ask<'_>) -> Option<String> {
    let known = ask.talk.fact("guest_email").filter(|email| {
        let found = ask.talk.fact("guest_found").unwrap_or_default();
        let known = fold(&format!("{email} {found}"));
        let fits = |name: &str| {
            let name = fold(name);
            let mut parts = name.split([' ', '-']);
            parts.any(|part| part.len() > 1 && known.contains(part.trim_end_matches('s')))
        };
        ask.sentence.all(Kind::Name).all(|name| fits(&name.text))
    });
    let named = ask.sentence.text(Kind::Email);
    let named = named.or(ask.whole.text(Kind::Email));
    named.or(known).map(str::to_owned)
}

/// Whether the sentence itself names a guest.
fn names_guest(ask: &Ask<'_>) -> bool {
    let mut words = ask.sentence.words.iter();
    words.any(|word| one_of(&word.text, "he she his her him they their them"))
        || ask.sentence.first(Kind::Email).is_some()
        || ask.sentence.first(Kind::Name).is_some()
}

/// Search text for a guest.
pub fn query(ask: &Ask<'_>) -> Option<String> {
    use Kind::{Booking, Email, Name, Phone, Room};
    let said = |kind: Kind| ask.sentence.text(kind).or(ask.whole.text(kind));
    let found = [Name, Phone, Email, Booking, Room]
        .into_iter()
        .find_map(said);
    found.map(str::to_owned)
}

fn full_name(ask: &Ask<'_>) -> Option<(String, String)> {
    let mut names = ask.sentence.all(Kind::Name);
    let (first, last) = names.find_map(|name| name.text.split_once(' '))?;
    Some((first.to_owned(), last.to_owned()))
}

/// New arrival or departure of a booking.
fn changed(ask: &Ask<'_>, name: &str) -> Option<Date> {
    let (departs, shortens) = (name == "check_out_date", ask.has(&["shorten"]));
    let leaves = shortens || ask.has(&["lengthen", "leave"]);
    let (mut days, (first, last)) = (ask.sentence.all(Kind::Day), ask.sentence.days.stay());
    // `Tonight` means a night, but not that it is the only one.
    let mut nights = ask
        .sentence
        .all(Kind::Nights)
        .filter(|nights| nights.to > nights.from);
    let nights = nights.next().map(|nights| nights.number);
    match (days.next(), days.next(), nights) {
        (None, _, nights) => {
            let known: Date = ask.talk.fact("check_out_date")?.parse().ok()?;
            let nights = nights.filter(|_| departs)?;
            Some(add(known, if shortens { -nights } else { nights }))
        }
        (Some(only), None, None) => {
            let is_departure = only.text == "to" || leaves && only.text != "from";
            let moves =
                |day: &Date| departs == is_departure && (departs || *day > ask.talk.today());
            only.date.filter(moves)
        }
        _ if departs => last,
        _ => first,
    }
}

/// Clause that asks for more than a room.
fn special(ask: &Ask<'_>) -> Option<String> {
    let (words, mut from, mut found) = (&ask.sentence.words, 0, None);
    for to in 1..=words.len() {
        if to < words.len() && words[to - 1].pause == Pause::None {
            continue;
        }
        let clause = ask.sentence.part(from, to, ask.talk.today());
        let concepts = lexicon::matches(&clause.words);
        let more = concepts.iter().any(|found| found.concept == "extra");
        if more && clause.entities.is_empty() && clause.words.len() > 2 {
            found = Some(clause.source.chars().take(500).collect());
        }
        from = to;
    }
    found
}

/// Value of an enumeration named in the sentence; the last one if there are several.
fn enumerated(ask: &Ask<'_>, tool: &str, name: &str, schema: &Value) -> Option<Value> {
    let values = schema["enum"].as_array()?;
    let named = |kind: Kind| ask.sentence.text(kind).map(Value::from);
    let case = ask.sentence.first(Kind::Case).is_some();
    let found = match name {
        "action" => return None,
        "room_type" if tool == "create_booking" && named(Kind::Room).is_some() => return None,
        "room_type" => {
            let wanted = ask
                .talk
                .fact("wanted_room_type")
                .or(ask.talk.fact("room_type"));
            let wanted = wanted.filter(|_| tool == "create_booking").map(Value::from);
            return named(Kind::RoomType).or(wanted);
        }
        "priority" | "priority_filter" => named(Kind::Priority),
        _ => None,
    };
    let is_value = |found: &Match| {
        let meant = match found.concept {
            "closing" if tool == "manage_cases" => "Closed",
            "=New" if tool == "manage_cases" && case => "",
            concept => concept.strip_prefix('=').unwrap_or(""),
        };
        let denied = found.from > 0 && ask.sentence.words[found.from - 1].text == "not";
        let value = values.iter().find(|value| **value == meant && !denied)?;
        Some((found.to - found.from, found.from, value.clone()))
    };
    let matched = ask.matches.iter().filter_map(is_value);
    let matched = matched.max_by_key(|(length, from, _)| (*length, *from));
    let found = found.or(matched.map(|(_, _, value)| value));
    let lists = tool.starts_with("search_");
    let by_team = matches!(name, "type" | "case_type_filter") && !case;
    if found.is_some() || !by_team || lists && !ask.talk.is_guest() {
        return found;
    }
    // Team responsible for a request
    let offered = |team: &str| lists && team == NO_TEAM || values.iter().any(|value| value == team);
    Some(Value::from(ask.model.team.best(&ask.features, offered).0)).filter(|team| team != NO_TEAM)
}
