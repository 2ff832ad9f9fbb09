//! Arguments of a call, filled in by their schema names.

use jiff::civil::Date;
use serde_json::Value;

use super::Ask;
use crate::llm::examples::NO_TEAM;
use crate::llm::lexicon::{self, Match};
use crate::llm::said::Call;
use crate::llm::sentence::{Kind, Pause, Word, back, fold, one_of};

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
    let case = sentence.first(Kind::Case).is_some();
    let fact = |name: &str| ask.talk.fact(name).map(Value::from);
    let own = |name: &str| fact(name).filter(|_| !lists);
    let text = |kind: Kind| sentence.text(kind).map(Value::from);
    let number = |kind: Kind| sentence.number(kind).map(Value::from);
    let date = |date: Option<Date>| date.map(|date| Value::from(date.to_string()));
    let cut = |text: Option<String>, most: usize| {
        text.map(|text| Value::from(text.chars().take(most).collect::<String>()))
    };
    match name {
        _ if schema["enum"].is_array() => enumerated(ask, tool, name, schema["enum"].as_array()?),
        "assignee" => text(Kind::Email).filter(|_| case),
        "guest_email" | "room_number" | "description" | "subject"
            if tool == "manage_cases" && case =>
        {
            None
        }
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
        "new_guest_email" => text(Kind::Email).filter(|_| {
            sentence
                .words
                .iter()
                .any(|word| word.is("email mail address"))
        }),
        "first_name" | "guest_first_name" => full_name(ask).map(|(first, _)| Value::from(first)),
        "last_name" | "guest_last_name" => full_name(ask).map(|(_, last)| Value::from(last)),
        "phone" | "guest_phone" => text(Kind::Phone),
        "room_number" => {
            let near = ask
                .whole
                .text(Kind::Room)
                .filter(|_| tool.starts_with("submit_") || tool == "set_room_status");
            let known = || fact(name).filter(|_| tool == "submit_maintenance_request");
            sentence
                .text(Kind::Room)
                .or(near)
                .map(Value::from)
                .or_else(known)
        }
        "limit" => number(Kind::Limit),
        "number_of_guests" => number(Kind::People),
        "floor_filter" => sentence
            .all(Kind::Floor)
            .last()
            .map(|floor| Value::from(floor.number)),
        "amount" => number(Kind::Money),
        "check_in_date" | "check_out_date" if tool == "manage_bookings" => date(changed(ask, name)),
        "check_in_date" if tool == "check_in_guest" => {
            date(sentence.days.first.filter(|day| *day != today))
        }
        "check_in_date" => date(sentence.days.stay().0).or_else(|| fact("wanted_check_in_date")),
        "check_out_date" => date(sentence.days.stay().1).or_else(|| fact("wanted_check_out_date")),
        "from" | "from_date" | "to" | "to_date" => {
            let past = tool != "search_bookings" || ask.has(&["=No Show", "=Checked Out"]);
            let (from, to) = sentence.days.range(past, today);
            date(if name.starts_with("from") { from } else { to })
        }
        "query" => query(ask).map(Value::from),
        "tool" => {
            let tool = |found: &Match| {
                found
                    .concept
                    .strip_prefix('=')
                    .filter(|name| name.contains('_') && ask.tools.offers(name))
            };
            ask.matches.iter().find_map(tool).map(Value::from)
        }
        "void" => text(Kind::Charge).map(|_| Value::from(true)),
        "take_out_of_service" => ask.has(&["=Out of Service"]).then_some(Value::from(true)),
        "description" if tool == "post_charge" => cut(number(Kind::Money).map(|_| thing(ask)), 500),
        "subject" => cut(
            quoted(&sentence.source).or_else(|| Some(sentence.tidy())),
            255,
        ),
        "description" => cut(Some(sentence.tidy()), 2000),
        "comment" => cut(comment(ask), 2000),
        "reason" => cut(reason(ask, tool), 500),
        "special_requests" => cut(special(ask, tool), 500),
        _ => None,
    }
}

