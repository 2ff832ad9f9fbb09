//! Status of a text message at the carrier.

/// Where a message is on its way. The order is that of progress: a later report of an earlier stage
/// changes nothing, and the first final one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextStage {
    /// Accepted; no sender has it yet.
    Accepted,
    /// In the sender's queue.
    Queued,
    /// Being handed to the carrier.
    Sending,
    /// With the carrier, which may never report more.
    Sent,
    /// Over: delivered or not.
    Final,
}

/// Status as Twilio names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStatus {
    /// `accepted`, `scheduled`.
    Accepted,
    /// `queued`.
    Queued,
    /// `sending`.
    Sending,
    /// `sent`.
    Sent,
    /// `delivered`, `read`.
    Delivered,
    /// `undelivered`: the carrier or the phone did not take it.
    Undelivered,
    /// `failed`: it never left.
    Failed,
    /// `canceled`.
    Canceled,
}

impl TextStatus {
    /// Status of that name; `None` for one that we don't know, which says nothing.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "accepted" | "scheduled" => Self::Accepted,
            "queued" => Self::Queued,
            "sending" => Self::Sending,
            "sent" => Self::Sent,
            "delivered" | "read" => Self::Delivered,
            "undelivered" => Self::Undelivered,
            "failed" => Self::Failed,
            "canceled" => Self::Canceled,
            _ => return None,
        })
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Undelivered => "undelivered",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// How far it is.
    #[must_use]
    pub const fn stage(self) -> TextStage {
        match self {
            Self::Accepted => TextStage::Accepted,
            Self::Queued => TextStage::Queued,
            Self::Sending => TextStage::Sending,
            Self::Sent => TextStage::Sent,
            Self::Delivered | Self::Undelivered | Self::Failed | Self::Canceled => TextStage::Final,
        }
    }

    /// Whether it is over and the phone never got it.
    #[must_use]
    pub const fn never_arrived(self) -> bool {
        matches!(self, Self::Undelivered | Self::Failed | Self::Canceled)
    }
}
