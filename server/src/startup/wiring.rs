//! Builds the parts of a process from its configuration.

use std::sync::Arc;

use dewy_app::VendorPages;
use dewy_concierge::{
    ConciergeService, MESSAGES_AT_ONCE, Parts as ConciergeParts, Settings as ConciergeSettings,
};
use dewy_domain::{
    deployment_mode::DeploymentMode,
    installation_id::InstallationId,
    money::Cents,
    ports::{Clock, Dispatcher, Entropy, Mail, Model},
};
use dewy_orchestrators::{Hotel, HotelDependencies, Settings};
use dewy_store::Store;

use crate::{
    auth::{CodeMail, CodeSms, SignInState},
    config::{Config, installation_key::InstallationKey},
    ports::{
        key_value_store::StoredValues, staff_accounts::StaffAccounts, text_delivery::TextDelivery,
    },
    startup::sandbox::{self, RunningSandbox},
    systems::{
        connect_systems::Systems,
        webhook_registration::{SandboxWebhookEndpoint, WebhookSecrets},
    },
};

/// Parts of the orchestrators: these systems and this store.
#[must_use]
pub fn hotel_parts(
    config: &Config,
    installation: InstallationId,
    public_url: &str,
    store: &Store,
    systems: &Systems,
    clock: &Arc<dyn Clock>,
    entropy: &Arc<dyn Entropy>,
) -> HotelDependencies {
    HotelDependencies {
        crm: systems.crm.clone(),
        payments: systems.payments.clone(),
        texts: systems.texts.clone(),
        mail: systems.mail.clone().map(|mail| mail as Arc<dyn Mail>),
        journal: Arc::new(store.clone()),
        key_value_store: Arc::new(StoredValues(store.clone())),
        staff: Some(Arc::new(StaffAccounts(store.clone()))),
        clock: Arc::clone(clock),
        entropy: Arc::clone(entropy),
        settings: settings(config, installation, public_url),
    }
}

/// Pages of the configured systems; the sandbox has none.
#[must_use]
pub fn vendor_pages(config: &Config) -> VendorPages {
    VendorPages {
        stripe: config.stripe.as_ref().map(|_| match config.mode {
            DeploymentMode::Live => "https://dashboard.stripe.com",
            DeploymentMode::Demo | DeploymentMode::Trial => "https://dashboard.stripe.com/test",
        }),
        salesforce: config
            .salesforce
            .as_ref()
            .map(|keys| keys.login_url.to_string()),
    }
}

/// Builds the concierge over these orchestrators. `dispatcher` must be the audited call boundary.
#[must_use]
pub fn concierge(
    config: &Config,
    store: &Store,
    model: Arc<dyn Model>,
    dispatcher: Arc<dyn Dispatcher>,
    hotel: &Arc<Hotel>,
    clock: &Arc<dyn Clock>,
    entropy: &Arc<dyn Entropy>,
) -> ConciergeService {
    ConciergeService::new(ConciergeParts {
        store: store.clone(),
        model,
        dispatcher,
        confirmations: Arc::clone(hotel) as _,
        execution_feed: Arc::clone(hotel) as _,
        clock: Arc::clone(clock),
        entropy: Arc::clone(entropy),
        settings: ConciergeSettings {
            hotel: config.hotel.profile.clone(),
            time_zone: config.hotel.time_zone.clone(),
            day_changes_at: config.hotel.day_changes_at,
            currency: config.hotel.currency,
            demo: config.demo(),
            new_cards: config.stripe.is_some(),
            model: config.model(),
            budget: config.concierge.budget,
            messages_at_once: MESSAGES_AT_ONCE,
            proposal_ttl: config.concierge.proposal_ttl,
            retention: config.concierge.retention,
            token_key: hotel.token_key(),
        },
    })
}

/// Builds the authenticator. Codes go to phones if there is a carrier: Twilio, or the sandbox,
/// which shows messages to whoever uses this machine; those of new guests, and those that no phone
/// gets, to their email if there is a mail server.
#[must_use]
pub fn sign_in_state(
    config: &Config,
    store: &Store,
    installation_key: &InstallationKey,
    systems: &Systems,
    texts: &Arc<TextDelivery>,
    mail: Option<Arc<dyn Mail>>,
    entropy: &Arc<dyn Entropy>,
) -> SignInState {
    let (crm, hotel) = (systems.crm.clone(), config.hotel.profile.clone());
    let mail = mail.map(|mail| CodeMail {
        mail,
        clock: Arc::clone(&texts.clock),
        entropy: Arc::clone(entropy),
        hotel: hotel.clone(),
    });
    let state = SignInState::new(
        store.clone(),
        installation_key.clone(),
        crm,
        Arc::clone(&texts.clock),
        Arc::clone(entropy),
        config.demo(),
    )
    .in_country(config.hotel.country)
    .with_mail(mail.clone());
    if config.texts() {
        state.with_code_delivery(CodeSms {
            texts: Arc::clone(texts),
            mail,
            clock: Arc::clone(&texts.clock),
            hotel,
        })
    } else {
        state
    }
}

/// Secrets that Stripe's events are signed with.
#[must_use]
pub fn webhook_secrets(
    config: &Config,
    store: &Store,
    endpoint: Option<&SandboxWebhookEndpoint>,
) -> WebhookSecrets {
    match (&config.stripe, endpoint) {
        (Some(keys), _) => WebhookSecrets::Given(keys.webhook_secret.clone()),
        (None, Some(endpoint)) => endpoint.secrets(),
        (None, None) => WebhookSecrets::Stored {
            store: store.clone(),
            name: "stripe_webhook".to_owned(),
        },
    }
}

/// Connects to the sandbox, starting it in this process unless it runs on its own. Returns nothing
/// when no system is served by the sandbox.
///
/// # Errors
/// When it can't be started.
pub async fn connect_sandbox(
    config: &Config,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<(Option<RunningSandbox>, Option<String>)> {
    let place = &config.sandbox;
    if !config.needs_sandbox() {
        return Ok((None, None));
    }
    if let Some(url) = &place.url {
        return Ok((None, Some(url.as_str().trim_end_matches('/').to_owned())));
    }
    let listener = sandbox::bind_or_next(place.address).await?;
    let running = sandbox::start(
        listener,
        &place.data,
        &config.hotel,
        place.reference_latency,
        clock,
    )
    .await?;
    let url = running.url.clone();
    Ok((Some(running), Some(url)))
}

fn settings(config: &Config, installation: InstallationId, public_url: &str) -> Settings {
    let engine = config.engine;
    Settings {
        installation,
        hotel: config.hotel.profile.clone(),
        currency: config.hotel.currency,
        time_zone: config.hotel.time_zone.clone(),
        day_changes_at: config.hotel.day_changes_at,
        public_url: public_url.to_owned(),
        request_wait: engine.request_wait,
        forward_budget: engine.forward_budget,
        lease: engine.lease,
        workers: engine.workers,
        payment_action_timeout: engine.payment_action_timeout,
        stripe_deadline: engine.stripe_deadline,
        salesforce_deadline: engine.salesforce_deadline,
        refund_approval_limit: Cents(
            i64::try_from(config.sweep.refund_approval_limit_cents).unwrap_or(i64::MAX),
        ),
        booking_limit: config.hotel.booking_limit,
        hold_per_night: config.hotel.hold_per_night,
        salesforce_calls_per_guest: engine.calls_per_guest,
        orphan_check_interval: config.sweep.interval,
        orphan_check_grace: config.sweep.grace,
        text_messages_enabled: config.texts(),
        payment_texts: config.payment_texts.clone(),
        ..Settings::default()
    }
}
