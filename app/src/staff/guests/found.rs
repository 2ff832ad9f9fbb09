//! Guests as `search_guests` answers them.

use dewy_domain::ports::SignedIn;
use serde::Deserialize;
use serde_json::json;

use crate::{form_draft::FormDraft, page::Stop, page_context::PageContext, staff::reads::ask};

/// A list of them.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Guests {
    /// Those who fit.
    pub guests: Vec<GuestRow>,
    /// There are more.
    #[serde(default)]
    pub cut: bool,
    /// How to see fewer.
    #[serde(default)]
    pub how_to_narrow: String,
}

/// One guest.
#[derive(Clone, Debug, Deserialize)]
pub struct GuestRow {
    /// Lower case.
    #[serde(default)]
    pub guest_email: Option<String>,
    /// First name.
    #[serde(default)]
    pub first_name: String,
    /// Last name.
    #[serde(default)]
    pub last_name: String,
    /// Phone.
    #[serde(default)]
    pub phone: Option<String>,
    /// `DR-10042`.
    #[serde(default)]
    pub loyalty_number: Option<String>,
    /// Stays that are not over.
    #[serde(default)]
    pub stays: Vec<GuestStay>,
}

/// One of a guest's stays.
#[derive(Clone, Debug, Deserialize)]
pub struct GuestStay {
    /// `BK-0042`.
    pub booking_number: String,
    /// `Checked In`.
    #[serde(default)]
    pub booking_status: String,
    /// `302`.
    #[serde(default)]
    pub room_number: String,
}

impl GuestRow {
    /// First and last name.
    pub fn name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
            .trim()
            .to_owned()
    }
}

/// Who fits what the desk has in hand: a name, an email, a phone number, a booking or a room.
pub async fn find(
    ctx: &PageContext,
    who: &SignedIn,
    query: &str,
    here: &str,
) -> Result<Result<Guests, FormDraft>, Stop> {
    ask(ctx, who, "search_guests", json!({ "query": query }), here).await
}