/// Address of the guest: named, or known and not another's.
pub fn guest(ask: &Ask<'_>) -> Option<String> {
    let known = ask.talk.fact("guest_email").filter(|email| {
        let known = fold(&format!(
            "{email} {}",
            ask.talk.fact("guest_found").unwrap_or_default()
        ));
        let family = |part: &str| {
            part.len() > 4
                && part
                    .strip_suffix('s')
                    .is_some_and(|one| known.contains(one))
        };
        let fits = |name: &str| {
            fold(name)
                .split([' ', '-'])
                .any(|part| part.len() > 1 && known.contains(part) || family(part))
        };
        ask.sentence.all(Kind::Name).all(|name| fits(&name.text))
    });
    ask.sentence
        .text(Kind::Email)
        .or(ask.whole.text(Kind::Email))
        .or(known)
        .map(str::to_owned)
}

/// Whether the sentence itself names a guest.
fn names_guest(ask: &Ask<'_>) -> bool {
    let pronoun = ask
        .sentence
        .words
        .iter()
        .any(|word| one_of(&word.text, "he she his her him they their them"));
    pronoun
        || ask
            .sentence
            .first(Kind::Email)
            .or(ask.sentence.first(Kind::Name))
            .is_some()
}

/// Search text for a guest.
pub fn query(ask: &Ask<'_>) -> Option<String> {
    let kinds = [
        Kind::Name,
        Kind::Phone,
        Kind::Email,
        Kind::Booking,
        Kind::Room,
    ];
    kinds
        .iter()
        .find_map(|kind| ask.sentence.text(*kind).or(ask.whole.text(*kind)))
        .map(str::to_owned)
}

fn full_name(ask: &Ask<'_>) -> Option<(String, String)> {
    let name = ask
        .sentence
        .all(Kind::Name)
        .find_map(|name| name.text.split_once(' '));
    name.map(|(first, last)| (first.to_owned(), last.to_owned()))
}

/// New arrival or departure of a booking.
fn changed(ask: &Ask<'_>, name: &str) -> Option<Date> {
    let (departs, shortens) = (name == "check_out_date", ask.has(&["shorten"]));
    let leaves = shortens || ask.has(&["lengthen", "leave"]);
    let (mut days, (first, last)) = (ask.sentence.all(Kind::Day), ask.sentence.days.stay());
    match (days.next(), days.next(), ask.sentence.number(Kind::Nights)) {
        (None, _, nights) => {
            let known: Date = ask.talk.fact("check_out_date")?.parse().ok()?;
            nights
                .filter(|_| departs)
                .map(|nights| back(known, if shortens { nights } else { -nights }))
        }
        (Some(only), None, _) => only
            .date
            .filter(|_| departs == (only.text == "to" || leaves && only.text != "from")),
        _ => {
            if departs {
                last
            } else {
                first
            }
        }
    }
}

/// Value of an enumeration named in the sentence; the last one if there are several.
fn enumerated(ask: &Ask<'_>, tool: &str, name: &str, values: &[Value]) -> Option<Value> {
    let case = ask.sentence.first(Kind::Case).is_some();
    let room = ask.sentence.first(Kind::Room).is_some();
    let known = || {
        ask.talk
            .fact("wanted_room_type")
            .or(ask.talk.fact("room_type"))
            .filter(|_| tool == "create_booking")
    };
    let named = match name {
        "priority" | "priority_filter" => ask.sentence.text(Kind::Priority),
        "room_type" if tool == "create_booking" && room => return None,
        "room_type" => {
            return ask
                .sentence
                .text(Kind::RoomType)
                .or_else(known)
                .map(Value::from);
        }
        "action" => return None,
        _ => None,
    };
    let is_value = |found: &&Match| {
        let meant = match found.concept {
            "closing" if tool == "manage_cases" => "Closed",
            "=New" if tool == "manage_cases" && case => "",
            concept => concept.strip_prefix('=').unwrap_or(""),
        };
        let denied = found.from > 0 && ask.sentence.words[found.from - 1].text == "not";
        values
            .iter()
            .find(|value| **value == meant && !denied)
            .map(|value| (found.to - found.from, found.from, value.clone()))
    };
    let found = ask
        .matches
        .iter()
        .filter_map(|found| is_value(&found))
        .max_by_key(|(length, from, _)| (*length, *from));
    let named = named.map(Value::from).or(found.map(|(_, _, value)| value));
    let lists = tool.starts_with("search_");
    if named.is_some()
        || !matches!(name, "type" | "case_type_filter")
        || case
        || lists && !ask.talk.is_guest()
    {
        return named;
    }
    // Team responsible for a request
    let offered = |team: &str| lists && team == NO_TEAM || values.iter().any(|value| value == team);
    Some(Value::from(ask.model.team.best(&ask.features, offered).0)).filter(|team| team != NO_TEAM)
}

