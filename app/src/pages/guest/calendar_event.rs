//! Stay as an event for a calendar (RFC 5545).

use icalendar::{Calendar, Component, Event, EventLike, EventStatus, Property};
use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::pages::prelude::*;

/// A booked stay.
pub struct CalendarEvent {
    /// Identifies the event: whoever gets it twice has it once.
    pub id: String,
    pub booked_at: Timestamp,
    pub arrival: Date,
    pub departure: Date,
    /// Zone of the hotel.
    pub time_zone: TimeZone,
    pub title: String,
    pub description: String,
    pub place: Option<String>,
    pub page: String,
}

impl CalendarEvent {
    /// The event in a calendar of its own. It begins and ends at the hotel's hours; where those are
    /// not known, it takes whole days.
    pub fn calendar(&self) -> String {
        let hotel = hotel();
        let hours = hotel.check_in_from.zip(hotel.check_out_by);
        let at = |day: Date, hour| {
            let there = day.to_datetime(hour).to_zoned(self.time_zone.clone());
            there.ok().map(|there| utc(there.timestamp()))
        };
        let times = hours.and_then(|(from, by)| at(self.arrival, from).zip(at(self.departure, by)));
        let mut event = Event::new();
        match times {
            Some((start, end)) => {
                event.add_property("DTSTART", start);
                event.add_property("DTEND", end);
            }
            None => {
                event.append_property(whole_day("DTSTART", self.arrival));
                event.append_property(whole_day("DTEND", self.departure));
            }
        }
        event
            .uid(&self.id)
            .add_property("DTSTAMP", utc(self.booked_at))
            .summary(&self.title)
            .description(&self.description)
            .url(&self.page)
            .status(EventStatus::Confirmed);
        if let Some(place) = &self.place {
            event.location(place);
        }
        let product = format!("-//{}//Dewy Resort//EN", hotel.name);
        let mut calendar = Calendar::empty();
        calendar.append_property(("VERSION", "2.0"));
        calendar.append_property(("PRODID", &*product));
        calendar.append_property(("METHOD", "PUBLISH"));
        calendar.push(event.done());
        calendar.to_string()
    }
}

fn utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn whole_day(name: &str, day: Date) -> Property {
    let mut property = Property::new(name, day.strftime("%Y%m%d").to_string());
    property.add_parameter("VALUE", "DATE").done()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dewy_domain::hotel_profile::HotelProfile;
    use ical::{IcalParser, parser::ical::component::IcalEvent};
    use jiff::civil::time;

    use super::*;

    fn text(hours: bool) -> String {
        let event = CalendarEvent {
            id: "exe_1".to_owned(),
            booked_at: "2026-11-27T10:00:00Z".parse().unwrap(),
            arrival: "2026-11-28".parse().unwrap(),
            departure: "2026-11-30".parse().unwrap(),
            time_zone: TimeZone::get("America/New_York").unwrap(),
            title: "Dewy; Resort, room 302".to_owned(),
            description: format!("One\nTwo \\ {}", "ñ".repeat(90)),
            place: Some("1 Main St, Springfield".to_owned()),
            page: format!("https://hotel.example/booking/{}", "a".repeat(120)),
        };
        let profile = HotelProfile {
            check_in_from: hours.then(|| time(15, 0, 0, 0)),
            check_out_by: hours.then(|| time(11, 0, 0, 0)),
            ..HotelProfile::default()
        };
        Owner::new().with(|| {
            provide_context(Arc::new(profile));
            event.calendar()
        })
    }

    /// The only event, as another program reads it.
    fn read(text: &str) -> IcalEvent {
        let mut calendars = IcalParser::new(text.as_bytes());
        let calendar = calendars.next().unwrap().unwrap();
        assert!(calendars.next().is_none());
        let [event] = <[_; 1]>::try_from(calendar.events).unwrap();
        event
    }

    fn value(event: &IcalEvent, name: &str) -> String {
        let mut properties = event.properties.iter();
        let property = properties.find(|property| property.name == name);
        property.unwrap().value.clone().unwrap()
    }

    #[test]
    fn another_program_reads_the_event_as_it_was_meant() {
        let text = text(true);
        for line in text.split("\r\n") {
            let short = line.len() <= 75 && !line.contains(['\r', '\n']);
            assert!(short, "{line}");
        }
        let event = read(&text);
        let description = format!("One\\nTwo \\\\ {}", "ñ".repeat(90));
        let page = format!("https://hotel.example/booking/{}", "a".repeat(120));
        for (name, expected) in [
            ("UID", "exe_1"),
            ("DTSTAMP", "20261127T100000Z"),
            ("DTSTART", "20261128T200000Z"),
            ("DTEND", "20261130T160000Z"),
            ("SUMMARY", "Dewy\\; Resort\\, room 302"),
            ("DESCRIPTION", &description),
            ("LOCATION", "1 Main St\\, Springfield"),
            ("URL", &page),
        ] {
            assert_eq!(value(&event, name), expected);
        }
    }

    #[test]
    fn without_the_hotels_hours_it_takes_whole_days() {
        let text = text(false);
        assert_eq!(value(&read(&text), "DTEND"), "20261130");
        assert!(text.contains("DTSTART;VALUE=DATE:20261128\r\n"), "{text}");
    }
}
