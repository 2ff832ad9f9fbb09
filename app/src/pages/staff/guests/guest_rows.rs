//! Guests as returned by `search_guests`.

use dewy_domain::{ports::SignedIn, vocabulary::BookingStatus};
use serde::Deserialize;
use serde_json::json;

use crate::{
    form_draft::FormDraft, page_context::PageContext, pages::staff::staff_reads::read_tool,
    render_page::PageError,
};

/// List of guests.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Guests {
    /// Matching guests.
    pub guests: Vec<GuestRow>,
    /// Whether there are more.
    #[serde(default)]
    pub cut: bool,
    /// How to narrow the search.
    #[serde(default)]
    pub how_to_narrow: String,
}

/// Guest.
#[derive(Clone, Debug, Deserialize)]
pub struct GuestRow {
    /// Email in lower case.
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
    /// Current and future stays.
    #[serde(default)]
    pub stays: Vec<GuestStay>,
}

/// Stay of a guest.
#[derive(Clone, Debug, Deserialize)]
pub struct GuestStay {
    /// `BK-0042`.
    pub booking_number: String,
    /// Status.
    #[serde(default)]
    pub booking_status: BookingStatus,
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

/// Matching guests for any known detail: a name, an email, a phone number, a booking or a room.
pub async fn find(
    ctx: &PageContext,
    user: &SignedIn,
    query: &str,
    here: &str,
) -> Result<Result<Guests, FormDraft>, PageError> {
    read_tool(ctx, user, "search_guests", json!({ "query": query }), here).await
}
