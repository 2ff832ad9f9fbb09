//! How a simulated hotel is set up.

use std::time::Duration;

use dewy_domain::money::Cents;
use dewy_sandbox::{Fault, salesforce::OrgSettings};

use super::Crash;

/// Settings of a simulated hotel.
pub struct Setup {
    pub seed: u64,
    pub workers: usize,
    pub crashes: Vec<Crash>,
    pub faults: Vec<Fault>,
    /// Offset of each worker's clock relative to the previous one's.
    pub skew: jiff::SignedDuration,
    /// Minimum age of a payment for the sweep.
    pub grace: Duration,
    /// Whether there is a carrier for text messages.
    pub texts: bool,
    /// Whether there is a mail server.
    pub mail: bool,
    /// Index of the first worker of the next release.
    pub next_from: usize,
    /// Settings of the Salesforce org.
    pub org: OrgSettings,
    /// Whether its sweep has never run.
    pub new_installation: bool,
    /// Whether workers panic instead of crashing.
    pub panics: bool,
    /// Whether the newest process dies where a worker would crash, with everything it runs.
    pub deadly: bool,
    /// Maximum number of new executions that a process runs at once.
    pub slots: usize,
    /// Salesforce calls that one guest may cause in 24 hours.
    pub calls_per_guest: u32,
    /// Time after which a worker looks for due work that nobody announced.
    pub poll: Duration,
    /// Locale of the hotel.
    pub locale: &'static str,
    /// Time of day at which the hotel's day begins.
    pub day_changes_at: jiff::civil::Time,
    /// What a check-in holds for each night.
    pub hold: Option<Cents>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            seed: 1,
            workers: 1,
            crashes: Vec::new(),
            faults: Vec::new(),
            skew: jiff::SignedDuration::ZERO,
            grace: Duration::from_secs(600),
            texts: true,
            mail: false,
            next_from: usize::MAX,
            org: OrgSettings::default(),
            new_installation: false,
            panics: false,
            deadly: false,
            slots: 64,
            calls_per_guest: 2000,
            poll: Duration::from_secs(1),
            locale: "en-US",
            day_changes_at: jiff::civil::Time::midnight(),
            hold: None,
        }
    }
}
