//! The money of compensations, summed for the front desk.

use std::{cmp::Reverse, collections::BTreeMap};

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date, tz::TimeZone};

use crate::{
    execution_view::CompensationItem,
    money::{Cents, Currency},
    vocabulary::CompensationStatus,
};

/// Number of days summed, today included.
pub const DAYS: usize = 30;

/// Number and amount of some compensations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many.
    pub count: usize,
    /// Their money.
    pub amount: Cents,
}

impl Sum {
    fn add(&mut self, amount: Cents) {
        self.count += 1;
        self.amount = self.amount + amount;
    }
}

/// Sums over compensations in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompensationTotals {
    /// Currency of all amounts.
    pub currency: Currency,
    /// Charged and not refunded yet.
    pub at_stake: Sum,
    /// Start of the oldest execution with money at stake.
    pub oldest: Option<Timestamp>,
    /// Refunded today, in the last 7 days, and in the last 30.
    pub refunded: [Sum; 3],
    /// Refunded per day, oldest first; [`DAYS`] entries.
    pub by_day: Vec<(Date, Cents)>,
    /// Refunded in the last 30 days by cause, largest amount first.
    pub causes: Vec<(String, Sum)>,
    /// Number of records by status.
    pub statuses: BTreeMap<CompensationStatus, usize>,
    /// Time from the start of an execution to the end of its refund in the last 30 days: median and
    /// 95th percentile.
    pub duration: Option<(SignedDuration, SignedDuration)>,
    /// Older records were not read.
    pub cut: bool,
}

impl CompensationTotals {
    /// Sums records, each with the start of its execution. A refund counts on the day of its record's
    /// last change.
    #[must_use]
    pub fn of(
        records: &[(Timestamp, CompensationItem)],
        (currency, zone): (Currency, &TimeZone),
        now: Timestamp,
        cut: bool,
    ) -> Self {
        let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
        let today = day(now);
        let days = (0..DAYS as i64)
            .rev()
            .map(|ago| today.saturating_sub(ago.days()));
        let mut by_day: BTreeMap<Date, Cents> = days.map(|day| (day, Cents::default())).collect();
        let (mut at_stake, mut oldest, mut refunded) = (Sum::default(), None, [Sum::default(); 3]);
        let mut causes: BTreeMap<&str, Sum> = BTreeMap::new();
        let mut durations = Vec::new();
        let mut statuses = BTreeMap::new();
        for (_, item) in records {
            *statuses.entry(item.status.clone()).or_default() += 1;
        }
        for (began, item) in records.iter().filter(|(_, item)| item.currency == currency) {
            let left = item.captured - item.refunded;
            if is_open(&item.status) && left > Cents::default() {
                at_stake.add(left);
                oldest = Some(oldest.map_or(*began, |oldest: Timestamp| oldest.min(*began)));
            }
            let on = day(item.updated_at);
            let Some(sum) = by_day
                .get_mut(&on)
                .filter(|_| item.refunded > Cents::default())
            else {
                continue;
            };
            *sum = *sum + item.refunded;
            let within = |days: i64| on > today.saturating_sub(days.days());
            for (sum, days) in refunded.iter_mut().zip([1, 7, DAYS as i64]) {
                if within(days) {
                    sum.add(item.refunded);
                }
            }
            causes.entry(&item.cause).or_default().add(item.refunded);
            if item.status == CompensationStatus::Compensated {
                durations.push(item.updated_at.duration_since(*began));
            }
        }
        let mut causes: Vec<_> = causes
            .into_iter()
            .map(|(cause, sum)| (cause.to_owned(), sum))
            .collect();
        causes.sort_by_key(|(_, sum)| Reverse(sum.amount));
        durations.sort_unstable();
        let at = |percent: usize| {
            durations
                .get((durations.len() * percent).div_ceil(100).saturating_sub(1))
                .copied()
        };
        Self {
            currency,
            at_stake,
            oldest,
            refunded,
            by_day: by_day.into_iter().collect(),
            causes,
            statuses,
            duration: at(50).zip(at(95)),
            cut,
        }
    }
}

/// Whether the refund may still be missing.
fn is_open(status: &CompensationStatus) -> bool {
    match status {
        CompensationStatus::Compensated | CompensationStatus::Solved => false,
        CompensationStatus::Refunding
        | CompensationStatus::RefundedReverting
        | CompensationStatus::NeedsAttention
        | CompensationStatus::Other(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(
        status: CompensationStatus,
        (captured, refunded): (i64, i64),
        began: &str,
        seconds: i64,
    ) -> (Timestamp, CompensationItem) {
        let began: Timestamp = began.parse().unwrap();
        let item = CompensationItem {
            payment_intent_id: "pi_1".parse().unwrap(),
            execution_id: String::new(),
            status,
            reason: None,
            guest_email: None,
            booking_number: None,
            room_number: None,
            captured: Cents(captured),
            refunded: Cents(refunded),
            currency: Currency::USD,
            refund_id: None,
            triggers: Vec::new(),
            cause: if captured > 20_000 {
                "not_applied"
            } else {
                "refused"
            }
            .to_owned(),
            updated_at: began + SignedDuration::from_secs(seconds),
        };
        (began, item)
    }

    #[test]
    fn money_is_at_stake_or_refunded_on_a_day_of_the_hotel() {
        use CompensationStatus::{Compensated, NeedsAttention, Refunding, Solved};
        let euros = {
            let (began, item) = record(NeedsAttention, (7_000, 0), "2026-11-27T09:00:00Z", 1);
            (
                began,
                CompensationItem {
                    currency: "eur".parse().unwrap(),
                    ..item
                },
            )
        };
        let records = [
            record(Compensated, (25_000, 25_000), "2026-11-27T09:00:00Z", 4),
            // Yesterday in New York
            record(Compensated, (10_000, 10_000), "2026-11-27T03:00:00Z", 20),
            record(Compensated, (10_000, 10_000), "2026-10-28T12:00:00Z", 5),
            record(NeedsAttention, (30_000, 10_000), "2026-11-20T12:00:00Z", 60),
            record(Refunding, (5_000, 0), "2026-11-27T10:00:00Z", 1),
            record(Solved, (9_000, 0), "2026-11-27T10:00:00Z", 1),
            euros,
        ];
        let zone = TimeZone::get("America/New_York").unwrap();
        let now = "2026-11-27T12:00:00Z".parse().unwrap();
        let totals = CompensationTotals::of(&records, (Currency::USD, &zone), now, false);
        let sum = |count, amount| Sum {
            count,
            amount: Cents(amount),
        };
        assert_eq!(totals.at_stake, sum(2, 25_000));
        assert_eq!(totals.statuses[&Compensated], 3);
        assert_eq!(totals.statuses[&NeedsAttention], 2);
        assert_eq!(totals.oldest, "2026-11-20T12:00:00Z".parse().ok());
        assert_eq!(
            totals.refunded,
            [sum(1, 25_000), sum(2, 35_000), sum(3, 45_000)]
        );
        assert_eq!(totals.by_day.len(), DAYS);
        assert_eq!(
            totals
                .by_day
                .iter()
                .map(|(_, amount)| amount.0)
                .sum::<i64>(),
            45_000
        );
        let causes = vec![
            ("not_applied".to_owned(), sum(2, 35_000)),
            ("refused".to_owned(), sum(1, 10_000)),
        ];
        assert_eq!(totals.causes, causes);
        assert_eq!(
            totals.duration,
            Some((SignedDuration::from_secs(4), SignedDuration::from_secs(20)))
        );
    }
}
