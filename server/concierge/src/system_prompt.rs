//! System prompt: instructions by persona and role, and facts about the caller.

use std::fmt::Write;

use dewy_domain::{
    caller::{Caller, Persona, Role},
    hotel_profile::HotelProfile,
    ports::ModelMessage,
    sentence::Sentence,
    tool_catalog::SearchRoomsOnBehalfOfGuest,
    tool_output::{ListResult, OwnStay},
    vocabulary::BookingStatus,
};
use dewy_languages::Language;
use jiff::civil::{Date, Time};
use serde_json::json;

use crate::{concierge_service::Inner, stay_cache::StayFacts};

/// Maximum number of stays to read of each kind.
const MAX_STAYS: usize = 4;
/// Maximum length of a fact in characters; the hotel's own directions may be this long.
const MAX_FACT_LENGTH: usize = 300;
const GUEST: &str = include_str!("../prompts/guest.md");
const STAFF: &str = include_str!("../prompts/staff.md");

/// Prompt for roles that work with guests.
const FRONT_DESK_PROMPT: &str = include_str!("../prompts/staff/desk.md");

fn role_instructions(role: Role) -> String {
    let (own, desk) = match role {
        Role::FrontDesk => (
            include_str!("../prompts/staff/front_desk.md"),
            FRONT_DESK_PROMPT,
        ),
        Role::Housekeeping => (include_str!("../prompts/staff/housekeeping.md"), ""),
        Role::Maintenance => (include_str!("../prompts/staff/maintenance.md"), ""),
        Role::Manager => (
            include_str!("../prompts/staff/manager.md"),
            FRONT_DESK_PROMPT,
        ),
    };
    format!("{own}\n{desk}").trim_end().to_owned()
}

/// Prompt of that persona and role; the facts are inserted later.
fn prompt(caller: &Caller) -> String {
    match caller.persona {
        Persona::Guest => GUEST.to_owned(),
        Persona::Staff => STAFF.replace(
            "{{role}}",
            &caller.role.map(role_instructions).unwrap_or_default(),
        ),
    }
}

impl Inner {
    /// A guest's current or next stay, and the others; empty when there is none, it can't be read, or staff ask.
    ///
    /// It may be half a minute old: it is only for conversation, and every action reads the hotel
    /// again. The suggestions page has read it already when the first question arrives, so the
    /// first word doesn't wait for it.
    pub async fn stay(&self, caller: &Caller) -> StayFacts {
        if caller.persona != Persona::Guest {
            return StayFacts::default();
        }
        let (key, now) = (caller.key(), self.now());
        if let Some(known) = self.hub.stays.known(&key, now) {
            return known;
        }
        let Some(found) = self.read_stay(caller).await else {
            return StayFacts::default();
        };
        self.hub.stays.keep(key, found.clone(), now);
        found
    }

    /// `None` when it could not be read: that isn't cached as "no stay".
    async fn read_stay(&self, caller: &Caller) -> Option<StayFacts> {
        let read = |filter: &str| {
            let input = json!({ "filter": filter, "limit": MAX_STAYS });
            self.read::<SearchRoomsOnBehalfOfGuest>(caller, input)
        };
        let ListResult { rows: current, .. } = read("current").await.ok()?;
        let ListResult { rows: next, .. } = read("upcoming").await.ok()?;
        let mut stays = current.into_iter().chain(next);
        Some(StayFacts(stays.next(), stays.collect()))
    }

    /// System message, before the messages so far.
    pub fn instructions(
        &self,
        caller: &Caller,
        stay: &StayFacts,
        so_far: &[ModelMessage],
    ) -> ModelMessage {
        let mut facts = String::new();
        let mut fact = |name: &str, value: &str| {
            // Each line is a fact: external input must not split one into two
            let value: String = value
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .take(MAX_FACT_LENGTH)
                .collect();
            if !value.is_empty() {
                let _ = writeln!(facts, "{name}: {value}");
            }
        };
        let now = self.now().to_zoned(self.parts.settings.time_zone.clone());
        // After midnight, today and tonight are still those of the night that has begun
        fact("today", &self.today().to_string());
        fact("now", &now.strftime("%H:%M, %A").to_string());
        fact("time_zone", now.time_zone().iana_name().unwrap_or("UTC"));
        fact("persona", caller.persona.name());
        fact("role", caller.role.map_or("", Role::name));
        match caller.persona {
            Persona::Guest => {
                fact("guest_email", &caller.email);
                fact("language", &self.hub.languages.of(&caller.key()));
            }
            Persona::Staff => fact("staff_email", &caller.email),
        }
        if let Some(stay) = &stay.0 {
            let day = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
            fact("booking_number", &stay.booking_number);
            fact("stay_status", stay.booking_status.as_str());
            fact(
                "room_number",
                stay.room_number.as_deref().unwrap_or_default(),
            );
            fact("check_in_date", &day(stay.check_in_date));
            fact("check_out_date", &day(stay.check_out_date));
        }
        fact("other_stays", &other_stays(&stay.1));
        let language = facts_language(so_far, &self.hub.languages.of(&caller.key()));
        let hotel = &self.parts.settings.hotel;
        for (name, value) in hotel_facts(hotel, stay, language) {
            fact(name, &value);
        }
        ModelMessage::System(prompt(caller).replace("{{facts}}", facts.trim_end()))
    }
}

/// `BK-0049, Reserved, room 205, 2026-12-20 to 2026-12-22; …`
fn other_stays(stays: &[OwnStay]) -> String {
    let day = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
    let stays = stays.iter().map(|stay| {
        format!(
            "{}, {}, room {}, {} to {}",
            stay.booking_number,
            stay.booking_status.as_str(),
            stay.room_number.as_deref().unwrap_or_default(),
            day(stay.check_in_date),
            day(stay.check_out_date)
        )
    });
    stays.collect::<Vec<_>>().join("; ")
}

