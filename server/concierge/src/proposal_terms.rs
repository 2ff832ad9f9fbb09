//! Price and effect of a proposal, from the hotel's own answers: cost now, new total, what is lost.
//!
//! None of it comes from the model. A price that can't be read is not proposed: nobody approves a
//! price they were not shown.

mod booked_stay;
mod text;

use dewy_domain::{
    answer::{ToolAnswer, ToolError},
    caller::{Caller, Persona},
    error_code::ErrorCode,
    tool::{Tool, ToolCall},
    vocabulary::BookingStatus,
};
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::service::Inner;
use booked_stay::Booked;
use text::{counted, nights};

/// Additions to a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    /// First facts of the list.
    pub facts: Vec<String>,
    /// Label of the button, if it includes an amount.
    pub yes: Option<String>,
    /// Question, if the terms complete it.
    pub question: Option<String>,
    /// Room the price is for, if only a room type was given.
    pub room: Option<String>,
}

impl Inner {
    /// Terms of an action.
    ///
    /// # Errors
    /// The error of a read.
    pub async fn terms(
        &self,
        caller: &Caller,
        tool: &Tool,
        input: &Value,
    ) -> Result<Terms, ToolAnswer> {
        match (tool.name, input["action"].as_str()) {
            ("process_guest_checkout", _) => self.leaving(caller, input).await,
            ("create_booking", _) => self.booking(caller, input).await,
            ("manage_bookings", Some("cancel" | "no_show")) => self.ending(caller, input).await,
            ("manage_bookings", _) => self.changing(caller, input).await,
            ("post_charge", _) if input["void"] != Value::Bool(true) => {
                self.charging(caller, input).await
            }
            _ => Ok(Terms::default()),
        }
    }

    fn today(&self) -> Date {
        self.now()
            .to_zoned(self.parts.settings.time_zone.clone())
            .date()
    }

    async fn read(&self, caller: &Caller, tool: &str, input: Value) -> Result<Value, ToolAnswer> {
        let call = ToolCall {
            tool: tool.to_owned(),
            input,
            idempotency_token: None,
            wait: None,
        };
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        if answer.error().is_some() {
            return Err(answer);
        }
        Ok(answer.body(caller.persona)["data"].clone())
    }

    /// Stay that an input refers to; `None` if only a guest's email would identify it.
    async fn booked(&self, caller: &Caller, input: &Value) -> Result<Option<Booked>, ToolAnswer> {
        let given = |name: &str| input[name].as_str().filter(|text| !text.is_empty());
        let mut wanted = json!({});
        // The booking number takes precedence; the room may be what changes
        match (given("booking_number"), given("room_number")) {
            (Some(number), _) => wanted["booking_number"] = json!(number),
            (None, Some(room)) => wanted["room_number"] = json!(room),
            (None, None) => {}
        }
        if caller.persona == Persona::Staff {
            let email = match given("guest_email") {
                Some(email) => Some(email.to_owned()),
                None => self.whose(caller, &wanted).await?,
            };
            let Some(email) = email else { return Ok(None) };
            wanted["guest_email"] = json!(email);
        }
        let folio = self.read(caller, "get_folio", wanted).await?;
        let day = |name: &str| folio[name].as_str().and_then(|text| text.parse().ok());
        let (Some(from), Some(to)) = (day("check_in_date"), day("check_out_date")) else {
            return Err(ToolError::new(ErrorCode::UpstreamUnavailable).into());
        };
        let lines = folio["lines"].as_array().cloned().unwrap_or_default();
        let sum = |kind: &str| -> i64 {
            lines
                .iter()
                .filter(|line| line["kind"] == kind)
                .filter_map(|line| line["amount"].as_i64())
                .sum()
        };
        Ok(Some(Booked {
            from,
            to,
            room: folio["room_number"].as_str().unwrap_or_default().to_owned(),
            price: sum("room"),
            paid: sum("payment").abs() - sum("refund").abs(),
            balance: folio["balance"].as_i64().unwrap_or_default(),
            status: folio["booking_status"].as_str().unwrap_or_default().into(),
        }))
    }

    /// Guest of a booking or room; staff refer to either without an email. `None` if it is too far
    /// in the future to be found.
    async fn whose(&self, caller: &Caller, wanted: &Value) -> Result<Option<String>, ToolAnswer> {
        let query = match wanted["room_number"].as_str() {
            Some(room) => {
                json!({ "room_number": room, "status": BookingStatus::CheckedIn, "limit": 1 })
            }
            // Nobody's stay must not become somebody's
            None if wanted["booking_number"].is_null() => return Ok(None),
            None => json!({ "from_date": self.today().to_string(), "limit": 200 }),
        };
        let found = self.read(caller, "search_bookings", query).await?;
        let number = &wanted["booking_number"];
        let mut rows = found["bookings"].as_array().into_iter().flatten();
        let row = rows.find(|row| number.is_null() || row["booking_number"] == *number);
        Ok(row
            .and_then(|row| row["guest_email"].as_str())
            .map(str::to_owned))
    }

