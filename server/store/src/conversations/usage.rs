//! Usage of the model.

use dewy_domain::concierge::{UsageRow, UsageTotals};
use dewy_saga::StoreError;

use crate::{fetch::fetch, small_writes::write_rows, store::Store};

/// Maximum number of rows (days and people) in a list.
const MAX_ROWS: i64 = 200;

/// Turns, tokens read and written, cost, and duration, as selected.
type Totals = (i64, i64, i64, i64, i64);

fn totals((turns, input, output, micros, millis): Totals) -> UsageTotals {
    let [turns, input, output] = [turns, input, output].map(i64::unsigned_abs);
    let [micros, millis] = [micros, millis].map(i64::unsigned_abs);
    UsageTotals {
        turns,
        input,
        output,
        micros,
        millis,
    }
}

fn stored(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Store {
    /// Adds a person's usage on that day.
    pub async fn add_model_usage(
        &self,
        day: &str,
        person: &str,
        spent: UsageTotals,
    ) -> Result<(), StoreError> {
        let sql = "insert into model_usage (day, person, turns, input_tokens, output_tokens, micros, millis)
                   values ($1, $2, $3, $4, $5, $6, $7)
                   on conflict (day, person) do update set turns = model_usage.turns + excluded.turns,
                     input_tokens = model_usage.input_tokens + excluded.input_tokens,
                     output_tokens = model_usage.output_tokens + excluded.output_tokens,
                     micros = model_usage.micros + excluded.micros, millis = model_usage.millis + excluded.millis";
        let [turns, input, output] = [spent.turns, spent.input, spent.output].map(stored);
        let [micros, millis] = [spent.micros, spent.millis].map(stored);
        write_rows!(self, sql, day, person, turns, input, output, micros, millis).map(drop)
    }

    /// Usage of one person and of everyone on that day.
    pub async fn model_usage(
        &self,
        day: &str,
        person: &str,
    ) -> Result<(UsageTotals, UsageTotals), StoreError> {
        let (mut own, mut all) = (UsageTotals::default(), UsageTotals::default());
        let sql = "select case when person = $2 then 1 else 0 end, cast(sum(turns) as bigint), cast(sum(input_tokens) as bigint),
                     cast(sum(output_tokens) as bigint), cast(sum(micros) as bigint), cast(sum(millis) as bigint)
                   from model_usage where day = $1 group by 1";
        for (mine, turns, input, output, micros, millis) in
            fetch!(self, (i32, i64, i64, i64, i64, i64), sql, day, person)?
        {
            let spent = totals((turns, input, output, micros, millis));
            all = all.plus(spent);
            if mine == 1 {
                own = spent;
            }
        }
        Ok((own, all))
    }

    /// Usage per day and person, newest and largest first.
    pub async fn list_model_usage(&self) -> Result<Vec<UsageRow>, StoreError> {
        let sql =
            "select day, person, turns, input_tokens, output_tokens, micros, millis from model_usage
                   order by day desc, micros desc, input_tokens desc, person limit $1";
        let rows = fetch!(
            self,
            (String, String, i64, i64, i64, i64, i64),
            sql,
            MAX_ROWS
        )?;
        let rows = rows.into_iter().map(|row| {
            let (day, person, turns, input, output, micros, millis) = row;
            let spent = totals((turns, input, output, micros, millis));
            UsageRow { day, person, spent }
        });
        Ok(rows.collect())
    }

    pub async fn delete_model_usage_before(&self, day: &str) -> Result<u64, StoreError> {
        write_rows!(self, "delete from model_usage where day < $1", day)
    }
}
