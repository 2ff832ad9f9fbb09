//! What a sentence is about, where no rule has understood it: evidence is counted, and only what changes nothing, or passes a
//! wish on to people, is done upon it.

use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics};

/// Nothing is done on less evidence.
const ENOUGH: u8 = 2;

/// Hears it; `None` where there is too little to go by.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let guess = if ask.guest() { of_guest(ask) } else { of_staff(ask) }?;
    let offered =
        matches!(&guess.said, super::Said::Calls(calls) if calls.iter().all(|call| ask.tools.offers(&call.tool)));
    offered.then_some(guess)
}

/// How many of these hold.
fn evidence(of: &[bool]) -> u8 {
    of.iter().map(|holds| u8::from(*holds)).sum()
}

fn of_guest(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let asks =
        heard.asks() || heard.any("show | list | tell me | remind me | see | wonder | know | look up | forgot | check");
    let mine = heard.any("i | me | my | mine | we | us | our");
    let call = |tool: &str| Call::to(tool);
    if let Some(id) = ask.fact("execution_id")
        && heard.any("@became | @outcome | @run-trouble")
        && (asks || heard.any("@run-trouble | @became"))
    {
        return Some(Guess::call(45, Family::Runs, call("get_execution").with("execution_id", Some(id))));
    }
    if ask.fact("folio_balance").is_some() && heard.wants("@agree") && !heard.asks() {
        let balance = ask.fact("folio_balance").and_then(|cents| cents.parse::<i64>().ok());
        return Some(Guess::call(45, Family::Exit, call("process_guest_checkout").with("amount", balance)));
    }
    let stay = heard.slots.days.stay();
    if let (Some(first), Some(last)) = stay
        && heard.slots.booking().is_none()
        && evidence(&[heard.any("@free"), heard.any("@lodging"), heard.slots.people.is_some(), asks]) > 0
        && last > first
    {
        let wanted = call("search_available_rooms")
            .with("check_in_date", Some(first.to_string()))
            .with("check_out_date", Some(last.to_string()))
            .with("number_of_guests", heard.slots.people)
            .with("room_type", heard.slots.room_type);
        return Some(Guess::call(45, Family::Book, wanted));
    }
    let about = |concept: &'static str| evidence(&[heard.any(concept), asks, mine]) > ENOUGH;
    if about("@ask-request") {
        return Some(Guess::call(42, Family::Cases, call("search_cases_on_behalf_of_guest")));
    }
    if about("@ask-money") {
        return Some(Guess::call(42, Family::Exit, call("get_folio")));
    }
    if about("@ask-booking") {
        return Some(Guess::call(
            42,
            Family::Bookings,
            call("search_bookings").with("status", topics::booking_status(heard)),
        ));
    }
    if about("@ask-stay") {
        return Some(Guess::call(42, Family::Bookings, call("search_rooms_on_behalf_of_guest")));
    }
    let fixture = heard.any("@fixture")
        && !heard.any("his | her | he | she | they | lost | found | dropped | left | name")
        && !heard.asks()
        && (heard.any("there is | there are | it | keeps | all over | everywhere | help") || heard.words.len() < 7);
    let errand = heard.any("@errand")
        && (heard.any("please | could | can | would | need | like | want") || heard.begins("@errand"));
    let kind = if fixture { "Maintenance" } else { "Concierge" };
    (fixture || errand && !heard.any("tell me | joke | story | sing")).then(|| {
        let wish = call("submit_guest_service_request")
            .with("type", Some(kind))
            .with("priority", topics::priority(heard))
            .with("description", Some(ask.whole.tidy().chars().take(2000).collect::<String>()));
        Guess::call(42, Family::Service, wish)
    })
}

fn of_staff(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    let asks =
        heard.asks() || heard.any("show | list | tell me | see | know | look | find | check") || heard.words.len() < 5;
    if let Some(number) = slots.named.cases.first() {
        let call = Call::to("search_cases_on_behalf_of_staff").with("case_number", Some(number.as_str()));
        return Some(Guess::call(45, Family::Cases, call));
    }
    if let Some(id) = ask.fact("execution_id")
        && heard.any("@became | @run-trouble | @outcome")
    {
        return Some(Guess::call(45, Family::Runs, Call::to("get_execution").with("execution_id", Some(id))));
    }
    let listed = asks && topics::booking_status(heard).is_some() && slots.days.any() && slots.names.is_empty();
    if listed && ask.tools.offers("search_bookings") {
        let (from, to) = slots.days.filter();
        let call = Call::to("search_bookings")
            .with("guest_email", slots.email())
            .with("status", topics::booking_status(heard))
            .with("from_date", from.map(|day| day.to_string()))
            .with("to_date", to.map(|day| day.to_string()))
            .with("room_number", slots.room());
        return Some(Guess::call(45, Family::Bookings, call));
    }
    if let (Some(first), Some(last)) = slots.days.stay()
        && ask.tools.offers("search_available_rooms")
        && evidence(&[heard.any("@free"), heard.any("@lodging"), slots.people.is_some()]) > 0
        && last > first
    {
        let call = Call::to("search_available_rooms")
            .with("check_in_date", Some(first.to_string()))
            .with("check_out_date", Some(last.to_string()))
            .with("number_of_guests", slots.people)
            .with("room_type", slots.room_type);
        return Some(Guess::call(45, Family::Book, call));
    }
    let query =
        slots.names.first().map(String::as_str).or(slots.named.phone.as_deref()).or(slots.booking()).or(slots.email());
    if let Some(query) = query.filter(|_| ask.tools.offers("search_guests")) {
        return Some(Guess::call(42, Family::Find, Call::to("search_guests").with("query", Some(query))));
    }
    if let Some(room) = slots.room().filter(|_| asks) {
        let for_desk = heard.any("@change | @cancel | @lengthen | @shorten | @book | @bill | @give-back");
        if slots.cents().is_some() || for_desk || heard.any("occupied") {
            return None;
        }
        let guest = heard.any("guest | who | whose | gentleman | lady | couple | family | people");
        let call = if guest {
            Call::to("search_guests").with("query", Some(room))
        } else {
            Call::to("search_cases_on_behalf_of_staff").with("room_number", Some(room))
        };
        return Some(Guess::call(42, Family::Cases, call));
    }
    let rooms = slots.floor.is_some() || slots.room_type.is_some() && topics::room_status(heard).is_some();
    (rooms && asks).then(|| {
        let call = Call::to("search_rooms_on_behalf_of_staff")
            .with("status_filter", topics::room_status(heard))
            .with("floor_filter", slots.floor)
            .with("room_type", slots.room_type);
        Guess::call(42, Family::Rooms, call)
    })
}
