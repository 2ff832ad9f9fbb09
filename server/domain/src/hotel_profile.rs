//! Information about the hotel.

use std::collections::BTreeMap;

use jiff::civil::Time;

use crate::{decimal_digits::with_ascii_digits, full_width::narrow, locale::Locale};

/// Default of `HOTEL_TAGLINE`.
const TAGLINE: &str = "Slow mornings, quiet rooms, and a stay that runs from your phone.";

/// Information about the hotel, as configured by the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotelProfile {
    /// `HOTEL_NAME`.
    pub name: String,
    /// `HOTEL_TAGLINE`: the sentence below the name on the start page.
    pub tagline: String,
    /// `HOTEL_ADDRESS`, on one line; also for ambulances.
    pub address: Option<String>,
    /// `HOTEL_PHONE`, formatted for people: the front desk, available 24 hours.
    pub phone: Option<String>,
    /// `HOTEL_EMERGENCY_NUMBER`: the number to call in an emergency.
    pub emergency_number: Option<String>,
    /// URL of the hotel's photo, if `HOTEL_PHOTO` names one.
    pub photo: Option<String>,
    /// URLs of the hotel's photos by room type, if `HOTEL_ROOM_PHOTOS` names any.
    pub room_photos: BTreeMap<String, String>,
    /// `HOTEL_AMENITIES`: what every room has.
    pub amenities: Vec<String>,
    /// `HOTEL_ROOM_AMENITIES`: additional amenities by room type.
    pub room_amenities: BTreeMap<String, Vec<String>>,
    /// `HOTEL_CHECK_IN_FROM`: `3 PM`.
    pub check_in_from: Option<Time>,
    /// `HOTEL_CHECK_OUT_BY`: `11 AM`.
    pub check_out_by: Option<Time>,
    /// `HOTEL_BREAKFAST`: when and where.
    pub breakfast: Option<String>,
    /// `HOTEL_WIFI_NETWORK`.
    pub wifi_network: Option<String>,
    /// `HOTEL_WIFI_PASSWORD`, shown to guests who are checked in.
    pub wifi_password: Option<String>,
    /// `HOTEL_DIRECTIONS`: how to get here, on one line.
    pub directions: Option<String>,
    /// `HOTEL_MAP_URL`: a page with a map.
    pub map_url: Option<String>,
    /// `HOTEL_PRIVACY`: the text on privacy, with blank lines between paragraphs, and `# ` before
    /// headings.
    pub privacy: Option<String>,
    /// `HOTEL_TERMS`: the terms of a stay, written in the same way.
    pub terms: Option<String>,
    /// `HOTEL_TAXES`: charges with these descriptions are shown as taxes on bills.
    pub taxes: Vec<String>,
    /// `HOTEL_TAX_NUMBER`: on receipts.
    pub tax_number: Option<String>,
    /// Whether `HOTEL_HOLD_CENTS` is set: check-ins reserve an amount on saved cards.
    pub places_holds: bool,
    /// `HOTEL_LOCALE`: how dates and money are written.
    pub locale: Locale,
}

impl Default for HotelProfile {
    fn default() -> Self {
        Self {
            name: "Dewy Resort".to_owned(),
            tagline: TAGLINE.to_owned(),
            address: None,
            phone: None,
            emergency_number: None,
            photo: None,
            room_photos: BTreeMap::new(),
            amenities: Vec::new(),
            room_amenities: BTreeMap::new(),
            check_in_from: None,
            check_out_by: None,
            breakfast: None,
            wifi_network: None,
            wifi_password: None,
            directions: None,
            map_url: None,
            privacy: None,
            terms: None,
            taxes: Vec::new(),
            places_holds: false,
            tax_number: None,
            locale: Locale::default(),
        }
    }
}

impl HotelProfile {
    /// Amenities of a room type: its own, then those of every room.
    pub fn amenities_of(&self, kind: &str) -> impl Iterator<Item = &str> {
        let own = self.room_amenities.get(kind).into_iter().flatten();
        own.chain(&self.amenities).map(String::as_str)
    }

    /// Phone link: `tel:+12125550190`.
    #[must_use]
    pub fn phone_link(&self) -> Option<String> {
        self.phone.as_deref().map(phone_link)
    }

    /// Name, address and phone on one line, without labels, for any language.
    #[must_use]
    pub fn line(&self) -> String {
        let parts = [Some(&self.name), self.address.as_ref(), self.phone.as_ref()];
        parts
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" · ")
    }
}

/// `tel:` followed by the number's dialable characters: without the zero of `+44 (0)20 7946 0958`,
/// which is for callers from inside, and with an extension apart.
#[must_use]
pub fn phone_link(phone: &str) -> String {
    let phone = with_ascii_digits(&narrow(phone));
    let dialable = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_ascii_digit() || *c == '+')
            .collect()
    };
    let number = phone.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '+' && c != '(');
    let extension = number.find(|c: char| c.is_alphabetic() || c == ';' || c == '#');
    let (number, extension) = number.split_at(extension.unwrap_or(number.len()));
    let number = if number.starts_with('+') {
        dialable(&number.replace("(0)", ""))
    } else {
        dialable(number)
    };
    match dialable(extension) {
        none if none.is_empty() => format!("tel:{number}"),
        extension => format!("tel:{number};ext={extension}"),
    }
}

/// Phone number as it is read: `+1 (212) 555-0190` for one of North America, others as they are.
#[must_use]
pub fn phone_text(phone: &str) -> String {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let spelled = |c: char| c.is_ascii_digit() || "+ -.()".contains(c);
    match digits.strip_prefix('1').filter(|rest| rest.len() == 10) {
        Some(rest) if phone.starts_with('+') && phone.chars().all(spelled) => {
            let (area, local) = rest.split_at(3);
            let (exchange, line) = local.split_at(3);
            format!("+1 ({area}) {exchange}-{line}")
        }
        _ => phone.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_of_north_america_are_grouped() {
        for (phone, text) in [
            ("+12125550101", "+1 (212) 555-0101"),
            ("+1 212 555 0101", "+1 (212) 555-0101"),
            ("+49 30 1234567", "+49 30 1234567"),
            ("+1555010000", "+1555010000"),
            ("+1 212 555 0101 ext. 4", "+1 212 555 0101 ext. 4"),
            ("12125550101", "12125550101"),
        ] {
            assert_eq!(phone_text(phone), text);
        }
    }

    #[test]
    fn the_phone_link_is_dialable() {
        let hotel = HotelProfile {
            phone: Some("+1 (212) 555-0190".to_owned()),
            ..HotelProfile::default()
        };
        assert_eq!(hotel.phone_link().as_deref(), Some("tel:+12125550190"));
        assert_eq!(hotel.line(), "Dewy Resort · +1 (212) 555-0190");
        assert_eq!(HotelProfile::default().phone_link(), None);
        for (phone, link) in [
            ("+44 (0)20 7946 0958", "tel:+442079460958"),
            ("+12125550199 x4", "tel:+12125550199;ext=4"),
            ("＋１ ２１２ ５５５ ０１９９", "tel:+12125550199"),
            ("(0)20 7946 0958", "tel:02079460958"),
            ("Desk: 911", "tel:911"),
        ] {
            assert_eq!(super::phone_link(phone), link);
        }
    }
}
