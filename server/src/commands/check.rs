//! `dewy check`.

mod model_probe;

use std::sync::Arc;

use anyhow::bail;
use dewy_connectors::{MissingRequirement, OrgCheck, OsEntropy, RealClock, TextSender};
use dewy_domain::{
    money::Currency,
    ports::{Clock, Crm, Entropy, PaymentAccountStore, Payments, StayQuery, TextMessages},
    upstream_request::Outcome,
};
use dewy_store::Store;
use jiff::Timestamp;

use crate::{
    config::Config,
    ports::stripe_account_memory::StoredStripeAccount,
    startup::open_store,
    systems::{
        connect_systems::{Systems, connect_model},
        currency_comparison::{self, CurrencyComparison},
        status_callback::StatusCallback,
    },
};

/// Address that cannot exist: the top-level domain `.invalid` is reserved.
const UNKNOWN_EMAIL: &str = "dewy-check@example.invalid";
/// Number that cannot exist: it is reserved for fiction.
const NO_PHONE: &str = "+12025550100";

/// Tests the store and every system that can be reached without starting one; fails if one doesn't
/// work.
pub async fn run(config: &Config) -> anyhow::Result<()> {
    let (mut failed, mut all) = (0, 0);
    let mut tell = |what: &str, result: Result<String, String>| {
        all += 1;
        match result {
            Ok(words) => println!("ok      {what}: {words}"),
            Err(words) => {
                failed += 1;
                println!("FAILED  {what}: {words}");
            }
        }
    };
    let clock: Arc<dyn Clock> = Arc::new(RealClock);
    let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
    let store = open_store::to_read(config).await;
    match &store {
        Ok(store) => tell(
            "store",
            store_owner(config, store)
                .await
                .map_err(|error| format!("{error:#}")),
        ),
        Err(error) => tell("store", Err(format!("{error:#}"))),
    }
    let account = store.as_ref().ok().map(|store| StoredStripeAccount {
        store: store.clone(),
        read_only: true,
    });
    let account = account.map(|account| Arc::new(account) as Arc<dyn PaymentAccountStore>);
    let sandbox = config
        .sandbox
        .url
        .as_ref()
        .map(|url| url.as_str().trim_end_matches('/'));
    let systems = Systems::connect(
        config,
        sandbox.unwrap_or_default(),
        account,
        None,
        &clock,
        &entropy,
    );
    let starts = || Ok("not configured: `dewy serve` starts a sandbox".to_owned());
    let off = "not configured: guests get no text messages, including sign-in codes";
    let unreachable = |configured: bool| !configured && sandbox.is_none();
    if unreachable(config.salesforce.is_some()) {
        tell("Salesforce", starts());
    } else {
        tell(
            "Salesforce",
            salesforce(&systems, config.hotel.currency).await,
        );
    }
    if unreachable(config.stripe.is_some()) {
        tell("Stripe", starts());
    } else {
        tell("Stripe", stripe(&systems, config).await);
    }
    if !config.texts() {
        tell("Twilio", Ok(off.to_owned()));
    } else if unreachable(config.twilio.is_some()) {
        tell("Twilio", starts());
    } else {
        tell("Twilio", twilio(&systems, config, clock.now()).await);
    }
    match &systems.mail {
        None => tell(
            "email",
            Ok("not configured: guests get no receipts by email".to_owned()),
        ),
        Some(mail) => tell("email", signed_in(mail.check().await)),
    }
    if config.llm.is_none() {
        let words = if config.model() {
            "not configured: the concierge uses the sandbox's"
        } else {
            "not configured: the concierge is off"
        };
        tell("the model", Ok(words.to_owned()));
    } else {
        let model = connect_model(config, sandbox.unwrap_or_default(), &clock);
        let probed = match model {
            Ok(model) => model_probe::probe(&*model).await,
            Err(error) => Err(format!("{error:#}")),
        };
        tell("the model", probed);
    }
    if let Ok(store) = store {
        store.close().await;
    }
    if failed > 0 {
        bail!("{failed} of {all} checks failed");
    }
    Ok(())
}

/// Owner of the store, and whether its mode fits.
async fn store_owner(config: &Config, store: &Store) -> anyhow::Result<String> {
    open_store::reject_lower_mode(store, config.mode).await?;
    let mode = store
        .highest_mode()
        .await?
        .map_or("never served".to_owned(), |(mode, _)| {
            format!("mode {mode}")
        });
    let installation = store.known_installation().await?;
    let installation = installation.map_or("no installation ID yet".to_owned(), |id| {
        format!("installation {id}")
    });
    Ok(format!("reachable and up to date; {mode}; {installation}"))
}

