//! Rooms that are free, and bookings to be made.

use crate::llm::heard::Pause;
use crate::llm::said::Call;

use super::{Ask, Family, Guess, wish};

const BOOKS: &str = "@book";
const LOOKS: &str = "@free";
const ROOMS: &str = "@lodging";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    let (first, last) = slots.days.stay();
    let known_first = || ask.fact("wanted_check_in_date").and_then(|day| day.parse().ok());
    let taken = slots.room().is_some() && first.is_some() && (last.is_some() || slots.days.nights.is_some());
    let books = heard.wants(BOOKS)
        || heard.begins("book")
        || taken && heard.any("book | take | have | want | get | like | give me");
    let looks = heard.any(LOOKS);
    let roomy = heard.any(ROOMS) || slots.room_type.is_some();
    // Staff who name a new guest and a stay mean a booking, whatever the verb.
    let named_guest = !ask.guest() && slots.email().is_some() && first.is_some() && (roomy || slots.room().is_some());
    let dated = first.is_some() || last.is_some() || slots.days.nights.is_some();
    let errand = heard.any("wake | table | breakfast | taxi | massage | ticket | restaurant")
        && !heard.any("room | suite | deluxe | standard | penthouse");
    if errand
        || heard.any(
            "wake | table | breakfast | taxi | massage | check out | case | cases | booking | reservation | arrivals",
        ) && !books
    {
        return None;
    }
    let enough = ask.guest() || dated || slots.email().is_some();
    if books
        && enough
        && ask.tools.offers("create_booking")
        && (dated || roomy || slots.room().is_some() || known_first().is_some())
    {
        let first = first.or_else(known_first).or_else(|| slots.days.nights.map(|_| ask.talk.today()));
        return Some(create(ask, first, last));
    }
    // All of a stay and a type are told: nothing is left to be looked for.
    let told = !heard.asks() && slots.room_type.is_some() && last.is_some();
    if named_guest && ask.tools.offers("create_booking") && (!looks || told) && !slots.names.is_empty() {
        return Some(create(ask, first, last));
    }
    if !ask.tools.offers("search_available_rooms") || slots.room().is_some() || slots.booking().is_some() {
        return None;
    }
    let wanted = dated
        && (roomy && (looks || last.is_some() || slots.days.nights.is_some() || heard.words.len() < 5)
            || looks && first.is_some() && (last.is_some() || slots.days.nights.is_some())
            || (looks && slots.people.is_some())
            || heard.any("free | available | what is left | vacancies | vacancy | availability"));
    let free = looks && roomy && heard.any("available | free | vacancies | availability | vacancy") && ask.guest();
    if !(wanted || free) {
        return None;
    }
    let first = first.or_else(|| slots.days.nights.map(|_| ask.talk.today()));
    let (from, to) = stay(ask, first, last);
    let call = Call::to("search_available_rooms")
        .with("check_in_date", from)
        .with("check_out_date", to)
        .with("number_of_guests", slots.people)
        .with("room_type", slots.room_type)
        .with("limit", slots.limit);
    let whole = (looks || slots.people.is_some()) && slots.days.first.is_some() && slots.days.last.is_some();
    Some(Guess::call(
        if whole {
            78
        } else if looks {
            76
        } else {
            70
        },
        Family::Book,
        call,
    ))
}

type Day = Option<jiff::civil::Date>;

fn stay(ask: &Ask<'_>, first: Day, last: Day) -> (Option<String>, Option<String>) {
    use jiff::ToSpan as _;
    let nights = ask.heard.slots.days.nights;
    let last = last.or_else(|| first?.checked_add(nights?.days()).ok());
    let known = |name: &str| ask.fact(name).map(str::to_owned).filter(|_| first.is_none() || last.is_none());
    let from = first.map(|day| day.to_string()).or_else(|| known("wanted_check_in_date"));
    let to = last.map(|day| day.to_string()).or_else(|| known("wanted_check_out_date").filter(|_| nights.is_none()));
    (from, to)
}

fn create(ask: &Ask<'_>, first: Day, last: Day) -> Guess {
    let slots = &ask.heard.slots;
    let whole = &ask.whole.slots;
    let (from, to) = stay(ask, first, last);
    let kind = slots.room_type.or(whole.room_type).map(str::to_owned);
    let kind = kind
        .or_else(|| ask.fact("wanted_room_type").or(ask.fact("room_type")).map(str::to_owned))
        .filter(|_| slots.room().is_none());
    let name = ask.name().and_then(|name| name.split_once(' ')).filter(|_| !ask.guest());
    let names = |part: &str| ask.fact(part).map(str::to_owned).filter(|_| ask.guest());
    if kind.is_none() && slots.room().is_none() {
        // Which room is open: first those that are free are shown.
        let call = Call::to("search_available_rooms")
            .with("check_in_date", from)
            .with("check_out_date", to)
            .with("number_of_guests", slots.people);
        return Guess::call(74, Family::Book, call);
    }
    let call = Call::to("create_booking")
        .with("guest_email", ask.email())
        .with("guest_first_name", name.map(|(first, _)| first.to_owned()).or_else(|| names("guest_first_name")))
        .with("guest_last_name", name.map(|(_, last)| last.to_owned()).or_else(|| names("guest_last_name")))
        .with("guest_phone", slots.named.phone.as_deref())
        .with("room_number", slots.room())
        .with("room_type", kind)
        .with("check_in_date", from)
        .with("check_out_date", to)
        .with("number_of_guests", slots.people)
        .with("special_requests", wish(ask));
    Guess::call(87, Family::Book, call)
}

/// What stands after `with`, or `could I have`.
fn wish(ask: &Ask<'_>) -> Option<String> {
    let heard = ask.whole;
    let leads = [
        "could i have",
        "could we have",
        "can i have",
        "can we have",
        "and with",
        "we need",
        "i need",
        "they need",
        "they would like",
        "he needs",
        "she needs",
        "with a",
        "with an",
        "no",
    ];
    let Some((lead, at)) = leads.iter().find_map(|lead| heard.at(lead).map(|at| (lead, at))) else {
        return wish::special(heard);
    };
    let from = at + lead.split(' ').count() - usize::from(lead.ends_with(" a") || lead.ends_with(" an"));
    let from = if *lead == "no" { from - 1 } else { from };
    let length = heard.words[from..].iter().position(|word| word.pause > Pause::None).map_or(usize::MAX, |end| end + 1);
    let wished: Vec<&str> = heard.words[from..]
        .iter()
        .take(length)
        .map(|word| word.text.as_str())
        .take_while(|text| !["for", "from", "on"].contains(text))
        .filter(|text| *text != "please")
        .collect();
    let text = wished.join(" ");
    (!text.is_empty() && !["a room", "suite", "deluxe", "standard", "one"].iter().any(|room| text.contains(room)))
        .then_some(text)
}
