//! A guest's language, taken from their browser or chosen by them.

use dewy_domain::sentence::Sentence;
use dewy_languages::Language;
use jiff::civil::Date;

use crate::hotel::hotel_service::Hotel;

/// Name under which the tag of a guest's language is stored.
#[must_use]
pub fn guest_language_key(email: &str) -> String {
    format!("language:{email}")
}

impl Hotel {
    /// Tag of a guest's language, if it is known.
    pub(crate) async fn language_of(&self, email: &str) -> Option<String> {
        let stored = self.key_value_store.read(&guest_language_key(email)).await;
        let stored = stored.unwrap_or_else(|error| {
            tracing::warn!(%error, "a guest's language could not be read");
            None
        });
        stored?.as_str().map(str::to_owned)
    }

    /// Translates a text message into the guest's language, or else the hotel's; without a
    /// translation file it stays in English.
    pub(crate) async fn text_for(&self, email: &str, text: &Sentence) -> String {
        let hotel = &self.settings.hotel.locale;
        let stored = self.language_of(email).await;
        let known = stored.as_deref().and_then(Language::named);
        let known = known.or_else(|| Language::named(hotel.tag()));
        let language = known.unwrap_or_default();
        let locale = hotel.in_language(language.tag());
        let day = |value: &str| {
            let day = Date::strptime("%a, %b %d, %Y", value).ok()?;
            Some(locale.day(day))
        };
        text.told(day, |id, values| language.translation(id, values))
    }
}
