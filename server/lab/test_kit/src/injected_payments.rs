//! Payments injected directly at Stripe, and what each must come to.

/// Prefix of the keys of injected requests; no journal contains them.
pub const KEY_PREFIX: &str = "planted:";

/// Kind of an injected payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Names an execution that no journal has, and a stay whose guest is checked in.
    Ours,
    /// Names an execution that no journal has, and a booking that no org has.
    OfNoBooking,
    /// Like `Ours`, with an amount that requires a manager's decision.
    OverLimit,
    /// Names an execution that no journal has, and the folio holds its line: that check-out was
    /// completed.
    Finished,
    /// Names an unknown execution and an unknown installation: another hotel's on the same account.
    Neighbors,
    /// Another program's, without metadata.
    Foreign,
    /// Another program's, with its own metadata.
    ForeignWithWords,
}

impl Kind {
    pub const ALL: [Self; 7] = [
        Self::Ours,
        Self::OfNoBooking,
        Self::OverLimit,
        Self::Finished,
        Self::Neighbors,
        Self::Foreign,
        Self::ForeignWithWords,
    ];
}

#[derive(Clone, Debug)]
pub struct InjectedPayment {
    pub kind: Kind,
    pub payment: String,
    /// Execution that it names.
    pub execution: Option<String>,
    /// Opportunity of the stay that it names.
    pub opportunity: Option<String>,
    /// Balance of that stay without it.
    pub owed: i64,
}