/// Whether the key opens the account of this store's payments, and may read customers.
async fn stripe(systems: &Systems, config: &Config) -> Result<String, String> {
    let account = systems
        .payments
        .account()
        .await
        .answered()
        .map_err(|error| error.to_string())?;
    systems
        .payments
        .customers(&UNKNOWN_EMAIL.into())
        .await
        .answered()
        .map_err(|error| error.to_string())?;
    if !account.takes_payments {
        let words = format!("{} takes no payments; see Stripe's dashboard", account.id);
        return Err(words);
    }
    let suffix = config.payment_texts.statement_suffix.as_ref();
    if let Some(words) = currency_comparison::suffix_mismatch(&account, suffix) {
        return Err(words);
    }
    let converted = currency_comparison::account_mismatch(&account, config.hotel.currency)
        .map(|words| format!("; {words}"));
    Ok(format!(
        "signed in to {}{}",
        account.id,
        converted.unwrap_or_default()
    ))
}

/// Whether the account lets us in and has the sender; sends nothing.
async fn twilio(systems: &Systems, config: &Config, now: Timestamp) -> Result<String, String> {
    let list = systems.texts.texts_since(NO_PHONE, now).await.answered();
    list.map_err(|error| error.to_string())?;
    let sender = match &config.twilio {
        Some(keys) => match &keys.sender {
            TextSender::Number(number) => number.clone(),
            TextSender::Service(sid) => format!("the Messaging Service {sid}"),
        },
        None => "the sandbox's number".to_owned(),
    };
    let sender = match systems.texts.has_sender().await.answered() {
        Ok(Some(true)) => format!("sends from {sender}"),
        Ok(None) => format!("sends from {sender}, which Twilio doesn't list"),
        Ok(Some(false)) => {
            return Err(format!(
                "the account has no {sender} that can send texts (TWILIO_FROM)"
            ));
        }
        Err(error) if error.permanent => {
            return Err(format!("the account has not {sender}: {error}"));
        }
        Err(error) => return Err(error.to_string()),
    };
    let told = match StatusCallback::of(config, config.web.address) {
        Some(callback) => format!("reports to {}", callback.url),
        None => "reports nothing: that needs TWILIO_AUTH_TOKEN and a PUBLIC_URL that Twilio can reach; codes are asked about instead".to_owned(),
    };
    Ok(format!("signed in; {sender}; {told}"))
}

fn signed_in<T>(reply: Outcome<T>) -> Result<String, String> {
    reply
        .answered()
        .map(|_| "signed in".to_owned())
        .map_err(|error| error.to_string())
}

/// Reports everything the org lacks at once, then runs one query as the pages do, to test
/// relationships and read permissions.
async fn salesforce(systems: &Systems, currency: Currency) -> Result<String, String> {
    let OrgCheck {
        lacks,
        unknown_words,
    } = systems
        .crm
        .check_org()
        .await
        .answered()
        .map_err(|error| error.to_string())?;
    let lines = |lacks: &[MissingRequirement]| -> Vec<String> {
        let line = |lack| format!("\n          {lack}");
        lacks.iter().map(line).collect()
    };
    let (left_out, lacks): (Vec<_>, Vec<_>) = lacks
        .into_iter()
        .partition(|lack| matches!(lack, MissingRequirement::Hidden(..)));
    if !lacks.is_empty() {
        let each = [lines(&lacks), lines(&left_out)].concat();
        return Err(format!(
            "the org is missing {} items{}",
            each.len(),
            each.concat()
        ));
    }
    let currency = match currency_comparison::compare_with_org(&systems.crm, currency).await {
        CurrencyComparison::Same(words) | CurrencyComparison::Untold(words) => words,
        CurrencyComparison::Other(words) => return Err(words),
    };
    let query = StayQuery::in_house(UNKNOWN_EMAIL.into());
    systems
        .crm
        .stays(&query)
        .await
        .answered()
        .map_err(|error| error.to_string())?;
    let quota = systems
        .crm
        .usage()
        .map(|usage| format!("; {} of {} calls used today", usage.used, usage.allowed));
    let unknown: Vec<_> = unknown_words
        .iter()
        .map(|words| format!("\n          {words}"))
        .collect();
    let unknown = if unknown.is_empty() {
        String::new()
    } else {
        let told = "; words of the org that we don't know, shown as they are and never taken for a harmless one (SALESFORCE_PICKLIST_VALUES names those of ours that it spells otherwise):";
        format!("{told}{}", unknown.concat())
    };
    let has = if left_out.is_empty() {
        "the org has every field, permission, and picklist value we use"
    } else {
        "the org has every field, permission, and picklist value we need"
    };
    Ok(format!(
        "signed in; {has}; {currency}{}{}{unknown}",
        quota.unwrap_or_default(),
        lines(&left_out).concat()
    ))
}
