//! The `search_guests` tool: finds guests by name, email, phone number, booking or room. One SOQL
//! query, and a second one if nothing was found and the text has another reading.

use dewy_domain::{
    auto_number::{in_form_of, is_possible, spellings, without_booking_words},
    booking_number::BookingNumber,
    caller::Caller,
    decimal_digits::with_ascii_digits,
    email_address::EmailAddress,
    full_width::narrow,
    guest::{FULL_PHONE, Guest, GuestQuery, GuestStay},
    guest_identity::GuestIdentity,
    one_line::OneLine,
    room_number::without_room_words,
    search_key::search_key,
    tool_answer::ToolAnswer,
    tool_catalog::SearchGuests,
    tool_output::{GuestListItem, GuestStayItem, ListResult},
    upstream_request::Outcome,
};

use crate::{hotel::hotel_service::Hotel, reads::list_answer::answer};

/// Maximum number of contacts to read for a search by name or by part of a phone number.
const MAX_CONTACTS: u32 = 500;
/// Digits that are more likely part of a phone number than a booking number.
const SHORTEST_PHONE: usize = 4;
/// Most digits of a room number without letters.
const LONGEST_ROOM: usize = 5;

pub(crate) async fn run(hotel: &Hotel, _: &Caller, input: SearchGuests) -> ToolAnswer {
    let mut all_read = true;
    let mut guests = Outcome::Done(Vec::new());
    let shown = hotel.crm.shown_booking_number();
    let stored_phone = |written: &str| Some(hotel.crm.phone_number(written)?.stored);
    for query in readings(&input.query, shown.as_deref(), stored_phone) {
        let fits = GuestFilter::of(&query);
        let most = if fits.narrows_after_read() {
            MAX_CONTACTS
        } else {
            input.limit + 1
        };
        let read = hotel.crm.guests(&query, most).await;
        let Outcome::Done(read) = read else {
            guests = read;
            break;
        };
        all_read = u32::try_from(read.len()).is_ok_and(|read| read < most);
        guests = Outcome::Done(read.into_iter().filter(|guest| fits.guest(guest)).collect());
        if matches!(&guests, Outcome::Done(found) if !found.is_empty()) || !all_read {
            break;
        }
    }
    let stay = |stay: GuestStay| GuestStayItem {
        booking_number: stay.booking_number,
        booking_status: stay.booking_status,
        room_number: stay.room_number,
        check_in_date: stay.check_in_date,
        check_out_date: stay.check_out_date,
    };
    let one = |guest: Guest| GuestListItem {
        guest_email: guest.email,
        first_name: guest.first_name,
        last_name: guest.last_name,
        phone: guest.phone,
        loyalty_number: guest.loyalty_number,
        stays: guest.stays.into_iter().map(stay).collect(),
    };
    let narrow =
        "There are more. Give more of the name, or an email, a booking number or a room number.";
    answer(guests, |guests| {
        let most = usize::try_from(input.limit).unwrap_or(usize::MAX);
        let cut = !all_read || guests.len() > most;
        let rows = guests.into_iter().take(most).map(one).collect();
        ListResult::new(rows, cut, narrow)
    })
}

/// Filter for the guests that were read, with conditions that the CRM can't evaluate.
struct GuestFilter {
    /// Words of the name, without accents; the CRM does not ignore them.
    terms: Vec<String>,
    /// Digits of a phone number that is written in many ways.
    phone: Option<String>,
}

impl GuestFilter {
    fn of(query: &GuestQuery) -> Self {
        Self {
            terms: match query {
                GuestQuery::Name(words) => words.iter().map(|word| plain(word)).collect(),
                _ => Vec::new(),
            },
            phone: match query {
                GuestQuery::Phone(digits) if digits.len() < FULL_PHONE => Some(digits.clone()),
                _ => None,
            },
        }
    }

    const fn narrows_after_read(&self) -> bool {
        !self.terms.is_empty() || self.phone.is_some()
    }

    fn guest(&self, guest: &Guest) -> bool {
        let phone = guest.phone.as_deref().unwrap_or_default();
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        let name = plain(&format!("{} {}", guest.first_name, guest.last_name));
        self.terms.iter().all(|word| name.contains(word.as_str()))
            && self
                .phone
                .as_ref()
                .is_none_or(|part| digits.contains(part.as_str()))
    }
}

/// Search key without apostrophes: `OBrien` is `O'Brien`.
fn plain(text: &str) -> String {
    search_key(text).replace('\'', "")
}

