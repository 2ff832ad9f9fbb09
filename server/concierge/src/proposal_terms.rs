//! Price and effect of a proposal, from the hotel's own answers: cost now, new total, what is lost.
//!
//! None of it comes from the model. A price that can't be read is not proposed: nobody approves a
//! price they were not shown.

mod arrival;
mod booked_stay;
mod case;
mod change;
mod formatting;
mod room_status;
mod subject;

pub(crate) use booked_stay::BookedStay;
pub(crate) use case::described;

use dewy_domain::{
    booking_number::BookingNumber,
    caller::{Caller, Persona},
    error_code::ErrorCode,
    hotel_calendar::HotelCalendar,
    money::Cents,
    room_number::RoomNumber,
    said,
    sentence::Sentence,
    stay::LineKind,
    tool::Tool,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{
        CheckInGuest, CreateBooking, GetFolio, ManageBookings, ManageCases, PostCharge,
        ProcessGuestCheckout, SearchAvailableRooms, SearchBookings, SetRoomStatus,
    },
    tool_input::ToolInput,
    tool_output::AvailableRoom,
    vocabulary::{BookingAction, BookingStatus},
};
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::{concierge_service::Inner, stay_reference::StayReference};
use formatting::nights;

/// Additions to a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    /// First facts of the list.
    pub facts: Vec<Sentence>,
    /// Label of the button, if it includes an amount.
    pub yes: Option<Sentence>,
    /// Question, if the terms complete it.
    pub question: Option<Sentence>,
    /// Room the price is for, if only a room type was given.
    pub room: Option<RoomNumber>,
    /// Price of the whole stay that the person is shown.
    pub price: Option<Cents>,
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
        match tool.name {
            ProcessGuestCheckout::NAME => self.leaving(caller, StayReference::of(input)).await,
            CheckInGuest::NAME => {
                let wanted = CheckInGuest::read(&for_caller(caller, input))?;
                self.arriving(caller, &wanted).await
            }
            CreateBooking::NAME => {
                let wanted = CreateBooking::read(&for_caller(caller, input))?;
                self.booking(caller, &wanted).await
            }
            ManageBookings::NAME => {
                let wanted = ManageBookings::read(input)?;
                match wanted.action {
                    BookingAction::Cancel | BookingAction::NoShow => {
                        self.ending(caller, &wanted).await
                    }
                    _ => self.changing(caller, &wanted).await,
                }
            }
            PostCharge::NAME => {
                let (wanted, meant) = (PostCharge::read(input)?, StayReference::of(input));
                match (wanted.amount, &wanted.charge_number) {
                    (Some(amount), _) => self.charging(caller, meant, amount).await,
                    (None, Some(number)) => self.voiding(caller, meant, number).await,
                    (None, None) => Ok(Terms::default()),
                }
            }
            ManageCases::NAME => self.changing_case(caller, &ManageCases::read(input)?).await,
            SetRoomStatus::NAME => self.becoming(caller, &SetRoomStatus::read(input)?).await,
            _ => Ok(Terms::default()),
        }
    }

    /// Today in the hotel.
    pub(crate) fn today(&self) -> Date {
        self.calendar().today(self.now())
    }

    /// The hotel's calendar.
    pub(crate) fn calendar(&self) -> HotelCalendar {
        HotelCalendar {
            time_zone: self.parts.settings.time_zone.clone(),
            day_changes_at: self.parts.settings.day_changes_at,
        }
    }

    /// Stay that an input refers to; `None` if only a guest's email would identify it.
    pub(crate) async fn booked(
        &self,
        caller: &Caller,
        mut meant: StayReference,
    ) -> Result<Option<BookedStay>, ToolAnswer> {
        // The booking number takes precedence; the room may be what changes
        if meant.booking_number.is_some() {
            meant.room_number = None;
        }
        match caller.persona {
            Persona::Guest => meant.guest_email = None,
            Persona::Staff if meant.guest_email.is_some() || meant.booking_number.is_some() => {}
            Persona::Staff => match self.booking_in(caller, &meant).await? {
                Some(number) => meant = StayReference::to_booking(&number),
                None => return Ok(None),
            },
        }
        let folio = self.read::<GetFolio>(caller, meant).await?;
        Ok(Some(BookedStay {
            from: folio.check_in_date,
            to: folio.check_out_date,
            price: folio.sum(LineKind::Room).0,
            paid: folio.paid().0,
            balance: folio.balance.map(|balance| balance.0),
            number: folio.booking_number,
            shared: !folio.shares_bill_with.is_empty(),
            room: folio.room_number,
            status: folio.booking_status,
            lines: folio.lines,
        }))
    }

    /// Booking of the guest in a room, which staff name instead of the guest; none of several.
    async fn booking_in(
        &self,
        caller: &Caller,
        meant: &StayReference,
    ) -> Result<Option<BookingNumber>, ToolAnswer> {
        // Nobody's stay must not become somebody's
        let Some(room) = &meant.room_number else {
            return Ok(None);
        };
        let query = json!({ "room_number": room, "status": BookingStatus::CheckedIn, "limit": 2 });
        let found = self.read::<SearchBookings>(caller, query).await?;
        let only = <[_; 1]>::try_from(found.rows).ok();
        Ok(only.map(|[row]| row.booking.booking_number))
    }

    /// Check-out now; remaining nights are lost.
    async fn leaving(&self, caller: &Caller, meant: StayReference) -> Result<Terms, ToolAnswer> {
        let whom = meant.guest_email.clone();
        let Some(stay) = self.booked(caller, meant).await? else {
            return Ok(Terms::default());
        };
        let left = i64::from(-self.calendar().day(self.now()).since(stay.to));
        let mut facts = vec![said!("fact-now")];
        if caller.persona == Persona::Staff {
            facts.extend(whom.map(|email| format!("For: {email}").into()));
        }
        if let Some(balance) = stay.balance.filter(|balance| *balance > 0) {
            facts.push(said!(
                "fact-paid-now",
                paid = self.money(balance),
                open = self.money(0)
            ));
        }
        if left > 0 {
            facts.push(said!(
                "fact-early",
                day = self.written_day(stay.to),
                count = left
            ));
        }
        Ok(Terms {
            facts,
            ..Terms::default()
        })
    }

    /// Price of a booking. A price belongs to a room: if only a type was given, to the room that
    /// would be booked.
    async fn booking(&self, caller: &Caller, wanted: &CreateBooking) -> Result<Terms, ToolAnswer> {
        let room = self
            .free_room(
                caller,
                json!({
                    "check_in_date": wanted.check_in_date,
                    "check_out_date": wanted.check_out_date,
                    "room_type": wanted.room_type,
                    "number_of_guests": wanted.number_of_guests,
                }),
                wanted.room_number.as_deref(),
            )
            .await?;
        let sum = self.money(room.total.0);
        let (from, to) = (
            self.written_day(wanted.check_in_date),
            self.written_day(wanted.check_out_date),
        );
        let whom = match caller.persona {
            Persona::Guest => String::new(),
            Persona::Staff => {
                format!(
                    " for {} {}",
                    wanted.guest_first_name.as_deref().unwrap_or_default(),
                    wanted.guest_last_name.as_deref().unwrap_or_default()
                )
            }
        };
        let (number, kind) = (room.room_number, room.room_type);
        Ok(Terms {
            question: Some(said!("ask-book", room = number, kind, whom, from, to, sum)),
            yes: Some(said!("yes-book", sum)),
            facts: vec![
                said!(
                    "fact-total",
                    sum,
                    count = room.nights,
                    rate = self.money(room.nightly_rate.0)
                ),
                said!("fact-paid-later", paid = self.money(0)),
            ],
            room: Some(number),
            price: Some(room.total),
        })
    }

    /// First free room of the search, or the one with this number.
    async fn free_room(
        &self,
        caller: &Caller,
        mut wanted: Value,
        number: Option<&str>,
    ) -> Result<AvailableRoom, ToolAnswer> {
        wanted["limit"] = json!(50);
        if let Some(fields) = wanted.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        let found = self.read::<SearchAvailableRooms>(caller, wanted).await?;
        let number = number.filter(|number| !number.is_empty());
        let mut rooms = found.rows.into_iter();
        let room = rooms.find(|room| number.is_none_or(|number| room.room_number == number));
        room.ok_or_else(|| {
            let what = number.map_or_else(|| json!({}), |number| json!({ "room_number": number }));
            ToolError::with(ErrorCode::RoomAlreadyBooked, what).into()
        })
    }

    /// What is lost by canceling.
    async fn ending(&self, caller: &Caller, wanted: &ManageBookings) -> Result<Terms, ToolAnswer> {
        let number = &wanted.booking_number;
        let Some(stay) = self
            .booked(caller, StayReference::to_booking(number))
            .await?
        else {
            return Ok(Terms::default());
        };
        stay.must_be(&[BookingStatus::Reserved])?;
        let price = self.money(stay.price);
        let (room, from, to) = (
            &stay.room,
            self.written_day(stay.from),
            self.written_day(stay.to),
        );
        let paid = match stay.paid {
            ..=0 => said!("fact-no-refund", price),
            paid => said!("fact-desk-refund", sum = self.money(paid)),
        };
        let (question, yes) = match wanted.action {
            BookingAction::NoShow => (
                format!("Mark booking {number} as a no-show: room {room}, {from} to {to}?").into(),
                "Mark as no-show",
            ),
            _ => (
                said!("ask-cancel", booking = number, room, from, to),
                "Cancel the booking",
            ),
        };
        let count = nights(stay.from, stay.to);
        Ok(Terms {
            question: Some(question),
            yes: Some(Sentence::named("yes", yes)),
            facts: vec![said!("fact-lost", room, count), paid],
            room: None,
            price: None,
        })
    }

    /// The charge that is voided, and the folio afterwards.
    async fn voiding(
        &self,
        caller: &Caller,
        meant: StayReference,
        number: &str,
    ) -> Result<Terms, ToolAnswer> {
        let Some(stay) = self.booked(caller, meant).await? else {
            return Ok(Terms::default());
        };
        // The tool says that there is none
        let Some(line) = stay.lines.iter().find(|line| line.number == number) else {
            return Ok(Terms::default());
        };
        let what = line.description.as_ref();
        let what = what.map_or_else(String::new, |what| format!("“{what}”, "));
        let sum = line
            .amount
            .map_or_else(|| "without an amount".to_owned(), |sum| self.money(sum.0));
        Ok(Terms {
            question: Some(
                format!("Void charge {number} of room {}: {what}{sum}?", stay.room).into(),
            ),
            facts: self
                .open_then(&stay, -line.owed().0, ".")
                .into_iter()
                .collect(),
            ..Terms::default()
        })
    }

    /// Folio before and after a charge.
    async fn charging(
        &self,
        caller: &Caller,
        meant: StayReference,
        amount: Cents,
    ) -> Result<Terms, ToolAnswer> {
        let Some(stay) = self.booked(caller, meant).await? else {
            return Ok(Terms::default());
        };
        let paid = ". The guest pays it at check-out.";
        Ok(Terms {
            facts: self.open_then(&stay, amount.0, paid).into_iter().collect(),
            ..Terms::default()
        })
    }

    /// What is open before and after a line of this amount, where that is known.
    fn open_then(&self, stay: &BookedStay, more: i64, end: &str) -> Option<Sentence> {
        let (now, then) = (self.money(stay.balance?), self.money(stay.balance? + more));
        Some(format!("Room {}: open {now} now, {then} afterwards{end}", stay.room).into())
    }
}

/// The input as the dispatcher completes it: a guest is always the caller.
fn for_caller(caller: &Caller, input: &Value) -> Value {
    let mut input = input.clone();
    if let (Persona::Guest, Some(fields)) = (caller.persona, input.as_object_mut()) {
        fields.insert("guest_email".to_owned(), json!(caller.email));
    }
    input
}
