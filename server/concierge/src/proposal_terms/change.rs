//! What a change of a booking does: dates, room, and price.

use dewy_domain::{
    caller::Caller,
    error_details::ErrorDetails,
    money::Cents,
    nights::Nights,
    said,
    stay_price::{AgreedPrice, slept},
    tool_answer::ToolAnswer,
    tool_catalog::ManageBookings,
    vocabulary::BookingStatus,
};
use jiff::civil::Date;
use serde_json::json;

use super::{Terms, formatting::nights};
use crate::{concierge_service::Inner, stay_reference::StayReference};

impl Inner {
    /// State before and after a change.
    pub(super) async fn changing(
        &self,
        caller: &Caller,
        wanted: &ManageBookings,
    ) -> Result<Terms, ToolAnswer> {
        let meant = StayReference::to_booking(&wanted.booking_number);
        let Some(stay) = self.booked(caller, meant).await? else {
            return Ok(Terms::default());
        };
        stay.must_be(&[BookingStatus::Reserved, BookingStatus::CheckedIn])?;
        let (from, to) = (
            wanted.check_in_date.unwrap_or(stay.from),
            wanted.check_out_date.unwrap_or(stay.to),
        );
        let room = wanted.room_number.as_ref();
        let other = room.filter(|number| **number != stay.room && !number.is_empty());
        let new = nights(from, to);
        let (booked, changed) = (
            Nights {
                from: stay.from,
                to: stay.to,
            },
            Nights { from, to },
        );
        let over = match stay.status {
            BookingStatus::CheckedIn => slept(booked, self.today()),
            _ => 0,
        };
        let rate = match other {
            // The nights that are over need no free room
            Some(number) => {
                let from = from.max(self.today());
                Some(self.rate_of(caller, number, from, to).await?)
            }
            None => None,
        };
        let agreed = AgreedPrice {
            slept: over,
            ..AgreedPrice::upfront(Cents(stay.price), booked)
        };
        let price = |rate| agreed.changed(changed, rate).0;
        let kept = rate.is_some() && wanted.keep_rate == Some(true);
        let after = price(rate.filter(|_| !kept));
        // Only the tool knows the share of a shared bill, and the rate after a move
        let (before, after) = match stay.shared || stay.status == BookingStatus::CheckedIn {
            true => self.applied(caller, wanted, (stay.price, after)).await,
            false => (stay.price, after),
        };
        let mut facts = Vec::new();
        if (from, to) != (stay.from, stay.to) {
            facts.push(said!(
                "fact-dates",
                from = self.written_day(from),
                to = self.written_day(to),
                count = new,
                old_from = self.written_day(stay.from),
                old_to = self.written_day(stay.to)
            ));
        }
        if let Some(number) = other {
            facts.push(said!("fact-room-instead", room = number, old = stay.room));
        }
        if kept {
            let own = price(rate);
            facts.push(said!("fact-rate-kept", sum = self.money(own)));
        } else if rate.is_some() && over > 0 {
            facts.push(said!("fact-rate-new", count = over));
        }
        let (sum, paid) = (self.money(after), self.money(0));
        facts.push(match after - before {
            0 => said!("fact-total-same", sum, paid),
            more @ 1.. => said!("fact-total-more-than", sum, more = self.money(more), paid),
            less => said!("fact-total-less-than", sum, less = self.money(-less), paid),
        });
        Ok(Terms {
            facts,
            price: Some(Cents(after)),
            ..Terms::default()
        })
    }

    /// Price of a stay before and after the change, as the tool has them.
    async fn applied(
        &self,
        caller: &Caller,
        wanted: &ManageBookings,
        computed: (i64, i64),
    ) -> (i64, i64) {
        let mut input = json!({ "booking_number": wanted.booking_number, "amount": computed.1 });
        for (name, value) in [
            ("room_number", json!(wanted.room_number)),
            ("keep_rate", json!(wanted.keep_rate)),
            ("check_in_date", json!(wanted.check_in_date)),
            ("check_out_date", json!(wanted.check_out_date)),
            ("number_of_guests", json!(wanted.number_of_guests)),
            ("special_requests", json!(wanted.special_requests)),
        ] {
            if !value.is_null() {
                input[name] = value;
            }
        }
        let call = ManageBookings::preview(input);
        let prompts = &self.parts.confirmations;
        let Err(error) = prompts.confirmation_for(caller, &call).await else {
            return computed;
        };
        let details = ErrorDetails::of(&error.details);
        let prices = details.price_before.zip(details.price);
        prices.map_or(computed, |(before, after)| (before.0, after.0))
    }

    /// Nightly rate of one room, if it is free for these nights.
    async fn rate_of(
        &self,
        caller: &Caller,
        number: &str,
        from: Date,
        to: Date,
    ) -> Result<Cents, ToolAnswer> {
        let dates = json!({ "check_in_date": from, "check_out_date": to });
        let room = self.free_room(caller, dates, Some(number)).await?;
        Ok(room.nightly_rate)
    }
}
