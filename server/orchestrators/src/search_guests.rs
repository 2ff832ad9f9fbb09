//! The `search_guests` tool: finds guests by name, email, phone number, booking or room. One SOQL
//! query.

use dewy_domain::{
    answer::ToolAnswer,
    call::Reply,
    guest::{Guest, GuestQuery},
    search_key::search_key,
};
use serde_json::{Value, json};

use crate::{
    hotel::Hotel,
    listing::{answer, limit, list},
};

/// How many contacts are read for a search by name, or by a part of a phone number.
const WIDELY: u32 = 500;
/// Fewer digits are a room.
const SHORTEST_PHONE: usize = 4;
/// So many digits are a whole phone number, however its country is written.
const WHOLE_PHONE: usize = 10;

/// The matching guests.
pub(crate) async fn run(hotel: &Hotel, input: &Value) -> ToolAnswer {
    let limit = limit(input, 20);
    let mut query = by(input["query"].as_str().unwrap_or_default());
    // Four or five digits that are no room are the end of a phone number
    if let GuestQuery::Room(digits) = &query
        && digits.len() >= SHORTEST_PHONE
        && matches!(hotel.crm.guests(&query, 1).await, Reply::Done(guests) if guests.is_empty())
    {
        query = GuestQuery::Phone(digits.clone());
    }
    let part_of_phone = match &query {
        GuestQuery::Phone(digits) if digits.len() < WHOLE_PHONE => Some(digits.clone()),
        _ => None,
    };
    // Names are queried more broadly than requested: the CRM does not ignore accents.
    let words = match &query {
        GuestQuery::Name(words) => words.iter().map(|word| search_key(word)).collect(),
        _ => Vec::new(),
    };
    let widely = !words.is_empty() || part_of_phone.is_some();
    let most = if widely { WIDELY } else { limit + 1 };
    let fits = |guest: &&Guest| {
        let phone = guest.phone.as_deref().unwrap_or_default();
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        if part_of_phone
            .as_ref()
            .is_some_and(|part| !digits.contains(part.as_str()))
        {
            return false;
        }
        let name = search_key(&format!("{} {}", guest.first_name, guest.last_name));
        words
            .iter()
            .all(|word: &String| name.contains(word.as_str()))
    };
    let one = |guest: &Guest| {
        let stays: Vec<_> = guest
            .stays
            .iter()
            .map(|s| {
                json!({ "booking_number": s.booking_number, "booking_status": s.booking_status, "room_number": s.room_number,
                    "check_in_date": s.check_in_date, "check_out_date": s.check_out_date })
            })
            .collect();
        json!({ "guest_email": guest.email, "first_name": guest.first_name, "last_name": guest.last_name,
            "phone": guest.phone, "loyalty_number": guest.loyalty_number, "stays": stays })
    };
    let narrow =
        "There are more. Give more of the name, or an email, a booking number or a room number.";
    answer(hotel.crm.guests(&query, most).await, |guests| {
        let all_read = u32::try_from(guests.len()).is_ok_and(|read| read < most);
        let mut found = list(
            "guests",
            guests.iter().filter(fits).map(one).collect(),
            limit,
            narrow,
        );
        if !all_read && found["cut"] != true {
            found["cut"] = json!(true);
            found["how_to_narrow"] = json!(narrow);
        }
        found
    })
}

/// Interprets the search text.
fn by(query: &str) -> GuestQuery {
    let query = query.trim().replace(['’', '‘', 'ʼ', '´', '`'], "'");
    let query = query.as_str();
    let digits: String = query.chars().filter(char::is_ascii_digit).collect();
    let upper = query.to_uppercase();
    if let Some(number) = upper
        .strip_prefix("BK")
        .map(|rest| rest.trim_start_matches(['-', ' ']))
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return GuestQuery::Booking(format!("BK-{number:0>4}"));
    }
    if query.contains('@') {
        let email = query.to_lowercase();
        let whole = email
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        return if whole {
            GuestQuery::Email(email)
        } else {
            GuestQuery::EmailPart(email)
        };
    }
    let phone = query
        .chars()
        .all(|c| c.is_ascii_digit() || " +()-./".contains(c));
    match digits.len() {
        1..=5 if digits.len() == query.len() => GuestQuery::Room(digits),
        4.. if phone => GuestQuery::Phone(digits),
        _ => GuestQuery::Name(query.split_whitespace().map(str::to_owned).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_hand_is_recognized() {
        let name =
            |words: &[&str]| GuestQuery::Name(words.iter().map(|w| (*w).to_owned()).collect());
        for (query, expected) in [
            ("Beth Gibbs", name(&["Beth", "Gibbs"])),
            ("o'brien", name(&["o'brien"])),
            ("o’brien", name(&["o'brien"])),
            (
                "nora.o’brien@",
                GuestQuery::EmailPart("nora.o'brien@".into()),
            ),
            ("302", GuestQuery::Room("302".into())),
            ("BK-0042", GuestQuery::Booking("BK-0042".into())),
            ("bk 42", GuestQuery::Booking("BK-0042".into())),
            (
                "Beth.Gibbs@email.com",
                GuestQuery::Email("beth.gibbs@email.com".into()),
            ),
            ("beth@", GuestQuery::EmailPart("beth@".into())),
            ("+1 555 010-0001", GuestQuery::Phone("15550100001".into())),
            ("BKer", name(&["BKer"])),
        ] {
            assert_eq!(by(query), expected, "{query}");
        }
    }
}
