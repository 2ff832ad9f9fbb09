//! Configured outside systems: the real ones where there are credentials, otherwise the sandbox
//! over real HTTP.

use std::sync::Arc;

use anyhow::Context;
use dewy_connectors::{
    ChatModel, Count, HttpTransport, ModelConfig, ObservedModel, Salesforce, SalesforceConfig,
    Smtp, Stripe, StripeConfig, Twilio, TwilioConfig,
};
use dewy_domain::ports::{Clock, Crm, Entropy, PaymentAccountStore, Payments, Transport};
use secrecy::SecretString;

use crate::{config::Config, systems::no_model::NoModel};

/// Sandbox's Twilio account and phone number.
const SANDBOX_ACCOUNT: &str = "AC00000000000000000000000000000000";
const SANDBOX_FROM: &str = "+12125550190";
/// Token that the sandbox's Twilio signs with.
pub(crate) const SANDBOX_TOKEN: &str = "sandbox";
/// Sandbox's model.
const SANDBOX_MODEL: &str = "dewy-offline";
/// Vendor's default address.
const OPENAI: &str = "https://api.openai.com/v1";
#[derive(Clone, Debug)]
pub struct Systems {
    /// Guests, bookings, rooms, opportunities.
    pub crm: Arc<Salesforce>,
    pub payments: Arc<Stripe>,
    pub texts: Arc<Twilio>,
    /// Email, if a mail server is configured.
    pub mail: Option<Arc<Smtp>>,
}

impl Systems {
    /// Asks the systems that refuse access whether they still do, so that it is known when an
    /// operator has fixed it, even if nobody uses the hotel meanwhile.
    pub async fn recheck_access(&self) {
        if self.crm.health_stats().refuses_everything() {
            drop(self.crm.change_probe().await);
        }
        if self.payments.health_stats().refuses_everything() {
            drop(self.payments.account().await);
        }
    }

    /// HTTP exchanges so far, across all systems.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        let [crm, payments, texts] = [
            self.crm.counts(),
            self.payments.counts(),
            self.texts.counts(),
        ];
        let mail = self.mail.as_ref().map(|mail| mail.counts());
        crm.into_iter()
            .chain(payments)
            .chain(texts)
            .chain(mail.into_iter().flatten())
            .collect()
    }

    /// Connects the systems; `sandbox` is the sandbox's address, for systems that are not
    /// configured. With a recorded Stripe account no other account is used. The status of texts is
    /// reported to `status_callback`.
    #[must_use]
    pub fn connect(
        config: &Config,
        sandbox: &str,
        account: Option<Arc<dyn PaymentAccountStore>>,
        status_callback: Option<&str>,
        clock: &Arc<dyn Clock>,
        entropy: &Arc<dyn Entropy>,
    ) -> Self {
        let transport: Arc<dyn Transport> = Arc::new(HttpTransport::new());
        let mut salesforce = match &config.salesforce {
            Some(keys) => SalesforceConfig::new(
                keys.login_url.as_str(),
                keys.client_id.clone(),
                keys.client_secret.clone(),
            ),
            None => SalesforceConfig::new(sandbox, "dewy", SecretString::from("sandbox")),
        };
        if let Some(keys) = &config.salesforce {
            salesforce.vocabulary = keys.vocabulary.clone();
            salesforce.allow_duplicates = keys.allow_duplicates;
            salesforce.guest_account.clone_from(&keys.guest_account);
        }
        salesforce.deadline = config.engine.salesforce_deadline;
        salesforce.time_zone = config.hotel.time_zone.clone();
        salesforce.country = config.hotel.country;
        let mut stripe = match &config.stripe {
            Some(keys) => StripeConfig::new(keys.secret_key.clone()),
            None => StripeConfig::new(SecretString::from("sk_test_sandbox")),
        };
        let base = match &config.stripe {
            Some(keys) => keys.api_base.as_ref().map(|url| url.as_str().to_owned()),
            None => Some(sandbox.to_owned()),
        };
        if let Some(base) = base {
            stripe.api_base = base.trim_end_matches('/').to_owned();
        }
        stripe.deadline_post = config.engine.stripe_deadline;
        stripe.deadline_other = stripe.deadline_other.min(config.engine.stripe_deadline);
        let mut twilio = match &config.twilio {
            Some(keys) => keys.connection(),
            None => {
                let token = SecretString::from(SANDBOX_TOKEN);
                TwilioConfig::new(SANDBOX_ACCOUNT, token, SANDBOX_FROM).at(sandbox)
            }
        };
        twilio.status_callback = status_callback.map(str::to_owned);
        let mut payments = Stripe::new(stripe, Arc::clone(&transport), Arc::clone(clock))
            .with_entropy(Arc::clone(entropy));
        if let Some(account) = account {
            payments = payments.with_account(account);
        }
        Self {
            crm: Arc::new(
                Salesforce::new(salesforce, Arc::clone(&transport), Arc::clone(clock))
                    .with_entropy(Arc::clone(entropy)),
            ),
            payments: Arc::new(payments),
            texts: Arc::new(
                Twilio::new(twilio, transport, Arc::clone(clock)).with_entropy(Arc::clone(entropy)),
            ),
            mail: config.mail.as_ref().and_then(|keys| keys.connect(clock)),
        }
    }
}

/// Model behind the concierge: the configured one, the sandbox's, which needs no key, or none. Its
/// calls are counted.
///
/// # Errors
/// When its address can't be used.
pub fn connect_model(
    config: &Config,
    sandbox: &str,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Arc<ObservedModel>> {
    let observed = |model| Arc::new(ObservedModel::new(model, Arc::clone(clock)));
    if !config.model() {
        return Ok(observed(Arc::new(NoModel)));
    }
    let limits = &config.concierge;
    let settings = |base_url, api_key, model, offline| ModelConfig {
        base_url,
        api_key,
        model,
        silence: limits.silence,
        answer_tokens: limits.answer_tokens,
        reasoning_tokens: limits.reasoning_tokens,
        reasoning_effort: None,
        offline,
    };
    let settings = match &config.llm {
        Some(keys) => {
            let base = keys.base_url.as_ref();
            let base = base.map_or_else(|| OPENAI.to_owned(), |url| url.as_str().to_owned());
            ModelConfig {
                reasoning_effort: keys.reasoning_effort.clone(),
                ..settings(base, keys.api_key.clone(), keys.model.clone(), false)
            }
        }
        None => {
            let base = format!("{}/v1", sandbox.trim_end_matches('/'));
            let key = SecretString::from("sandbox");
            settings(base, key, SANDBOX_MODEL.to_owned(), true)
        }
    };
    let model = ChatModel::new(settings, Arc::clone(clock)).map_err(anyhow::Error::msg);
    let model = model.context("the model can't be used (OPENAI_BASE_URL)")?;
    Ok(observed(Arc::new(model)))
}
