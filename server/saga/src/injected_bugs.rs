//! Bugs that can be injected to prove that the tests catch them. A release build has none.

/// An injected bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bug {
    /// A new idempotency key for each attempt.
    FreshKey,
    /// The CRM is reverted before the payment is refunded.
    RevertBeforeRefund,
    /// The CRM is reverted whatever its current state.
    UnconditionalRevert,
    /// A request of unknown outcome is sent again without a check.
    BlindRetry,
    /// A refused refund counts as done.
    SwallowedRefundError,
    /// A refund line is written without the payment's line.
    LonelyRefundLine,
    /// Due work is only taken on notifications, never by polling.
    LostDoorbell,
    /// The intent is committed after the request is sent.
    SendBeforeIntent,
    /// The orphan check compensates executions that are still running.
    SweepTouchesLive,
    /// The age of an idempotency key starts over when a person retries it.
    ForgottenKeyAge,
    /// Takeover and resume send without checking first.
    BlindResume,
    /// Resolving by hand counts as success.
    SettledIsSuccess,
    /// Lines are written without checking for our own reference first.
    NoAntiJoin,
    /// Payments count as ours whichever installation made them.
    NoInstallationCheck,
    /// Any refund that has not failed counts as a full refund.
    SumsNotCompared,
    /// A Stripe key is used whichever account it belongs to.
    NoAccountCheck,
}

impl Bug {
    /// Every bug.
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

/// Injects a bug on this thread, or removes it.
#[cfg(debug_assertions)]
pub fn plant(bug: Option<Bug>) {
    PLANTED.set(bug);
}

/// Whether the bug is injected.
#[cfg(debug_assertions)]
#[must_use]
pub fn on(bug: Bug) -> bool {
    PLANTED.get() == Some(bug)
}

/// Whether the bug is injected: never.
#[cfg(not(debug_assertions))]
#[must_use]
pub const fn on(_: Bug) -> bool {
    false
}