    /// Check-out now; remaining nights are lost.
    async fn leaving(&self, caller: &Caller, input: &Value) -> Result<Terms, ToolAnswer> {
        let Some(stay) = self.booked(caller, input).await? else {
            return Ok(Terms::default());
        };
        let left = nights(self.today().max(stay.from), stay.to);
        let mut facts = vec!["When: now, as soon as you say yes.".to_owned()];
        if caller.persona == Persona::Staff {
            facts.extend(
                input["guest_email"]
                    .as_str()
                    .map(|email| format!("For: {email}")),
            );
        }
        if stay.balance > 0 {
            facts.push(format!(
                "Paid now: {}. Open afterwards: {}.",
                self.money(stay.balance),
                self.money(0)
            ));
        }
        if left > 0 {
            facts.push(format!(
                "Early departure: the stay is booked until {}. {} forfeited and still charged; nothing is refunded.",
                self.written_day(stay.to),
                counted(left, "night is", "nights are"),
            ));
        }
        Ok(Terms {
            facts,
            ..Terms::default()
        })
    }

    /// Price of a booking. A price belongs to a room: if only a type was given, to the room that
    /// would be booked.
    async fn booking(&self, caller: &Caller, input: &Value) -> Result<Terms, ToolAnswer> {
        let wanted = json!({ "check_in_date": input["check_in_date"], "check_out_date": input["check_out_date"] });
        let room = self.free_room(caller, wanted, input).await?;
        let number = room["room_number"].as_str().unwrap_or_default().to_owned();
        let total = self.money(room["total"].as_i64().unwrap_or_default());
        let rate = self.money(room["nightly_rate"].as_i64().unwrap_or_default());
        let count = room["nights"].as_i64().unwrap_or_default();
        let (from, to) = (
            self.named_day(&input["check_in_date"]),
            self.named_day(&input["check_out_date"]),
        );
        let whom = match caller.persona {
            Persona::Guest => String::new(),
            Persona::Staff => {
                let name = |field: &str| input[field].as_str().unwrap_or_default().to_owned();
                format!(
                    " for {} {}",
                    name("guest_first_name"),
                    name("guest_last_name")
                )
            }
        };
        let kind = room["room_type"].as_str().unwrap_or_default();
        Ok(Terms {
            question: Some(format!(
                "Book room {number} ({kind}){whom}, {from} to {to}, for {total}?"
            )),
            yes: Some(format!("Book for {total}")),
            facts: vec![
                format!(
                    "Total: {total} ({} at {rate}).",
                    counted(count, "night", "nights")
                ),
                format!(
                    "Paid now: {}. The total is paid at check-out. No tax is computed.",
                    self.money(0)
                ),
            ],
            room: Some(number),
        })
    }

    async fn free_room(
        &self,
        caller: &Caller,
        mut wanted: Value,
        input: &Value,
    ) -> Result<Value, ToolAnswer> {
        wanted["limit"] = json!(50);
        for name in ["room_type", "number_of_guests"] {
            if let Some(value) = input.get(name).filter(|value| !value.is_null()) {
                wanted[name] = value.clone();
            }
        }
        let found = self.read(caller, "search_available_rooms", wanted).await?;
        let rooms = found["rooms"].as_array().cloned().unwrap_or_default();
        let number = input["room_number"]
            .as_str()
            .filter(|number| !number.is_empty());
        let room = rooms
            .into_iter()
            .find(|room| number.is_none_or(|number| room["room_number"] == number));
        room.ok_or_else(|| {
            let what = number.map_or_else(|| json!({}), |number| json!({ "room_number": number }));
            ToolError::with(ErrorCode::RoomAlreadyBooked, what).into()
        })
    }

