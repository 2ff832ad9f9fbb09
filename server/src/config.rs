//! Environment variables, read and checked once at start; `.env.example` explains each.

mod concierge;
mod engine;
mod hotel;
mod reader;
mod sandbox;
mod systems;
mod web;

pub use concierge::ConciergeLimits;
pub use engine::{Engine, Sweep};
pub use hotel::House;
pub use reader::{Problem, Problems, Reader};
pub use sandbox::SandboxPlace;
pub use systems::{LlmKeys, SalesforceKeys, StripeKeys, TwilioKeys};
pub use web::Web;

/// Everything that can be set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Listening.
    pub web: Web,
    /// `DATABASE_URL`.
    pub database_url: String,
    /// Salesforce; `None` is the sandbox's.
    pub salesforce: Option<SalesforceKeys>,
    /// Stripe; `None` is the sandbox's.
    pub stripe: Option<StripeKeys>,
    /// Twilio; `None` is the sandbox's.
    pub twilio: Option<TwilioKeys>,
    /// The model; `None` is the sandbox's.
    pub llm: Option<LlmKeys>,
    /// The sandbox.
    pub sandbox: SandboxPlace,
    /// The hotel.
    pub house: House,
    /// The engine.
    pub engine: Engine,
    /// The sweep.
    pub sweep: Sweep,
    /// The concierge.
    pub concierge: ConciergeLimits,
    /// `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
    pub wants_otlp: bool,
}

impl Config {
    /// From the process's environment.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn from_env() -> Result<Self, Problems> {
        Self::read(&|name| std::env::var(name).ok())
    }

    /// From any source of variables.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Result<Self, Problems> {
        let mut from = Reader::new(get);
        let config = Self {
            web: Web::read(&mut from),
            database_url: database_url(&mut from),
            salesforce: SalesforceKeys::read(&mut from),
            stripe: StripeKeys::read(&mut from),
            twilio: TwilioKeys::read(&mut from),
            llm: LlmKeys::read(&mut from),
            sandbox: SandboxPlace::read(&mut from),
            house: House::read(&mut from),
            engine: Engine::read(&mut from),
            sweep: Sweep::read(&mut from),
            concierge: ConciergeLimits::read(&mut from),
            wants_otlp: from.text("OTEL_EXPORTER_OTLP_ENDPOINT").is_some(),
        };
        let problems = from.into_problems();
        if problems.is_empty() { Ok(config) } else { Err(Problems(problems)) }
    }

    /// Systems that are real.
    #[must_use]
    pub fn live(&self) -> Vec<&'static str> {
        [
            ("Salesforce", self.salesforce.is_some()),
            ("Stripe", self.stripe.is_some()),
            ("Twilio", self.twilio.is_some()),
            ("the model", self.llm.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, live)| live.then_some(name))
        .collect()
    }

    /// Demo conveniences exist only while no system is live.
    #[must_use]
    pub fn demo(&self) -> bool {
        self.live().is_empty()
    }

    /// Whether anything speaks to a sandbox at all.
    #[must_use]
    pub const fn needs_sandbox(&self) -> bool {
        self.salesforce.is_none() || self.stripe.is_none() || self.twilio.is_none() || self.llm.is_none()
    }
}

