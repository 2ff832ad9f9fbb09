//! The list: newest first, by recipient, sender and day, page by page.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::Twilio;
use super::message::Message;
use super::refusal::Refusal;

/// What a caller asked for.
#[derive(Default)]
struct Asked {
    to: Option<String>,
    from: Option<String>,
    on: Option<Date>,
    since: Option<Date>,
    until: Option<Date>,
    size: usize,
    page: usize,
    /// The sid after which this page begins.
    after: Option<String>,
}

impl Twilio {
    pub(super) fn list(&self, account: &str, url: &str, now: Timestamp) -> Result<Value, Refusal> {
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let asked = asked(query)?;
        let mut rows: Vec<&Message> =
            self.messages.values().rev().filter(|one| one.account == account && fits(one, &asked, now)).collect();
        if let Some(after) = &asked.after {
            let place = rows.iter().position(|one| one.sid == *after);
            let place = place.ok_or_else(|| Refusal::bad(20001, "PageToken is invalid"))?;
            rows.drain(..=place);
        }
        let next = rows.get(asked.size).and_then(|_| rows.get(asked.size - 1)).map(|last| {
            let mut pairs = url::form_urlencoded::Serializer::new(String::new());
            let kept = url::form_urlencoded::parse(query.as_bytes());
            pairs.extend_pairs(kept.filter(|(name, _)| !matches!(name.as_ref(), "PageSize" | "Page" | "PageToken")));
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

fn asked(query: &str) -> Result<Asked, Refusal> {
    let mut asked = Asked { size: 50, ..Asked::default() };
    let number = |text: &str, name: &str| {
        text.parse::<usize>().map_err(|_| Refusal::bad(20001, format!("{name} is not a number")))
    };
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match name.as_ref() {
            "To" => asked.to = Some(value.into_owned()),
            "From" => asked.from = Some(value.into_owned()),
            // An inequality is part of the name: `DateSent>=2026-03-10`.
            "DateSent" => asked.on = Some(day(&value)?),
            "DateSent>" => asked.since = Some(day(&value)?),
            "DateSent<" => asked.until = Some(day(&value)?),
            "PageSize" => asked.size = number(&value, "PageSize")?.clamp(1, 1000),
            "Page" => asked.page = number(&value, "Page")?,
            "PageToken" => asked.after = Some(value.strip_prefix("PA").unwrap_or(&value).to_owned()),
            _ => {}
        }
    }
    Ok(asked)
}

fn day(text: &str) -> Result<Date, Refusal> {
    text.parse().map_err(|_| Refusal::bad(20001, "Invalid date value."))
}

/// A message that waits in the queue has no day on which it was sent, so no day fits it.
fn fits(one: &Message, asked: &Asked, now: Timestamp) -> bool {
    let sent = one.left(now).map(|left| left.to_zoned(TimeZone::UTC).date());
    let on = |wanted: Option<Date>, holds: fn(Date, Date) -> bool| {
        wanted.is_none_or(|wanted| sent.is_some_and(|sent| holds(sent, wanted)))
    };
    asked.to.as_ref().is_none_or(|to| one.to == *to)
        && asked.from.as_ref().is_none_or(|from| one.from == *from)
        && on(asked.on, |sent, wanted| sent == wanted)
        && on(asked.since, |sent, wanted| sent >= wanted)
        && on(asked.until, |sent, wanted| sent <= wanted)
}