/// Interprets the search text; the likeliest reading comes first. `shown` is a booking number of the
/// org, and `stored_phone` reads a complete phone number.
fn readings(
    query: &str,
    shown: Option<&str>,
    stored_phone: impl Fn(&str) -> Option<String>,
) -> Vec<GuestQuery> {
    let query = OneLine::from(with_ascii_digits(&narrow(query)));
    let query = query.replace(['’', '‘', 'ʼ', '´', '`'], "'");
    let query = query.as_str();
    let digits: String = query.chars().filter(char::is_ascii_digit).collect();
    // "Gibbs, Beth" and "B. Gibbs": what stands between words is part of none
    let words = query
        .split(|c: char| c.is_whitespace() || ",;".contains(c))
        .map(|word| word.trim_matches(['.', '"', '\'', '(', ')']))
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_owned).collect();
    let name = || GuestQuery::Name(words.clone());
    // An org may give its rooms any name, also one with the word for a room in it
    let named =
        without_room_words(query).filter(|name| name.contains(|c: char| c.is_ascii_digit()));
    let rooms = || {
        let names = [Some(query), named].into_iter().flatten();
        names.map(|name| GuestQuery::Room(name.into()))
    };
    if let Some(number) = shown.and_then(|shown| in_form_of(shown, query)) {
        let booking = GuestQuery::Booking(vec![number.into()]);
        let others = readings(query, None, stored_phone);
        // `#42` may as well be a room, and `0101` the end of a phone number
        return match (without_booking_words(query), named) {
            (Some(_), Some(_)) => rooms().chain([booking]).chain(others).collect(),
            (Some(_), None) => [booking].into_iter().chain(others).collect(),
            (None, _) => others.into_iter().chain([booking]).collect(),
        };
    }
    let numbers = booking_spellings(query);
    if !numbers.is_empty() {
        // `BK-00` is the beginning of a number with its zeros; `Beth 2` is none
        let counter = query.trim_start_matches(|c: char| !c.is_ascii_digit());
        let begins = GuestQuery::BookingStart(query.into());
        let begins = counter.starts_with('0').then_some(begins);
        let readings = [GuestQuery::Booking(numbers)].into_iter().chain(begins);
        return readings.chain([name()]).chain(rooms()).collect();
    }
    if query.contains('@') {
        // One of several with the same email is named with their contacts
        let guest = GuestIdentity::from(query);
        let whole = guest
            .email()
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        return vec![if whole {
            GuestQuery::Email(guest)
        } else {
            GuestQuery::EmailPart(EmailAddress::from(query).into())
        }];
    }
    let phone = !query.contains(char::is_alphabetic);
    // An org may number its bookings without any letters, or in a form of its own.
    let booking = is_possible(query).then(|| GuestQuery::Booking(vec![query.into()]));
    let whole = digits.len() == query.len();
    match digits.len() {
        // Four or five digits that are no room are the end of a phone number
        SHORTEST_PHONE..=LONGEST_ROOM if whole => {
            let phone = [GuestQuery::Phone(digits)];
            rooms().chain(phone).chain(booking).collect()
        }
        1..SHORTEST_PHONE if whole => {
            let phone = (digits.len() > 1).then_some(GuestQuery::Phone(digits));
            rooms().chain(booking).chain(phone).collect()
        }
        SHORTEST_PHONE.. if phone => {
            let complete = stored_phone(query).filter(|_| digits.len() > LONGEST_ROOM);
            let digits = complete.map_or(digits, |stored| {
                let number = stored.split(' ').next().unwrap_or_default();
                number.trim_start_matches('+').to_owned()
            });
            [GuestQuery::Phone(digits)]
                .into_iter()
                .chain(booking)
                .collect()
        }
        _ => {
            let part = (phone && digits.len() > 1).then_some(GuestQuery::Phone(digits));
            let named = (!words.is_empty()).then(name);
            named
                .into_iter()
                .chain(booking)
                .chain(rooms())
                .chain(part)
                .collect()
        }
    }
}

