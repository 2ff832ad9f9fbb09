//! Signed links of confirmations: `/booking/<stay, email>.<HMAC>`. They work until the
//! last day of the stay, lead to the sign-in, and are not stored.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dewy_domain::{
    hotel_calendar::HotelCalendar,
    ports::{BookingLink, BookingLinks, Clock},
};

use crate::config::installation_key::InstallationKey;

/// Purpose of the hashes.
const PURPOSE: &str = "booking link";
/// Bytes of the hash that a link has.
const MAC: usize = 16;
/// Longer than any link that we make: an email has 254 bytes, a booking number 80.
const MAX_TOKEN: usize = 600;

/// Makes and reads the links.
#[derive(Clone, Debug)]
pub struct SignedBookingLinks {
    /// Key that signs them.
    pub key: InstallationKey,
    /// Address of the hotel's pages.
    pub public_url: String,
    /// Clock.
    pub clock: Arc<dyn Clock>,
    /// Days of the hotel.
    pub calendar: HotelCalendar,
}

impl BookingLinks for SignedBookingLinks {
    fn address(&self, link: &BookingLink) -> String {
        let content = [
            &link.until.to_string(),
            link.booking_number.as_str(),
            link.email.as_str(),
        ];
        let content = content.join("\n");
        let mac = self.key.hash(PURPOSE, &[content.as_bytes()]);
        let [content, mac] =
            [content.as_bytes(), &mac[..MAC]].map(|part| URL_SAFE_NO_PAD.encode(part));
        format!(
            "{}/booking/{content}.{mac}",
            self.public_url.trim_end_matches('/')
        )
    }

    fn read(&self, token: &str) -> Option<BookingLink> {
        let (content, mac) = Some(token)
            .filter(|token| token.len() <= MAX_TOKEN)?
            .split_once('.')?;
        let content = URL_SAFE_NO_PAD.decode(content).ok()?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        let signed = mac.len() == MAC && self.key.verifies(PURPOSE, &[&content], &mac);
        let content = String::from_utf8(content).ok().filter(|_| signed)?;
        let mut parts = content.splitn(3, '\n');
        let link = BookingLink {
            until: parts.next()?.parse().ok()?,
            booking_number: parts.next()?.into(),
            email: parts.next()?.into(),
        };
        let today = self.calendar.date(self.clock.now());
        (today <= link.until).then_some(link)
    }
}

#[cfg(test)]
mod tests {
    use dewy_connectors::{OsEntropy, RealClock};
    use dewy_store::Store;

    use super::*;

    fn links(key: &InstallationKey) -> SignedBookingLinks {
        SignedBookingLinks {
            key: key.clone(),
            public_url: "https://hotel.example/".to_owned(),
            clock: Arc::new(RealClock),
            calendar: HotelCalendar::default(),
        }
    }

    async fn key() -> InstallationKey {
        let clock = Arc::new(RealClock);
        let store = Store::open("sqlite::memory:", clock).await.unwrap();
        store.migrate().await.unwrap();
        InstallationKey::in_store(&store, &OsEntropy).await.unwrap()
    }

    fn link(number: &str, until: &str) -> BookingLink {
        BookingLink {
            booking_number: number.into(),
            email: "beth.gibbs@email.com".into(),
            until: until.parse().unwrap(),
        }
    }

    #[tokio::test]
    async fn a_link_is_read_only_as_it_was_made_and_until_the_stay_is_over() {
        let key = key().await;
        let links = links(&key);
        let token = |link: &BookingLink| {
            let address = links.address(link);
            let token = address.strip_prefix("https://hotel.example/booking/");
            token.unwrap().to_owned()
        };
        let (one, other) = (link("BK-0042", "2999-01-01"), link("BK-0043", "2999-01-01"));
        assert_eq!(links.read(&token(&one)), Some(one.clone()));
        let over = token(&link("BK-0042", "2026-01-01"));
        assert_eq!(links.read(&over), None, "expired");
        // The content of one link with the hash of another
        let (one, other) = (token(&one), token(&other));
        let (content, _) = other.split_once('.').unwrap();
        let (_, mac) = one.split_once('.').unwrap();
        let nothing = one.replace('.', "");
        let short = one.get(..one.len() - 4).unwrap();
        let long = format!("{}.{mac}", "A".repeat(MAX_TOKEN));
        for altered in [&format!("{content}.{mac}"), &nothing, short, "", ".", &long] {
            assert_eq!(links.read(altered), None, "{altered}");
        }
        let elsewhere = self::key().await;
        assert_eq!(self::links(&elsewhere).read(&one), None, "another key");
    }
}
