//! Charge to post or to void.

use dewy_domain::{
    tool_catalog::{self, MAX_CHARGE},
    tool_output::ChargeResult,
};

use super::PAGE;
use crate::{
    kept_reviews,
    pages::{
        prelude::*,
        staff::board::{QuickAction, guest_of},
    },
};

pub const FORM: &str = "charge";
/// Field of the stored form with the amount that was read from the entered one.
const CENTS: &str = "cents";
/// Field of the review with the booking whose guest it names: a guest who moves into the room in the
/// meantime is not charged.
pub const STAY: &str = "stay";
/// Field of the review with the equal charge that it has warned of.
pub const REPEAT: &str = "repeat_of";
/// Fields that the review carries from the form.
pub const FIELDS: [&str; 6] = [
    "room",
    "booking",
    "amount",
    CENTS,
    "description",
    "charge_number",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeRequest {
    room: String,
    booking: String,
    /// Equal charge that is repeated on purpose.
    repeat_of: String,
    pub(super) what: ChargeOperation,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChargeOperation {
    Post { amount: Cents, description: String },
    Void { number: String },
}

impl ChargeRequest {
    /// Stored request, if it is complete.
    pub fn of(draft: &FormDraft) -> Option<Self> {
        let (room, booking, number) = (
            draft.value("room"),
            draft.value_or(STAY, &draft.value("booking")),
            draft.value("charge_number"),
        );
        let what = if number.is_empty() {
            let description = draft.value("description");
            ChargeOperation::Post {
                amount: draft.value(CENTS).parse().map(Cents).ok()?,
                description: some(description)?,
            }
        } else {
            ChargeOperation::Void { number }
        };
        (!room.is_empty() || !booking.is_empty()).then_some(Self {
            room,
            booking,
            repeat_of: draft.value(REPEAT),
            what,
        })
    }

    pub fn input(&self) -> Value {
        let (amount, description, number, void) = match &self.what {
            ChargeOperation::Post {
                amount,
                description,
            } => (amount.0.to_string(), &**description, "", ""),
            ChargeOperation::Void { number } => (String::new(), "", &**number, "true"),
        };
        form_input([
            ("amount", &*amount),
            ("description", description),
            ("charge_number", number),
            ("void", void),
            ("room_number", &self.room),
            ("booking_number", &self.booking),
            (REPEAT, &self.repeat_of),
        ])
    }

    /// Room and booking number; one of them may be empty.
    pub fn place(&self) -> (&str, &str) {
        (&self.room, &self.booking)
    }

    fn failure_title(&self) -> &'static str {
        match self.what {
            ChargeOperation::Post { .. } => "Nothing was posted",
            ChargeOperation::Void { .. } => "The charge was not voided",
        }
    }

    fn success_message(&self, result: &ChargeResult, guest: Option<&str>) -> String {
        let sum = labels::money(result.amount, result.currency);
        let room = &result.room_number;
        let whom = match guest {
            Some(guest) => format!("{guest} (room {room})"),
            None => format!("room {room}"),
        };
        match &self.what {
            ChargeOperation::Post { description, .. } => {
                format!("{sum} for “{description}” was posted to {whom}.")
            }
            ChargeOperation::Void { number } => {
                format!("The charge {number} of {sum} to {whom} was voided.")
            }
        }
    }

    /// Room and booking, as they were entered.
    pub fn target_label(&self) -> String {
        match (self.room.as_str(), self.booking.as_str()) {
            ("", booking) => booking.to_owned(),
            (room, "") => format!("Room {room}"),
            (room, booking) => format!("Room {room}, {booking}"),
        }
    }
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

pub fn void_button(booking: &str, number: &str) -> AnyView {
    view! {
        <form class="inline" method="post" action="/form/charge_check">
            {hidden([("booking", booking.to_owned()), ("charge_number", number.to_owned())])}
            <button class="quiet small-button" aria-label=format!("Void {number}")>"Void…"</button>
        </form>
    }
    .into_any()
}

/// Stores the input and leads to the review, or shows the form again.
pub async fn charge_check(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, PAGE).await?;
    let (room, booking) = (form.get("room"), form.get("booking").to_uppercase());
    let description = form.get("description");
    let snapshot = form.ctx.board.snapshot(&user.caller).await;
    let currency = snapshot.map_or(Currency::USD, |snapshot| snapshot.currency);
    let cents = hotel().locale.read_amount(form.raw("amount"), currency);
    let cents = cents.filter(|cents| cents.0 > 0);
    let voids = !form.raw("charge_number").is_empty();
    let most = labels::money(MAX_CHARGE, currency);
    let draft = FormDraft::default()
        .check(
            "room",
            !(room.is_empty() && booking.is_empty()),
            "Enter a room or a booking",
        )
        .check(
            "amount",
            voids || cents.is_some(),
            "Enter an amount such as 12.50, in the hotel’s currency",
        )
        .check(
            "amount",
            voids || cents.is_none_or(|cents| cents <= MAX_CHARGE),
            format!("One charge is {most} at most"),
        )
        .check(
            "description",
            voids || !dewy_domain::blank_text::is_blank(description),
            "Say what it is for",
        );
    let cents = cents.map_or_else(String::new, |cents| cents.0.to_string());
    let fields = [
        ("room", room),
        ("booking", &booking),
        ("amount", form.get("amount")),
        (CENTS, &cents),
        ("description", description),
        ("charge_number", form.raw("charge_number")),
        (TOKEN, form.token()),
    ];
    let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
    let draft = given.fold(draft, |draft, (name, value)| draft.field(name, value));
    let name = match form.token() {
        "" => form.ctx.token_generator.token(),
        token => token.to_owned(),
    };
    kept_reviews::review(&form, FORM, PAGE, &name, draft).await
}

/// Submits the reviewed charge, and leads to the stay it was posted to. The review carries all of
/// it, so that the submitted values are those that were shown.
pub async fn post_charge(form: FormSubmission) -> FormResult {
    let ctx = &form.ctx;
    let user = form.sender(Persona::Staff, PAGE).await?;
    let draft = [STAY, REPEAT].into_iter().chain(FIELDS);
    let draft = form.draft(&draft.collect::<Vec<_>>());
    let Some(wanted) = ChargeRequest::of(&draft) else {
        kept_reviews::say_gone(&*ctx.authenticator, FORM).await;
        return Ok(PAGE.to_owned());
    };
    let guest = match &wanted.booking {
        number if number.is_empty() => None,
        number => Some(guest_of(ctx, &user, number).await),
    };
    let then = guest.as_ref().map(|_| page_url::stay(&wanted.booking));
    let then = then.unwrap_or_else(|| PAGE.to_owned());
    QuickAction::<tool_catalog::PostCharge>::new(FORM, PAGE, wanted.failure_title())
        .input(wanted.input())
        .then(&*then)
        .meanwhile(&*then)
        .draft(draft)
        .send(&form, &user, move |result| {
            wanted.success_message(&result, guest.as_deref())
        })
        .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_confirmed_charge_is_the_submitted_one() {
        let draft = FormDraft::default()
            .field("room", "302")
            .field(STAY, "")
            .field("amount", "12,5")
            .field(CENTS, "1250")
            .field("description", "Minibar");
        let wanted = ChargeRequest::of(&draft).unwrap();
        assert_eq!(
            wanted.input(),
            json!({ "amount": 1250, "description": "Minibar", "room_number": "302" })
        );
        let void = FormDraft::default()
            .field("booking", "BK-0042")
            .field("charge_number", "PT-0008");
        let wanted = ChargeRequest::of(&void).unwrap();
        assert_eq!(
            wanted.input(),
            json!({ "charge_number": "PT-0008", "void": "true", "booking_number": "BK-0042" })
        );
        assert_eq!(
            ChargeRequest::of(
                &FormDraft::default()
                    .field(CENTS, "500")
                    .field("description", "x")
            ),
            None
        );
    }
}