/// Language of the hotel's facts: that of the latest message, or else of the person's pages.
fn facts_language(so_far: &[ModelMessage], page: &str) -> Language {
    let latest = so_far.iter().rev().find_map(|message| match message {
        ModelMessage::User(text) => Language::of_text(text),
        _ => None,
    });
    latest
        .or_else(|| Language::named(page))
        .unwrap_or_else(Language::english)
}

/// Fact about the hotel in that language.
fn as_on_pages(fact: &str, language: Language) -> String {
    if language.is_english() {
        return fact.to_owned();
    }
    Sentence::named("hotel", fact.to_owned())
        .told(|_| None, |id, values| language.translation(id, values))
}

/// What the stay page says about the hotel, as it is written there in that language; the Wi-Fi, as
/// there, to guests who are checked in.
fn hotel_facts(
    hotel: &HotelProfile,
    stay: &StayFacts,
    language: Language,
) -> Vec<(&'static str, String)> {
    let inside = stay
        .0
        .as_ref()
        .is_some_and(|stay| stay.booking_status == BookingStatus::CheckedIn);
    let text = |value: &Option<String>| Some(as_on_pages(value.as_deref()?, language));
    let wifi = |value: &Option<String>| text(value).filter(|_| inside);
    let locale = hotel.locale.in_language(language.tag());
    let hour = |time: Option<Time>| Some(locale.stated_hour(time?, language.is_english()));
    [
        ("hotel_name", Some(as_on_pages(&hotel.name, language))),
        ("hotel_phone", text(&hotel.phone)),
        ("hotel_address", text(&hotel.address)),
        ("hotel_directions", text(&hotel.directions)),
        ("hotel_map_url", text(&hotel.map_url)),
        ("hotel_check_in_from", hour(hotel.check_in_from)),
        ("hotel_check_out_by", hour(hotel.check_out_by)),
        ("hotel_breakfast", text(&hotel.breakfast)),
        ("hotel_wifi_network", wifi(&hotel.wifi_network)),
        ("hotel_wifi_password", wifi(&hotel.wifi_password)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

#[cfg(test)]
mod tests {
    use dewy_domain::{caller::Interface, tool_catalog};
    use jiff::civil::time;

    use super::*;
    use crate::stay_cache::tests::sample;

    #[test]
    fn facts_are_in_the_language_of_the_latest_message() {
        let said = |text: &str| [ModelMessage::User(text.to_owned())];
        for (text, page, tag) in [
            ("¿A qué hora es el desayuno?", "en", "es"),
            ("When is breakfast?", "es", "en"),
            ("302", "es", "es"),
            ("302", "", "en"),
        ] {
            assert_eq!(facts_language(&said(text), page).tag(), tag, "{text}");
        }
        let hotel = HotelProfile {
            check_in_from: Some(time(15, 30, 0, 0)),
            check_out_by: Some(time(11, 0, 0, 0)),
            breakfast: Some("7 to 10:30 AM, on the terrace above the pool".to_owned()),
            ..HotelProfile::default()
        };
        let told = |language| {
            let facts = hotel_facts(&hotel, &StayFacts(None, Vec::new()), language);
            let facts = facts.into_iter().skip(1).map(|(_, fact)| fact);
            facts.collect::<Vec<_>>()
        };
        let spanish = told(facts_language(&said("¿A qué hora es el desayuno?"), "en"));
        assert_eq!(spanish[..2], ["3:30 p.m.", "11:00 a.m."]);
        assert!(spanish[2].contains("terraza"), "{}", spanish[2]);
        assert_eq!(told(Language::english())[..2], ["3:30 PM", "11 AM"]);
    }

    #[test]
    fn the_wifi_is_told_to_guests_who_are_checked_in() {
        let hotel = HotelProfile {
            breakfast: Some("7 to 10 AM".to_owned()),
            wifi_network: Some("Guests".to_owned()),
            wifi_password: Some("morning-dew".to_owned()),
            ..HotelProfile::default()
        };
        let told = |status: Option<BookingStatus>| {
            let stay = status.map(|status| sample(status, "302", None));
            let facts = hotel_facts(&hotel, &StayFacts(stay, Vec::new()), Language::english());
            facts.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        let everybody = ["hotel_name", "hotel_breakfast"];
        assert_eq!(told(None), everybody);
        assert_eq!(told(Some(BookingStatus::Reserved)), everybody);
        let inside = told(Some(BookingStatus::CheckedIn));
        assert_eq!(inside[2..], ["hotel_wifi_network", "hotel_wifi_password"]);
    }

    /// A prompt that names a tool its reader lacks would make the model look for it.
    #[test]
    fn prompts_name_only_tools_offered_to_the_persona() {
        let staff = Role::ALL.map(|role| Caller::staff("a@dewy.example", role, Interface::Chat));
        for caller in staff
            .iter()
            .chain([&Caller::guest("beth.gibbs@email.com", Interface::Chat)])
        {
            let prompt = prompt(caller);
            assert_eq!(prompt.matches("{{").count(), 1, "only the facts are open");
            assert!(prompt.contains("<facts>\n{{facts}}\n</facts>"));
            for tool in tool_catalog::all()
                .iter()
                .filter(|tool| prompt.contains(tool.name))
            {
                assert!(
                    tool_catalog::find(caller, tool.name).is_some(),
                    "{:?}: {}",
                    caller.role,
                    tool.name
                );
            }
        }
    }
}