/// Description of a charge: words that are neither entities nor politeness.
fn thing(ask: &Ask<'_>) -> String {
    const OTHER: &str = "please kindly charge put add post bill a an the for of on to onto in room booking folio account and with \
        their his her would you could will some guest us it as had quite";
    let sentence = ask.sentence;
    let free = |place: usize| {
        !sentence
            .entities
            .iter()
            .any(|entity| (entity.from..entity.to).contains(&place))
    };
    let words = sentence
        .words
        .iter()
        .enumerate()
        .filter(|(place, word)| free(*place) && !one_of(&word.text, OTHER));
    let words: Vec<&str> = words.map(|(_, word)| word.text.as_str()).collect();
    if words.is_empty() {
        sentence.tidy()
    } else {
        words.join(" ")
    }
}

fn quoted(source: &str) -> Option<String> {
    let quoted = |(open, close): &(&str, &str)| {
        source
            .split_once(open)?
            .1
            .split_once(close)
            .map(|(quoted, _)| quoted.to_owned())
    };
    [(" '", "'"), (" \"", "\""), (" “", "”")]
        .iter()
        .find_map(quoted)
}

/// Comment on a case: the text after a colon or a comma, or all of it.
fn comment(ask: &Ask<'_>) -> Option<String> {
    ask.sentence.first(Kind::Case)?;
    let rest = [": ", ", ", " that "]
        .iter()
        .find_map(|mark| ask.sentence.source.split_once(mark).map(|(_, rest)| rest));
    let rest = rest.map(|rest| {
        rest.trim_start_matches("please")
            .trim_matches(|letter: char| !letter.is_alphanumeric())
    });
    let asked = ask
        .sentence
        .words
        .iter()
        .any(|word| word.is("comment note add"));
    let long = rest.filter(|rest| rest.contains(' ')).map(str::to_owned);
    long.or_else(|| asked.then(|| ask.sentence.tidy()))
}

/// Reason: the text after `because`, a colon or a comma, or all of it.
fn reason(ask: &Ask<'_>, tool: &str) -> Option<String> {
    let source = &ask.sentence.source;
    let marks = ["reason:", "because", ": ", "; ", ", "];
    let after = marks.iter().find_map(|mark| {
        source
            .find(mark)
            .and_then(|found| source.get(found + mark.len()..))
    });
    let after = after
        .map(|text| text.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|text| text.len() > 2);
    let whole =
        (tool == "resolve_execution" && ask.sentence.words.len() > 4).then(|| ask.sentence.tidy());
    after.map(str::to_owned).or(whole)
}

/// Special request beside a booking: the whole text of a change that changes nothing else, or the
/// clause that asks for more than a room.
fn special(ask: &Ask<'_>, tool: &str) -> Option<String> {
    let sentence = ask.sentence;
    if tool == "manage_bookings" {
        let changes = [
            Kind::Room,
            Kind::Day,
            Kind::People,
            Kind::RoomType,
            Kind::Nights,
            Kind::Email,
        ];
        return (!changes.iter().any(|kind| sentence.first(*kind).is_some()))
            .then(|| sentence.tidy());
    }
    let mut from = 0;
    let ends = (0..sentence.words.len()).filter(|place| sentence.words[*place].pause > Pause::None);
    let clauses = ends.map(|end| {
        sentence.part(
            std::mem::replace(&mut from, end + 1),
            end + 1,
            ask.talk.today(),
        )
    });
    let more = |words: &[Word]| {
        lexicon::matches(words)
            .iter()
            .any(|found| found.concept == "extra")
    };
    let clauses = clauses.filter(|clause| {
        clause.entities.is_empty() && clause.words.len() > 2 && more(&clause.words)
    });
    clauses.last().map(|clause| clause.source)
}