fn booking_spellings(query: &str) -> Vec<BookingNumber> {
    spellings(query).into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader of complete numbers of North America.
    fn stored(written: &str) -> Option<String> {
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        let national = digits.strip_prefix('1').unwrap_or(&digits);
        (national.len() == 10).then(|| format!("+1{national}"))
    }

    #[test]
    fn search_text_kinds_are_recognized() {
        let name =
            |words: &[&str]| GuestQuery::Name(words.iter().map(|w| (*w).to_owned()).collect());
        for (query, expected) in [
            ("Beth Gibbs", name(&["Beth", "Gibbs"])),
            ("Gibbs, Beth", name(&["Gibbs", "Beth"])),
            ("Gibbs,B.", name(&["Gibbs", "B"])),
            ("o'brien", name(&["o'brien"])),
            ("o’brien", name(&["o'brien"])),
            (
                "nora.o’brien@",
                GuestQuery::EmailPart("nora.o'brien@".into()),
            ),
            ("302", GuestQuery::Room("302".into())),
            ("BK-0042", GuestQuery::Booking(booking_spellings("BK-0042"))),
            (
                "res 2026/42",
                GuestQuery::Booking(booking_spellings("res 2026/42")),
            ),
            (
                "Beth.Gibbs@email.com",
                GuestQuery::Email("beth.gibbs@email.com".into()),
            ),
            ("beth@", GuestQuery::EmailPart("beth@".into())),
            ("+1 212 555-0101", GuestQuery::Phone("12125550101".into())),
            ("(212) 555-0101", GuestQuery::Phone("12125550101".into())),
            (
                "２１２\u{2011}５５５ ٠١٠١",
                GuestQuery::Phone("12125550101".into()),
            ),
            ("555-0101", GuestQuery::Phone("5550101".into())),
            (
                "Beth <BETH＠example.com>",
                GuestQuery::Email("beth@example.com".into()),
            ),
            ("\u{202e}Beth\u{200b}", name(&["Beth"])),
            ("BKer", name(&["BKer"])),
        ] {
            assert_eq!(readings(query, None, stored)[0], expected, "{query}");
        }
    }

    #[test]
    fn ambiguous_search_text_is_searched_twice() {
        for (query, second) in [
            ("BK-00", GuestQuery::BookingStart("BK-00".into())),
            ("302", GuestQuery::Booking(vec!["302".into()])),
            ("0004711", GuestQuery::Booking(vec!["0004711".into()])),
            ("26/042", GuestQuery::Booking(vec!["26/042".into()])),
            ("0042 A.b", GuestQuery::Booking(vec!["0042 A.b".into()])),
            ("Beth 2", GuestQuery::Name(vec!["Beth".into(), "2".into()])),
            ("Casa Azul", GuestQuery::Room("Casa Azul".into())),
            ("Römer 3", GuestQuery::Room("Römer 3".into())),
        ] {
            assert_eq!(readings(query, None, stored)[1], second, "{query}");
        }
        for (query, third) in [
            ("BK-00", GuestQuery::Name(vec!["BK-00".into()])),
            ("55-5", GuestQuery::Room("55-5".into())),
            ("555", GuestQuery::Phone("555".into())),
        ] {
            assert_eq!(readings(query, None, stored)[2], third, "{query}");
        }
        for (query, last) in [
            ("Suite 12", GuestQuery::Room("Suite 12".into())),
            ("A-101", GuestQuery::Room("A-101".into())),
            ("55-5", GuestQuery::Phone("555".into())),
            ("Room 302", GuestQuery::Room("302".into())),
        ] {
            assert_eq!(readings(query, None, stored).last(), Some(&last), "{query}");
        }
        assert!(readings("#302", None, stored).contains(&GuestQuery::Room("302".into())));
        // A mark alone is in no name, so it finds nobody
        for query in ["'", "’.", "\"\""] {
            assert!(
                !readings(query, None, stored)
                    .iter()
                    .any(|one| matches!(one, GuestQuery::Name(_))),
                "{query}"
            );
        }
        let bookings = |query: &str| {
            let all = readings(query, Some("BK-0007"), stored);
            let place = |wanted: GuestQuery| all.iter().position(|one| *one == wanted);
            let room = query.trim_start_matches(|c: char| !c.is_ascii_digit());
            (
                place(GuestQuery::Booking(vec!["BK-0042".into()])).unwrap(),
                place(GuestQuery::Room(room.into())),
            )
        };
        assert_eq!(bookings("booking 42").0, 0);
        for query in ["#42", "no. 42", "0042"] {
            let (booking, room) = bookings(query);
            assert!(room.is_some_and(|room| room < booking), "{query}");
        }
        for query in ["beth@example.com", "+1 212 555-0101"] {
            assert_eq!(readings(query, None, stored).len(), 1, "{query}");
        }
    }
}