fn database_url(from: &mut Reader<'_>) -> String {
    let url = from.text("DATABASE_URL").unwrap_or_else(|| "sqlite://data/dewy.db".to_owned());
    if !["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        // The value may hold a password, so it is not repeated.
        from.problem("DATABASE_URL", "must begin with sqlite:// (a file, made when missing) or postgres://");
    }
    url
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        let map: BTreeMap<String, String> = variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Config::read(&|name| map.get(name).cloned()).map_err(|p| p.0.into_iter().map(|p| p.variable).collect())
    }

    #[test]
    fn nothing_set_is_all_embedded() {
        let config = read(&[]).unwrap();
        assert_eq!(config.database_url, "sqlite://data/dewy.db");
        assert_eq!(config.web.public_url("127.0.0.1:3000".parse().unwrap()), "http://127.0.0.1:3000");
        assert_eq!(config.engine.request_wait.as_secs(), 25);
        assert!(config.demo() && config.needs_sandbox());
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let faults = read(&[
            ("WORKERS", "many"),
            ("HOTEL_CURRENCY", "jpy"),
            ("HOTEL_TIME_ZONE", "Middle-earth"),
            ("DATABASE_URL", "mysql://x"),
            ("PUBLIC_URL", "https://hotel.example/app"),
            ("SANDBOX_ADDR", "0.0.0.0:4010"),
            ("LEASE_SECONDS", "0"),
        ])
        .unwrap_err();
        assert_eq!(
            faults,
            [
                "PUBLIC_URL",
                "DATABASE_URL",
                "SANDBOX_ADDR",
                "HOTEL_TIME_ZONE",
                "HOTEL_CURRENCY",
                "LEASE_SECONDS",
                "WORKERS"
            ]
        );
    }

    #[test]
    fn a_half_configured_system_names_what_is_missing() {
        assert_eq!(
            read(&[("SALESFORCE_LOGIN_URL", "https://org.example")]).unwrap_err(),
            ["SALESFORCE_CLIENT_ID", "SALESFORCE_CLIENT_SECRET"]
        );
        assert_eq!(
            read(&[("STRIPE_API_BASE", "http://127.0.0.1:9")]).unwrap_err(),
            ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]
        );
        assert_eq!(read(&[("TWILIO_FROM", "+1555")]).unwrap_err(), ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"]);
        // Empty counts as not set, as in a copied .env.example.
        assert!(read(&[("STRIPE_SECRET_KEY", ""), ("TWILIO_FROM", " ")]).is_ok());
    }

    #[test]
    fn an_orgs_own_words_are_read_with_its_keys() {
        let keys = [
            ("SALESFORCE_LOGIN_URL", "https://org.example"),
            ("SALESFORCE_CLIENT_ID", "id"),
            ("SALESFORCE_CLIENT_SECRET", "secret"),
        ];
        let with = |words: &'static str| read(&[&keys[..], &[("SALESFORCE_WORDS", words)]].concat());
        let config = with("booking_checked_in=In House; room_cleaning=Dirty").unwrap();
        let words = config.salesforce.unwrap().words;
        let own: Vec<_> =
            words.all().filter(|word| word.ours != word.theirs).map(|word| (word.ours, word.theirs)).collect();
        assert_eq!(own, [("Checked In", "In House"), ("Cleaning", "Dirty")]);
        assert_eq!(
            with("room_vacan=Free; room_cleaning=Vacant").unwrap_err(),
            ["SALESFORCE_WORDS", "SALESFORCE_WORDS"]
        );
        assert_eq!(read(&[("SALESFORCE_WORDS", "room_vacant=Free")]).unwrap_err().len(), 3, "words of no org");
    }

    #[test]
    fn secrets_are_never_printed_and_a_live_system_ends_the_demo() {
        let config = read(&[
            ("STRIPE_SECRET_KEY", "sk_test_hush"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_hush"),
        ])
        .unwrap();
        assert!(!config.demo());
        assert_eq!(config.live(), ["Stripe"]);
        assert!(!format!("{config:?}").contains("hush"));
        assert_eq!(
            read(&[("STRIPE_SECRET_KEY", "pk_oops")]).unwrap_err().first().map(String::as_str),
            Some("STRIPE_PUBLISHABLE_KEY")
        );
    }

    #[test]
    fn the_example_names_every_variable() {
        let example = include_str!("../../.env.example");
        let asked = std::cell::RefCell::new(Vec::new());
        let _ = Config::read(&|name| {
            asked.borrow_mut().push(name.to_owned());
            None
        });
        for name in asked.into_inner() {
            assert!(example.contains(&format!("{name}=")), "{name} is not in .env.example");
        }
    }
}
