//! What a guest should know of the hotel itself.

/// Name, place and phone, as the operator configured them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotelProfile {
    /// `HOTEL_NAME`.
    pub name: String,
    /// `HOTEL_ADDRESS`, in one line: where to send an ambulance.
    pub address: Option<String>,
    /// `HOTEL_PHONE`, as people read it: the front desk, at any hour.
    pub phone: Option<String>,
    /// `HOTEL_EMERGENCY_NUMBER`: what to call in danger.
    pub emergency_number: Option<String>,
    /// Where the hotel's photo is served, if `HOTEL_PHOTO` names one.
    pub photo: Option<String>,
}

impl Default for HotelProfile {
    fn default() -> Self {
        Self {
            name: "Dewy Resort".to_owned(),
            address: None,
            phone: None,
            emergency_number: None,
            photo: None,
        }
    }
}

impl HotelProfile {
    /// The phone as a link: `tel:+15550109000`.
    #[must_use]
    pub fn phone_link(&self) -> Option<String> {
        self.phone.as_deref().map(phone_link)
    }

    /// Name, address and phone in one line, without words, for any language.
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

/// `tel:` and what a phone can dial of a number.
#[must_use]
pub fn phone_link(phone: &str) -> String {
    format!(
        "tel:{}",
        phone
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '+')
            .collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_can_dial_it() {
        let hotel = HotelProfile {
            phone: Some("+1 (555) 010-9000".to_owned()),
            ..HotelProfile::default()
        };
        assert_eq!(hotel.phone_link().as_deref(), Some("tel:+15550109000"));
        assert_eq!(hotel.line(), "Dewy Resort · +1 (555) 010-9000");
        assert_eq!(HotelProfile::default().phone_link(), None);
    }
}
