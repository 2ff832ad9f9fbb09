//! Staff notes about stays, kept in the store: no other system has a place for them.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    blank_text::is_blank,
    booking_number::BookingNumber,
    caller::Caller,
    error_code::ErrorCode,
    payment_card_number::has_card_number,
    ports::{Clock, MAX_NOTE_LENGTH, StayNote, StayNotes},
    stored_token::TokenKey,
};
use dewy_saga::StoreError;
use dewy_store::Store;

/// Maximum length of a booking number or a form token.
const MAX_KEY_LENGTH: usize = 100;

#[derive(Clone, Debug)]
pub struct StayNotesService {
    pub store: Store,
    /// Key of what is stored of tokens that look like card numbers.
    pub token_key: TokenKey,
    pub clock: Arc<dyn Clock>,
}

#[async_trait]
impl StayNotes for StayNotesService {
    async fn notes(
        &self,
        caller: &Caller,
        booking_number: &BookingNumber,
    ) -> Result<Vec<StayNote>, ErrorCode> {
        require_front_desk(caller)?;
        let Some(booking) = key(booking_number) else {
            return Ok(Vec::new());
        };
        self.store
            .stay_notes(&booking.to_uppercase())
            .await
            .map_err(failed)
    }

    async fn add(
        &self,
        caller: &Caller,
        booking_number: &BookingNumber,
        token: &str,
        body: &str,
    ) -> Result<(), ErrorCode> {
        require_front_desk(caller)?;
        if caller.read_only {
            return Err(ErrorCode::UnknownTool);
        }
        let token = self.token_key.stored(token);
        let (Some(booking), Some(token), Some(body)) =
            (key(booking_number), key(&token), normalized(body))
        else {
            return Err(ErrorCode::ValidationFailed);
        };
        let now = self.clock.now();
        self.store
            .add_stay_note(&booking.to_uppercase(), &caller.email, token, now, &body)
            .await
            .map_err(failed)?;
        Ok(())
    }
}

/// Notes are about guests, so only roles that work with guests may read them.
fn require_front_desk(caller: &Caller) -> Result<(), ErrorCode> {
    if caller.is_front_desk() {
        Ok(())
    } else {
        Err(ErrorCode::UnknownTool)
    }
}

fn key(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_short = !text.is_empty() && text.len() <= MAX_KEY_LENGTH;
    (is_short && !text.contains(char::is_control) && !has_card_number(text)).then_some(text)
}

/// Normalized text: uniform line ends, no invisible characters, and no payment card number.
fn normalized(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let text: String = text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    let text = text.trim();
    let fits = !is_blank(text) && text.chars().count() <= MAX_NOTE_LENGTH;
    (fits && !has_card_number(text)).then(|| text.to_owned())
}

fn failed(error: StoreError) -> ErrorCode {
    tracing::error!(%error, "notes could not be read or written");
    ErrorCode::Internal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_length_counts_visible_characters() {
        assert_eq!(
            normalized("  Late\r\nbreakfast\u{0} \n"),
            Some("Late\nbreakfast".to_owned())
        );
        assert_eq!(normalized(" \r\n\t "), None);
        assert!(normalized(&"é".repeat(MAX_NOTE_LENGTH)).is_some());
        assert_eq!(normalized(&"é".repeat(MAX_NOTE_LENGTH + 1)), None);
    }
}
