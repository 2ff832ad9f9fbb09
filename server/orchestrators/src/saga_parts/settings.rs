//! Settings of the hotel.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use dewy_domain::{
    hotel_calendar::HotelCalendar,
    hotel_profile::HotelProfile,
    installation_id::InstallationId,
    money::{Cents, Currency, Money},
    stored_token::TokenKey,
};
use dewy_saga::{
    crash_points::{CrashPoints, NoCrashPoints},
    next_move::Budget,
};
use jiff::{
    Timestamp,
    civil::{Date, Time},
    tz::TimeZone,
};

use crate::saga_parts::{
    booking_limit::BookingLimit,
    payment_owner::{EXECUTION, INSTALLATION},
    payment_text_settings::PaymentTextSettings,
};

/// Settings of the orchestrators and their engine.
#[derive(Clone)]
pub struct Settings {
    /// Id of this installation; everything created in Stripe carries it.
    pub installation: InstallationId,
    /// Profile of the hotel; its name appears in text messages.
    pub hotel: HotelProfile,
    /// The only currency of this deployment.
    pub currency: Currency,
    pub time_zone: TimeZone,
    /// Time of day at which the hotel's day begins.
    pub day_changes_at: Time,
    /// URL under which browsers reach us, without a trailing slash.
    pub public_url: String,
    /// How long the calling request waits for its answer.
    pub request_wait: Duration,
    /// How long a failing write is retried after the charge, before everything is compensated.
    pub forward_budget: Duration,
    /// Duration of a lease. A running worker renews it halfway through.
    pub lease: Duration,
    /// Maximum number of executions running in this process.
    pub workers: usize,
    /// How long a guest has to act at their bank.
    pub payment_action_timeout: Duration,
    /// Deadline of a POST to Stripe.
    pub stripe_deadline: Duration,
    /// Deadline of a call to Salesforce.
    pub salesforce_deadline: Duration,
    /// Refund limit of front desk staff; larger refunds need a manager.
    pub refund_approval_limit: Cents,
    /// Self-service booking limit of a guest.
    pub booking_limit: BookingLimit,
    /// What a check-in holds on the guest's card for each remaining night, beside the balance;
    /// `None` places no holds.
    pub hold_per_night: Option<Cents>,
    /// Salesforce calls that one guest may cause in 24 hours.
    pub salesforce_calls_per_guest: u32,
    pub orphan_check_interval: Duration,
    /// Minimum age of a payment before the orphan check handles it.
    pub orphan_check_grace: Duration,
    /// Whether guests get text messages; without a carrier none are sent, and the record says so.
    pub text_messages_enabled: bool,
    /// Worker name of this process; empty for a random one.
    pub worker: String,
    /// What guests and banks read about payments.
    pub payment_texts: PaymentTextSettings,
    /// Poll interval for due work, even without notifications.
    pub poll: Duration,
    /// Key of what is stored of tokens that look like card numbers.
    pub token_key: TokenKey,
    /// Crash points at which tests stop workers.
    pub crash_points: Arc<dyn CrashPoints>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            // A store generates its own id; this one means "no store"
            installation: InstallationId::of_number(0),
            hotel: HotelProfile::default(),
            currency: Currency::USD,
            time_zone: TimeZone::UTC,
            day_changes_at: Time::midnight(),
            public_url: "http://127.0.0.1:3000".to_owned(),
            request_wait: Duration::from_secs(25),
            forward_budget: Duration::from_secs(20),
            lease: Duration::from_secs(8),
            workers: 64,
            payment_action_timeout: Duration::from_secs(900),
            stripe_deadline: Duration::from_secs(30),
            salesforce_deadline: Duration::from_secs(5),
            refund_approval_limit: Cents(100_000),
            booking_limit: BookingLimit::default(),
            hold_per_night: None,
            salesforce_calls_per_guest: 2000,
            orphan_check_interval: Duration::from_secs(300),
            orphan_check_grace: Duration::from_secs(600),
            text_messages_enabled: true,
            worker: String::new(),
            payment_texts: PaymentTextSettings::default(),
            poll: Duration::from_secs(1),
            token_key: TokenKey::default(),
            crash_points: Arc::new(NoCrashPoints),
        }
    }
}

impl Settings {
    /// Metadata of everything created in Stripe for an execution.
    #[must_use]
    pub fn stripe_metadata(&self, execution: &str) -> BTreeMap<String, String> {
        let marks = [
            (INSTALLATION, self.installation.to_string()),
            (EXECUTION, execution.to_owned()),
        ];
        marks
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// The hotel's calendar.
    #[must_use]
    pub fn calendar(&self) -> HotelCalendar {
        HotelCalendar {
            time_zone: self.time_zone.clone(),
            day_changes_at: self.day_changes_at,
        }
    }

    /// The hotel's day at this moment.
    #[must_use]
    pub fn today(&self, now: Timestamp) -> Date {
        self.calendar().today(now)
    }

    /// An amount as the hotel writes it.
    #[must_use]
    pub fn money(&self, cents: Cents, currency: Currency) -> String {
        self.hotel.locale.money(Money { cents, currency })
    }

    /// A balance as the hotel writes it; one that is overpaid says so.
    #[must_use]
    pub fn balance_text(&self, balance: Cents, currency: Currency) -> String {
        let sum = self.money(balance, currency);
        if balance < Cents(0) {
            let over = self.money(Cents(-balance.0), currency);
            return format!("{sum} (overpaid by {over})");
        }
        sum
    }

    /// The engine's retry budget.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            forward_window: self.forward_budget,
            ..Budget::default()
        }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("installation", &self.installation)
            .field("currency", &self.currency)
            .field("public_url", &self.public_url)
            .finish_non_exhaustive()
    }
}
