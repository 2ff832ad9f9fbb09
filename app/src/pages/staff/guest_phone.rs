//! A guest's phone number, and whether it can be texted.

use dewy_domain::{
    hotel_profile::{phone_link, phone_text},
    text_refusal::TextRefusal,
};

use crate::pages::prelude::*;

/// Number, with the reason why texts to it are refused, if they are.
pub struct GuestPhone {
    number: String,
    refusal: Option<TextRefusal>,
}

impl GuestPhone {
    /// The number on file; asks the store only.
    pub async fn of(ctx: &PageContext, number: Option<&str>) -> Option<Self> {
        let number = number?.to_owned();
        let refusal = ctx.text_refusals.refusal(&number).await;
        Some(Self { number, refusal })
    }

    /// Fact in a list.
    pub fn view(&self) -> AnyView {
        let Self { number, refusal } = self;
        let refused = refusal.map(refusal_text);
        let refused = refused.map(|words| view! { " " <small>{words}</small> });
        view! { <div><dt>"Phone"</dt> <dd><a href=phone_link(number)>{phone_text(number)}</a>{refused}</dd></div> }
            .into_any()
    }
}

/// What the front desk reads, and what to do.
const fn refusal_text(refusal: TextRefusal) -> &'static str {
    match refusal {
        TextRefusal::Stopped => {
            "Texts to this number are refused: its owner has answered STOP. They can answer START."
        }
        TextRefusal::NoSuchNumber => {
            "Texts to this number are refused: no phone has it. Ask for the right one."
        }
        TextRefusal::NotMobile => {
            "Texts to this number are refused: it is a landline, or takes no texts. Ask for a mobile number."
        }
        TextRefusal::NotAllowed => {
            "Texts to this number are refused: our Twilio account may not send to it. An operator can enable its country."
        }
        TextRefusal::Blocked => "Texts to this number are refused: the carrier blocks them.",
    }
}
