//! Bugs that can be switched on to prove that the tests would catch them. A release build has none.

/// A planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bug {
    /// A new idempotency key for each attempt.
    FreshKey,
    /// The CRM is put back before the money is given back.
    RevertBeforeRefund,
    /// The CRM is put back whatever is there now.
    UnconditionalRevert,
    /// An unknown outcome is simply sent again, without looking.
    BlindRetry,
    /// A refund that was refused counts as done.
    SwallowedRefundError,
    /// A refund line is written without the payment's line.
    LonelyRefundLine,
    /// Due work is only looked for when a doorbell rings.
    LostDoorbell,
    /// The intent is committed after the request was sent.
    SendBeforeIntent,
    /// The sweep has executions turn back that are still at work.
    SweepTouchesLive,
    /// The age of an idempotency key is counted anew when a person has it tried again.
    ForgottenKeyAge,
    /// Whoever takes over or resumes sends without looking first.
    BlindResume,
    /// Settling by hand counts as success.
    SettledIsSuccess,
    /// Lines are written without looking for our own reference first.
    NoAntiJoin,
    /// Payments are taken for ours whichever installation made them.
    NoInstallationCheck,
    /// Any refund that stands counts as all of the payment.
    SumsNotCompared,
    /// A Stripe key is used whichever account it opens.
    NoAccountCheck,
}

impl Bug {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::FreshKey,
        Self::RevertBeforeRefund,
        Self::UnconditionalRevert,
        Self::BlindRetry,
        Self::SwallowedRefundError,
        Self::LonelyRefundLine,
        Self::LostDoorbell,
        Self::SendBeforeIntent,
        Self::SweepTouchesLive,
        Self::ForgottenKeyAge,
        Self::BlindResume,
        Self::SettledIsSuccess,
        Self::NoAntiJoin,
        Self::NoInstallationCheck,
        Self::SumsNotCompared,
        Self::NoAccountCheck,
    ];
}

#[cfg(debug_assertions)]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Bug>> = const { std::cell::Cell::new(None) };
}

/// Plants a bug on this thread, or removes it.
#[cfg(debug_assertions)]
pub fn plant(bug: Option<Bug>) {
    PLANTED.set(bug);
}

/// Whether the bug is planted.
#[cfg(debug_assertions)]
#[must_use]
pub fn on(bug: Bug) -> bool {
    PLANTED.get() == Some(bug)
}

/// Whether the bug is planted: never.
#[cfg(not(debug_assertions))]
#[must_use]
pub const fn on(_: Bug) -> bool {
    false
}
