//! Days in texts, relative to the day of the run: `{0}` is today as `2026-11-23`, `{+3 long}` is
//! `November 26`, `{-1 weekday}` is `Sunday`.

use anyhow::{Context, bail};
use jiff::{ToSpan as _, civil::Date};
use serde_json::Value;

/// Replaces every day in a text.
pub fn substitute_dates(text: &str, today: Date) -> anyhow::Result<String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, after) = behind
            .split_once('}')
            .with_context(|| format!("a brace is not closed: {text}"))?;
        filled.push_str(before);
        filled.push_str(&day(inside, today)?);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Replaces every day in every text of a value.
pub fn substitute_dates_in(value: &Value, today: Date) -> anyhow::Result<Value> {
    Ok(match value {
        Value::String(text) => Value::String(substitute_dates(text, today)?),
        Value::Array(items) => {
            let items = items.iter().map(|item| substitute_dates_in(item, today));
            Value::Array(items.collect::<anyhow::Result<_>>()?)
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| Ok((name.clone(), substitute_dates_in(value, today)?)));
            Value::Object(fields.collect::<anyhow::Result<_>>()?)
        }
        other => other.clone(),
    })
}

fn day(inside: &str, today: Date) -> anyhow::Result<String> {
    let (offset, form) = inside.split_once(' ').unwrap_or((inside, ""));
    let offset: i32 = offset
        .parse()
        .with_context(|| format!("{{{inside}}} does not begin with a number of days"))?;
    let day = today.checked_add(offset.days())?;
    Ok(match form {
        "" => day.to_string(),
        "long" => day.strftime("%B %-d").to_string(),
        "weekday" => day.strftime("%A").to_string(),
        "number" => day.day().to_string(),
        other => bail!("{{{inside}}}: {other} is not one of long, weekday, number"),
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_written_in_every_form() {
        let today = date(2026, 11, 30);
        let text = "{0}, {+1 long}, {-1 weekday}, the {+2 number}.";
        assert_eq!(
            substitute_dates(text, today).unwrap(),
            "2026-11-30, December 1, Sunday, the 2."
        );
        assert!(substitute_dates("{soon}", today).is_err());
        assert!(substitute_dates("{0 short}", today).is_err());
        assert!(substitute_dates("{0", today).is_err());
    }
}
