//! Message list: newest first, by recipient, sender and date, with paging.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::Twilio;
use super::error_body::Refusal;
use super::message::Message;
use super::vendor_params;

/// Parameters that are simulated.
const SIMULATED: &str = "To From DateSent DateSent< DateSent> PageSize Page PageToken";

/// Date in UTC, or a timestamp, which is what Twilio's own clients send.
#[derive(Clone, Copy)]
enum DateFilter {
    Day(Date),
    Moment(Timestamp),
}

/// Query parameters.
#[derive(Default)]
struct ListFilter {
    to: Option<String>,
    from: Option<String>,
    on: Option<DateFilter>,
    since: Option<DateFilter>,
    until: Option<DateFilter>,
    size: usize,
    page: usize,
    /// The page starts after this sid.
    after: Option<String>,
}

impl Twilio {
    pub(super) fn list(&self, account: &str, url: &str, now: Timestamp) -> Result<Value, Refusal> {
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let asked = parse_filter(query)?;
        let mut rows: Vec<&Message> = self
            .messages
            .values()
            .rev()
            .filter(|one| one.account == account && fits(one, &asked, now))
            .collect();
        if let Some(after) = &asked.after {
            let place = rows.iter().position(|one| one.sid == *after);
            let place = place.ok_or_else(|| Refusal::bad(20001, "PageToken is invalid"))?;
            rows.drain(..=place);
        }
        let next = rows
            .get(asked.size)
            .and_then(|_| rows.get(asked.size - 1))
            .map(|last| {
                let mut pairs = url::form_urlencoded::Serializer::new(String::new());
                let kept = url::form_urlencoded::parse(query.as_bytes());
                pairs.extend_pairs(kept.filter(|(name, _)| {
                    !matches!(name.as_ref(), "PageSize" | "Page" | "PageToken")
                }));
                pairs.append_pair("PageSize", &asked.size.to_string());
                pairs.append_pair("Page", &(asked.page + 1).to_string());
                pairs.append_pair("PageToken", &format!("PA{}", last.sid));
                format!("{}?{}", address(account), pairs.finish())
            });
        rows.truncate(asked.size);
        let start = asked.page * asked.size;
        Ok(json!({
            "messages": rows.iter().map(|one| one.shown(now)).collect::<Vec<_>>(),
            "first_page_uri": format!("{}?PageSize={}&Page=0", address(account), asked.size),
            "next_page_uri": next, "previous_page_uri": null, "page": asked.page, "page_size": asked.size,
            "start": start, "end": start + rows.len().saturating_sub(1),
            "uri": format!("{}?{query}", address(account)),
        }))
    }
}

fn address(account: &str) -> String {
    format!("/2010-04-01/Accounts/{account}/Messages.json")
}

fn parse_filter(query: &str) -> Result<ListFilter, Refusal> {
    let mut asked = ListFilter {
        size: 50,
        ..ListFilter::default()
    };
    let number = |text: &str, name: &str| {
        text.parse::<usize>()
            .map_err(|_| Refusal::bad(20001, format!("{name} is not a number")))
    };
    let names: Vec<_> = url::form_urlencoded::parse(query.as_bytes())
        .map(|(name, _)| name.into_owned())
        .collect();
    let names = names.iter().map(String::as_str);
    vendor_params::check("GET Messages", SIMULATED, names)?;
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match name.as_ref() {
            "To" => asked.to = Some(value.into_owned()),
            "From" => asked.from = Some(value.into_owned()),
            // The operator is part of the name: `DateSent>=2026-03-10`.
            "DateSent" => asked.on = Some(when(&value)?),
            "DateSent>" => asked.since = Some(when(&value)?),
            "DateSent<" => asked.until = Some(when(&value)?),
            "PageSize" => asked.size = number(&value, "PageSize")?.clamp(1, 1000),
            "Page" => asked.page = number(&value, "Page")?,
            "PageToken" => {
                asked.after = Some(value.strip_prefix("PA").unwrap_or(&value).to_owned())
            }
            _ => {}
        }
    }
    Ok(asked)
}

fn when(text: &str) -> Result<DateFilter, Refusal> {
    let day = || text.parse().map(DateFilter::Day);
    text.parse()
        .map(DateFilter::Moment)
        .or_else(|_| day())
        .map_err(|_| Refusal::bad(20001, "Invalid date value."))
}

/// A queued message has no sent date, so it matches no date.
fn fits(one: &Message, asked: &ListFilter, now: Timestamp) -> bool {
    let left = one.sent_at(now);
    let on = |wanted: Option<DateFilter>, holds: fn(Ordering) -> bool| {
        wanted.is_none_or(|wanted| left.is_some_and(|left| holds(wanted.compared(left))))
    };
    asked.to.as_ref().is_none_or(|to| one.to == *to)
        && asked.from.as_ref().is_none_or(|from| one.from == *from)
        && on(asked.on, Ordering::is_eq)
        && on(asked.since, Ordering::is_ge)
        && on(asked.until, Ordering::is_le)
}

impl DateFilter {
    /// Whether a message was sent before, at, or after this time; Twilio has a resolution of whole
    /// seconds.
    fn compared(self, left: Timestamp) -> Ordering {
        match self {
            Self::Day(day) => left.to_zoned(TimeZone::UTC).date().cmp(&day),
            Self::Moment(moment) => left.as_second().cmp(&moment.as_second()),
        }
    }
}
