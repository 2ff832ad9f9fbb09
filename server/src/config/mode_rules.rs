//! `DEWY_MODE`, and what may be configured in each mode.

use dewy_domain::deployment_mode::DeploymentMode;

use super::{
    Config, twilio_keys,
    variable_reader::{Reader, is_loopback},
    web::WebConfig,
};

const SALESFORCE: [&str; 3] = [
    "SALESFORCE_LOGIN_URL",
    "SALESFORCE_CLIENT_ID",
    "SALESFORCE_CLIENT_SECRET",
];
const STRIPE: [&str; 4] = [
    "STRIPE_SECRET_KEY",
    "STRIPE_PUBLISHABLE_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "STRIPE_API_BASE",
];
const MAIL: [&str; 2] = ["SMTP_URL", "SMTP_FROM"];
const MODEL: [&str; 4] = [
    "OPENAI_API_KEY",
    "OPENAI_MODEL",
    "OPENAI_BASE_URL",
    "OPENAI_REASONING_EFFORT",
];

pub(super) fn read(from: &mut Reader<'_>) -> DeploymentMode {
    from.parsed("DEWY_MODE", "one of demo, trial, live")
        .unwrap_or_default()
}

/// Reports every setting that doesn't fit the mode.
pub(super) fn check(config: &Config, from: &mut Reader<'_>) {
    let (mode, web) = (config.mode, &config.web);
    if mode > DeploymentMode::Demo {
        require_key_file(config, from);
    }
    match mode {
        DeploymentMode::Demo => reject_real_credentials(from),
        DeploymentMode::Trial => keys_of(mode, "test", from),
        DeploymentMode::Live => {
            keys_of(mode, "live", from);
            require_real_systems(from);
            encrypted(web, from);
        }
    }
}

fn set<'a>(variables: &[&'a str], from: &Reader<'_>) -> Vec<&'a str> {
    variables
        .iter()
        .copied()
        .filter(|variable| from.text(variable).is_some())
        .collect()
}

/// Rejects credentials of real accounts.
fn reject_real_credentials(from: &mut Reader<'_>) {
    for (system, variables) in [
        ("Salesforce", &SALESFORCE[..]),
        ("Stripe", &STRIPE),
        ("Twilio", &twilio_keys::VARIABLES),
        ("email", &MAIL),
        ("the model", &MODEL),
    ] {
        let set = set(variables, from);
        if !set.is_empty() {
            let set = set.join(", ");
            from.problem(
                "DEWY_MODE",
                format!(
                    "is demo (the default), where the sandbox simulates {system}, but {set} is set. Set DEWY_MODE=trial for accounts in test mode or DEWY_MODE=live for real ones, or unset {set}"
                ),
            );
        }
    }
}

/// Requires Stripe keys of this kind.
fn keys_of(mode: DeploymentMode, kind: &str, from: &mut Reader<'_>) {
    for (variable, prefixes) in [(STRIPE[0], &["sk_", "rk_"][..]), (STRIPE[1], &["pk_"])] {
        let Some(key) = from.text(variable) else {
            continue;
        };
        // Whoever reads the key reports an unknown kind
        let Some(prefix) = prefixes.iter().find(|prefix| key.starts_with(**prefix)) else {
            continue;
        };
        if !key.starts_with(&format!("{prefix}{kind}_")) {
            from.problem(
                variable,
                format!("must begin with {prefix}{kind}_, because DEWY_MODE is {mode}, which accepts only {kind} keys"),
            );
        }
    }
}

/// Requires the real Salesforce and Stripe: no addresses on this machine, where a sandbox may
/// listen.
fn require_real_systems(from: &mut Reader<'_>) {
    for (system, variables) in [("Salesforce", &SALESFORCE[..]), ("Stripe", &STRIPE[..3])] {
        if set(variables, from).is_empty() {
            let all = variables.join(", ");
            from.problem(
                variables[0],
                format!("is missing: DEWY_MODE is live, which needs {system}. Set {all}"),
            );
        }
    }
    if from.text("SANDBOX_URL").is_some() {
        from.problem(
            "SANDBOX_URL",
            "must not be set, because DEWY_MODE is live, which uses no sandbox",
        );
    }
    for variable in ["SALESFORCE_LOGIN_URL", "STRIPE_API_BASE", "TWILIO_API_BASE"] {
        let url = from.text(variable).and_then(|text| text.parse().ok());
        if url.is_some_and(|url| is_loopback(&url)) {
            from.problem(
                variable,
                "must not be an address of this machine, because DEWY_MODE is live, which uses no sandbox",
            );
        }
    }
}

/// Requires a key outside of the store. Beside an embedded store it is made; instances that share a
/// database must be given the same.
fn require_key_file(config: &Config, from: &mut Reader<'_>) {
    if config.key_file.is_none() && config.database_url.starts_with("postgres") {
        from.problem(
            "DEWY_KEY_FILE",
            format!(
                "is missing: DEWY_MODE is {}, and the store is on Postgres. Make a key (umask 077; openssl rand -hex 32 > dewy.key), \
                 give every instance the same, and set the file's path",
                config.mode
            ),
        );
    }
}

fn encrypted(web: &WebConfig, from: &mut Reader<'_>) {
    if web.is_exposed_unencrypted() {
        from.problem(
            "PUBLIC_URL",
            "must be an https address (or one of this machine), because DEWY_MODE is live: put TLS in front and set it",
        );
    }
}
