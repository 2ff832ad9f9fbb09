//! Why a carrier sends no texts to one number.

/// Lasting refusal of a number, which only its owner or the hotel can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRefusal {
    /// The owner has answered STOP.
    Stopped,
    /// No phone has this number.
    NoSuchNumber,
    /// A landline, or a phone that takes no texts.
    NotMobile,
    /// Our account may not send to it: its country is not enabled, or a trial has not verified it.
    NotAllowed,
    /// The carrier or the phone blocks our messages.
    Blocked,
}

impl TextRefusal {
    /// Refusal with this error code of Twilio, if it is one of a number: at once, or reported later.
    #[must_use]
    pub const fn of_code(code: u32) -> Option<Self> {
        Some(match code {
            21610 => Self::Stopped,
            21211 | 21217 | 30005 => Self::NoSuchNumber,
            21614 | 21635 | 30006 => Self::NotMobile,
            21408 | 21608 | 21612 => Self::NotAllowed,
            30004 | 30007 => Self::Blocked,
            _ => return None,
        })
    }
}
