//! Configuration from environment variables, read and validated once at start. `.env.example`
//! explains each variable.

pub mod client_address;
mod concierge;
mod engine;
mod hotel;
mod hotel_documents;
pub mod installation_key;
pub(crate) mod key_file;
mod mode_rules;
pub mod network;
mod orphan_check;
mod payment_texts;
mod sandbox;
mod system_credentials;
mod twilio_keys;
mod variable_reader;
pub mod wall_screen_access;
mod web;

use std::path::PathBuf;

use dewy_domain::deployment_mode::DeploymentMode;
use dewy_orchestrators::PaymentTextSettings;

pub use concierge::ConciergeLimits;
pub use engine::EngineConfig;
pub use hotel::{HotelConfig, PHOTO_PATH, photo_type, room_photo_path};
pub use orphan_check::OrphanCheckConfig;
pub use sandbox::SandboxConfig;
pub use system_credentials::{LlmKeys, MailKeys, SalesforceKeys, StripeKeys};
pub use twilio_keys::TwilioKeys;
pub use variable_reader::{Problem, Problems, Reader, is_loopback};
pub use web::WebConfig;

/// Complete configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// `DEWY_MODE`.
    pub mode: DeploymentMode,
    pub web: WebConfig,
    /// `DATABASE_URL`.
    pub database_url: String,
    /// `DEWY_KEY_FILE`, if set; an embedded store has one beside it.
    pub key_file: Option<PathBuf>,
    /// Salesforce; `None` means the sandbox's, or none in `live`.
    pub salesforce: Option<SalesforceKeys>,
    /// Stripe; `None` means the sandbox's, or none in `live`.
    pub stripe: Option<StripeKeys>,
    /// Twilio; `None` means the sandbox's, or none in `live`.
    pub twilio: Option<TwilioKeys>,
    /// Mail server; `None` means that guests get no email.
    pub mail: Option<MailKeys>,
    /// Model; `None` means the sandbox's, or none in `live`.
    pub llm: Option<LlmKeys>,
    /// Whether `serve` migrates the store first: always in demo mode, otherwise on request from the
    /// command line.
    pub migrate: bool,
    pub sandbox: SandboxConfig,
    pub hotel: HotelConfig,
    pub engine: EngineConfig,
    /// What people read about payments.
    pub payment_texts: PaymentTextSettings,
    pub sweep: OrphanCheckConfig,
    pub concierge: ConciergeLimits,
    /// Whether `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
    pub wants_otlp: bool,
}

impl Config {
    /// Reads the process environment.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn from_env() -> Result<Self, Problems> {
        Self::read(&|name| std::env::var(name).ok())
    }

    /// Reads any source of variables.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Result<Self, Problems> {
        let mut from = Reader::new(get);
        let config = Self::parse(&mut from);
        mode_rules::check(&config, &mut from);
        config.unless(from)
    }

    /// Reads the process environment for commands that use only the store and need no keys of
    /// outside systems.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn of_store_from_env() -> Result<Self, Problems> {
        let get = |name: &str| std::env::var(name).ok();
        let mut from = Reader::new(&get);
        Self::parse(&mut from).unless(from)
    }

    fn parse(from: &mut Reader<'_>) -> Self {
        let mode = mode_rules::read(from);
        Self {
            mode,
            migrate: mode == DeploymentMode::Demo,
            web: WebConfig::read(from),
            database_url: database_url(from),
            key_file: from.text("DEWY_KEY_FILE").map(PathBuf::from),
            salesforce: SalesforceKeys::read(from),
            stripe: StripeKeys::read(from),
            twilio: TwilioKeys::read(from),
            mail: MailKeys::read(from),
            llm: LlmKeys::read(from),
            sandbox: SandboxConfig::read(from),
            hotel: HotelConfig::read(from, mode == DeploymentMode::Demo),
            engine: EngineConfig::read(from),
            payment_texts: payment_texts::read(from),
            sweep: OrphanCheckConfig::read(from),
            concierge: ConciergeLimits::read(from),
            wants_otlp: from.text("OTEL_EXPORTER_OTLP_ENDPOINT").is_some(),
        }
    }

    fn unless(self, from: Reader<'_>) -> Result<Self, Problems> {
        let problems = from.into_problems();
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(Problems(problems))
        }
    }

    /// Whether demo conveniences are on; they exist in no other mode.
    #[must_use]
    pub fn demo(&self) -> bool {
        self.mode == DeploymentMode::Demo
    }

    /// Whether any system is served by a sandbox.
    #[must_use]
    pub fn needs_sandbox(&self) -> bool {
        self.mode < DeploymentMode::Live
            && (self.salesforce.is_none()
                || self.stripe.is_none()
                || self.twilio.is_none()
                || self.llm.is_none())
    }

    /// Whether there is a carrier for text messages: Twilio or the sandbox.
    #[must_use]
    pub fn texts(&self) -> bool {
        self.twilio.is_some() || self.mode < DeploymentMode::Live
    }

    /// Whether the concierge has a model: a configured one or the sandbox's.
    #[must_use]
    pub fn model(&self) -> bool {
        self.llm.is_some() || self.mode < DeploymentMode::Live
    }
}

fn database_url(from: &mut Reader<'_>) -> String {
    let url = from
        .text("DATABASE_URL")
        .unwrap_or_else(|| "sqlite://data/dewy.db".to_owned());
    if !["sqlite:", "postgres://", "postgresql://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        // The value may contain a password, so the message doesn't repeat it.
        from.problem(
            "DATABASE_URL",
            "must begin with sqlite:// (a file, created if missing) or postgres://",
        );
    }
    url
}

#[cfg(test)]
mod tests;
