//! The money of compensations, summed for the front desk.

use std::{cmp::Reverse, collections::BTreeMap};

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date, tz::TimeZone};

use crate::{
    execution_view::CompensationItem,
    money::{Cents, Currency},
    payment_intent_id::PaymentIntentId,
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
    pub currency: Currency,
    /// Charged and not refunded yet.
    pub at_stake: Sum,
    /// Time of the oldest charge with money at stake.
    pub oldest: Option<Timestamp>,
    /// Refunds that Stripe accepted and has not finished.
    pub pending: Sum,
    /// Payments of the pending refunds.
    pub pending_payments: Vec<PaymentIntentId>,
    /// Refunded today, in the last 7 days, and in the last 30.
    pub refunded: [Sum; 3],
    /// Refunded per day, oldest first; [`DAYS`] entries.
    pub by_day: Vec<(Date, Cents)>,
    /// Refunded in the last 30 days by cause, largest amount first.
    pub causes: Vec<(String, Sum)>,
    /// Number of records by status.
    pub statuses: BTreeMap<CompensationStatus, usize>,
    /// Time from the charge to Stripe's acceptance of the refund in the last 30 days: median and 95th
    /// percentile.
    pub duration: Option<(SignedDuration, SignedDuration)>,
    /// Older records were not read.
    pub cut: bool,
}

impl CompensationTotals {
    /// Sums records, each with the start of its execution. Records of older releases have no times of
    /// their own: the start of their execution and their last change stand for charge and refund.
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
        let (mut at_stake, mut pending, mut oldest) = (Sum::default(), Sum::default(), None);
        let (mut refunded, mut pending_payments) = ([Sum::default(); 3], Vec::new());
        let mut causes: BTreeMap<&str, Sum> = BTreeMap::new();
        let mut durations = Vec::new();
        let mut statuses = BTreeMap::new();
        for (_, item) in records {
            *statuses.entry(item.status.clone()).or_default() += 1;
        }
        for (began, item) in records.iter().filter(|(_, item)| item.currency == currency) {
            let charged = item.charged_at.unwrap_or(*began);
            let ended = item.refunded_at.unwrap_or(item.updated_at);
            let left = item.captured - item.refunded;
            if is_open(&item.status) && left > Cents::default() {
                at_stake.add(left);
                oldest = Some(oldest.map_or(charged, |oldest: Timestamp| oldest.min(charged)));
            }
            if item.is_pending() {
                pending.add(item.refunded);
                pending_payments.push(item.payment_intent_id.clone());
            }
            let on = day(ended);
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
            if item.refunded_at.is_some() || item.status == CompensationStatus::Compensated {
                durations.push(ended.duration_since(charged));
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
            pending,
            pending_payments,
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
            refund_status: None,
            charged_at: None,
            failed_at: None,
            refunded_at: None,
            booking_id: None,
            owner: None,
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
        assert_eq!(totals.pending, sum(0, 0));
    }

    #[test]
    fn refunds_are_timed_from_charge_to_stripes_answer_and_count_on_its_day() {
        let (began, mut item) = record(
            CompensationStatus::RefundedReverting,
            (25_000, 25_000),
            "2026-11-25T09:00:00Z",
            172_800,
        );
        item.charged_at = "2026-11-25T09:00:01Z".parse().ok();
        item.refunded_at = "2026-11-25T09:00:08Z".parse().ok();
        item.refund_status = Some("pending".to_owned());
        let settled = CompensationItem {
            refund_status: Some("succeeded".to_owned()),
            ..item.clone()
        };
        let now = "2026-11-27T12:00:00Z".parse().unwrap();
        let records = [(began, item), (began, settled)];
        let totals = CompensationTotals::of(&records, (Currency::USD, &TimeZone::UTC), now, false);
        let pending = Sum {
            count: 1,
            amount: Cents(25_000),
        };
        assert_eq!(totals.pending, pending);
        assert_eq!(totals.refunded[0], Sum::default());
        assert_eq!(totals.refunded[1].amount, Cents(50_000));
        let seven = SignedDuration::from_secs(7);
        assert_eq!(totals.duration, Some((seven, seven)));
    }
}