    /// What is lost by canceling.
    async fn ending(&self, caller: &Caller, input: &Value) -> Result<Terms, ToolAnswer> {
        let Some(stay) = self.booked(caller, input).await? else {
            return Ok(Terms::default());
        };
        stay.must_be(&[BookingStatus::Reserved])?;
        let number = input["booking_number"].as_str().unwrap_or_default();
        let price = self.money(stay.price);
        let days = format!(
            "{} to {}",
            self.written_day(stay.from),
            self.written_day(stay.to)
        );
        let paid = match stay.paid {
            ..=0 => format!("Refund: none, because nothing was paid. The {price} is not charged."),
            paid => format!(
                "{} was paid. This does not refund it; the front desk handles that.",
                self.money(paid)
            ),
        };
        let (what, yes) = match input["action"].as_str() {
            Some("no_show") => ("Mark booking", "Mark as no-show"),
            _ => ("Cancel booking", "Cancel the booking"),
        };
        let end = if what == "Mark booking" {
            " as a no-show"
        } else {
            ""
        };
        Ok(Terms {
            question: Some(format!("{what} {number}{end}: room {}, {days}?", stay.room)),
            yes: Some(yes.to_owned()),
            facts: vec![
                format!(
                    "Lost: room {} for {}, at once.",
                    stay.room,
                    counted(nights(stay.from, stay.to), "night", "nights")
                ),
                paid,
            ],
            room: None,
        })
    }

    /// State before and after a change.
    async fn changing(&self, caller: &Caller, input: &Value) -> Result<Terms, ToolAnswer> {
        let Some(stay) = self.booked(caller, input).await? else {
            return Ok(Terms::default());
        };
        stay.must_be(&[BookingStatus::Reserved, BookingStatus::CheckedIn])?;
        let wanted = |name: &str, now: Date| {
            input[name]
                .as_str()
                .and_then(|text| text.parse().ok())
                .unwrap_or(now)
        };
        let (from, to) = (
            wanted("check_in_date", stay.from),
            wanted("check_out_date", stay.to),
        );
        let other = input["room_number"]
            .as_str()
            .filter(|number| *number != stay.room && !number.is_empty());
        let (old, new) = (nights(stay.from, stay.to), nights(from, to));
        // The booked rate stays, to the nearest cent, unless the room changes: then that room's own
        // rate applies
        let after = match other {
            // The nights that are over need no free room
            Some(number) => {
                let from = from.max(self.today());
                self.price_of(caller, number, from, to, new).await?
            }
            None if old == new || old <= 0 => stay.price,
            None => (2 * stay.price * new + old) / (2 * old),
        };
        let mut facts = Vec::new();
        if (from, to) != (stay.from, stay.to) {
            facts.push(format!(
                "Dates: {} to {} ({}), instead of {} to {}.",
                self.written_day(from),
                self.written_day(to),
                counted(new, "night", "nights"),
                self.written_day(stay.from),
                self.written_day(stay.to)
            ));
        }
        if let Some(number) = other {
            facts.push(format!("Room: {number}, instead of {}.", stay.room));
        }
        let difference = match after - stay.price {
            0 => "the same as before".to_owned(),
            more @ 1.. => format!("{} more than before", self.money(more)),
            less => format!("{} less than before", self.money(-less)),
        };
        facts.push(format!(
            "New total: {}, {difference}. Paid now: {}.",
            self.money(after),
            self.money(0)
        ));
        Ok(Terms {
            facts,
            ..Terms::default()
        })
    }

    /// Price of one room, available or not: the tool decides whether it can be booked.
    async fn price_of(
        &self,
        caller: &Caller,
        number: &str,
        from: Date,
        to: Date,
        count: i64,
    ) -> Result<i64, ToolAnswer> {
        let dates = json!({ "check_in_date": from.to_string(), "check_out_date": to.to_string() });
        match self
            .free_room(caller, dates, &json!({ "room_number": number }))
            .await
        {
            Ok(room) => Ok(room["nightly_rate"].as_i64().unwrap_or_default() * count),
            Err(answer) => Err(answer),
        }
    }

    /// Folio before and after a charge.
    async fn charging(&self, caller: &Caller, input: &Value) -> Result<Terms, ToolAnswer> {
        let Some(stay) = self.booked(caller, input).await? else {
            return Ok(Terms::default());
        };
        let sum = input["amount"].as_i64().unwrap_or_default();
        let facts = vec![format!(
            "Room {}: open {} now, {} afterwards. The guest pays it at check-out.",
            stay.room,
            self.money(stay.balance),
            self.money(stay.balance + sum)
        )];
        Ok(Terms {
            facts,
            ..Terms::default()
        })
    }
}

/// Whether approval gives something up: its button must not look like a gain.
pub(crate) fn loses(tool: &str, input: &Value) -> bool {
    let ends = matches!(input["action"].as_str(), Some("cancel" | "no_show"));
    (tool == "manage_bookings" && ends)
        || input["void"] == Value::Bool(true)
        || input["take_out_of_service"] == Value::Bool(true)
}
