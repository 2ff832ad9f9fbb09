//! Lists: newest first, filters on `created`, cursors in both directions.

use serde_json::{Value, json};

use super::error_body::Refusal;
use super::params::Params;
use super::{Stripe, shown};

impl Stripe {
    /// Lists the objects whose members equal the given filters, among those that the endpoint has.
    pub(super) fn list(
        &self,
        table: &str,
        filters: &str,
        params: &Params,
    ) -> Result<Value, Refusal> {
        params.only(&format!("limit starting_after ending_before {filters}"))?;
        let mut equal = Vec::new();
        for name in filters.split(' ').filter(|name| *name != "created") {
            equal.extend(params.text(name)?.map(|value| (name, value)));
        }
        let limit = params.integer("limit")?.unwrap_or(10);
        if !(1..=100).contains(&limit) {
            let message = if limit > 100 {
                "This value must be less than or equal to 100."
            } else {
                "This value must be greater than or equal to 1."
            };
            return Err(Refusal::integer(message, "limit"));
        }
        let limit = usize::try_from(limit).unwrap_or(10);
        let within = window(params)?;
        let mut rows: Vec<&Value> = self
            .ledger
            .all(table)
            .filter(|row| equal.iter().all(|(name, value)| row[*name] == *value))
            .filter(|row| row["created"].as_i64().is_some_and(&within))
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row["created"].as_i64(), row["_seq"].as_u64())));
        let (after, before) = (
            params.text("starting_after")?,
            params.text("ending_before")?,
        );
        if after.is_some() && before.is_some() {
            return Err(Refusal::invalid(
                "You cannot use both starting_after and ending_before.",
            ));
        }
        let place = |id: &str, param: &str| {
            rows.iter()
                .position(|row| row["id"] == id)
                .ok_or_else(|| Refusal::missing_reference("object", id, param))
        };
        let (from, to, has_more) = if let Some(id) = before {
            let end = place(id, "ending_before")?;
            let from = end.saturating_sub(limit);
            (from, end, from > 0)
        } else {
            let from = after
                .map(|id| place(id, "starting_after"))
                .transpose()?
                .map_or(0, |at| at + 1);
            let to = (from + limit).min(rows.len());
            (from, to, to < rows.len())
        };
        let data: Vec<Value> = rows[from..to].iter().map(|row| shown(row)).collect();
        Ok(
            json!({"object": "list", "data": data, "has_more": has_more, "url": format!("/v1/{table}")}),
        )
    }
}

/// Filter for `created`, `created[gt]`, …
fn window(params: &Params) -> Result<impl Fn(i64) -> bool + use<>, Refusal> {
    let (mut low, mut high) = (i64::MIN, i64::MAX);
    match params.0.get("created") {
        None => {}
        Some(Value::String(_)) => {
            let at = params.integer("created")?.unwrap_or(0);
            (low, high) = (at, at);
        }
        Some(_) => {
            params.only_in("created", "gt gte lt lte")?;
            for bound in ["gt", "gte", "lt", "lte"] {
                let Some(text) = params.inner("created", bound) else {
                    continue;
                };
                let param = format!("created[{bound}]");
                let at: i64 = text
                    .parse()
                    .map_err(|_| Refusal::integer(&format!("Invalid integer: {text}"), &param))?;
                match bound {
                    "gt" => low = low.max(at.saturating_add(1)),
                    "gte" => low = low.max(at),
                    "lt" => high = high.min(at.saturating_sub(1)),
                    _ => high = high.min(at),
                }
            }
        }
    }
    Ok(move |at| (low..=high).contains(&at))
}
