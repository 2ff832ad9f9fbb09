//! Nights and number of guests in booking forms and their URLs.

use std::collections::BTreeMap;

use jiff::ToSpan;

use crate::pages::prelude::*;

const MAX_GUESTS: i64 = 20;

/// Fields as entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StayQuery {
    pub from: String,
    pub to: String,
    pub people: String,
}

impl StayQuery {
    /// Fields in the URL; `None` before the form was sent.
    pub fn from_url(request: &PageRequest) -> Option<Self> {
        let text = |name| request.query_param(name).unwrap_or_default().to_owned();
        let wanted = Self {
            from: text("check_in_date"),
            to: text("check_out_date"),
            people: text("number_of_guests"),
        };
        (wanted != Self::default()).then_some(wanted)
    }

    /// Fields in the query of a path, such as that of an offer to return to.
    pub fn in_path(path: &str) -> Option<Self> {
        let (_, query) = path.split_once('?')?;
        let fields: BTreeMap<String, String> = serde_urlencoded::from_str(query).ok()?;
        let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
        Some(Self {
            from: text("check_in_date"),
            to: text("check_out_date"),
            people: text("number_of_guests"),
        })
    }

    /// Default: tomorrow, for two nights.
    pub fn suggestion(today: Date) -> Self {
        let day = |days: i32| {
            today
                .checked_add(days.days())
                .map(|day| day.to_string())
                .unwrap_or_default()
        };
        Self {
            from: day(1),
            to: day(3),
            people: "2".to_owned(),
        }
    }

    /// Parsed nights and number of guests.
    ///
    /// # Errors
    /// All errors, worded for guests.
    pub fn read(&self, today: Date) -> Result<(Nights, i64), Box<FormDraft>> {
        let mut problems: Vec<(&str, String)> = Vec::new();
        let from = self.from.parse::<Date>();
        let to = self.to.parse::<Date>();
        if from.is_err() {
            problems.push(("check_in_date", t!("query-arrive").to_owned()));
        }
        if to.is_err() {
            problems.push(("check_out_date", t!("query-leave").to_owned()));
        }
        let nights = from.ok().zip(to.ok()).map(|(from, to)| Nights { from, to });
        if let Some(nights) = nights {
            problems.extend(
                nights
                    .problems(today)
                    .into_iter()
                    .map(|(field, text)| (field, plain(&text))),
            );
        }
        let people = self
            .people
            .parse::<i64>()
            .ok()
            .filter(|count| (1..=MAX_GUESTS).contains(count));
        if people.is_none() {
            problems.push(("number_of_guests", t!("query-people", most = MAX_GUESTS)));
        }
        match (nights, people, problems.is_empty()) {
            (Some(nights), Some(people), true) => Ok((nights, people)),
            _ => Err(Box::new(
                problems
                    .into_iter()
                    .fold(FormDraft::default(), |draft, (field, text)| {
                        draft.and_invalid_field(field, text)
                    }),
            )),
        }
    }

    /// Page with these fields in its query, and further ones.
    pub fn on(&self, page: &str, more: &[(&str, &str)]) -> String {
        let own = [
            ("check_in_date", self.from.as_str()),
            ("check_out_date", &self.to),
            ("number_of_guests", &self.people),
        ];
        page_url::with_query(page, own.into_iter().chain(more.iter().copied()))
    }
}

/// Replaces the tools' field names in a message.
fn plain(text: &str) -> String {
    // A guest who enters a date knows the current one
    let text = text.split("; today").next().unwrap_or(text);
    let text = text
        .replace("check_in_date", "the day you arrive")
        .replace("check_out_date", "the day you leave");
    labels::capital(&named("problem", text.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_invalid_search_fields_are_reported_in_plain_language() {
        let today: Date = "2026-11-20".parse().unwrap();
        let wanted = |from: &str, to: &str, people: &str| StayQuery {
            from: from.into(),
            to: to.into(),
            people: people.into(),
        };
        assert!(wanted("2026-11-20", "2026-11-22", "2").read(today).is_ok());
        let draft = wanted("2026-11-19", "2026-11-19", "0")
            .read(today)
            .unwrap_err();
        let fields: Vec<_> = draft.problems.iter().map(|p| p.field.as_str()).collect();
        assert_eq!(
            fields,
            ["check_in_date", "check_out_date", "number_of_guests"]
        );
        assert_eq!(
            draft.problems[1].message,
            "The day you leave must be after the day you arrive: a stay has at least one night. For day use, book one night and check out on the day of arrival"
        );
        assert_eq!(
            wanted("soon", "", "2")
                .read(today)
                .unwrap_err()
                .problems
                .len(),
            2
        );
        assert_eq!(
            StayQuery::suggestion(today).on("/guest/book", &[("room_type", "")]),
            "/guest/book?check_in_date=2026-11-21&check_out_date=2026-11-23&number_of_guests=2"
        );
    }
}
