//! Outside systems: each is real when its credentials are set.

use std::{net::IpAddr, sync::Arc};

use dewy_connectors::{OrgVocabulary, RealClock, Smtp, salesforce::soql::is_id};
use dewy_domain::ports::Clock;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::variable_reader::Reader;

/// Salesforce credentials (client credentials flow).
#[derive(Clone, Debug)]
pub struct SalesforceKeys {
    /// `SALESFORCE_LOGIN_URL`.
    pub login_url: Url,
    /// `SALESFORCE_CLIENT_ID`.
    pub client_id: String,
    /// `SALESFORCE_CLIENT_SECRET`.
    pub client_secret: SecretString,
    /// `SALESFORCE_PICKLIST_VALUES`: values of this org that differ from the defaults.
    pub vocabulary: OrgVocabulary,
    /// `SALESFORCE_DUPLICATES`: whether contacts are created despite a duplicate rule's warning.
    pub allow_duplicates: bool,
    /// `SALESFORCE_GUEST_ACCOUNT`: account of new contacts.
    pub guest_account: Option<String>,
}

impl SalesforceKeys {
    pub(super) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let complete = from.group(
            "Salesforce",
            &[
                "SALESFORCE_LOGIN_URL",
                "SALESFORCE_CLIENT_ID",
                "SALESFORCE_CLIENT_SECRET",
            ],
            &[
                "SALESFORCE_PICKLIST_VALUES",
                "SALESFORCE_DUPLICATES",
                "SALESFORCE_GUEST_ACCOUNT",
            ],
        );
        let login_url = from.url("SALESFORCE_LOGIN_URL");
        let words =
            OrgVocabulary::parse(&from.text("SALESFORCE_PICKLIST_VALUES").unwrap_or_default())
                .unwrap_or_else(|faults| {
                    for fault in faults {
                        from.problem("SALESFORCE_PICKLIST_VALUES", fault);
                    }
                    OrgVocabulary::default()
                });
        let allow_duplicates = match from.text("SALESFORCE_DUPLICATES").as_deref() {
            None | Some("allow") => true,
            Some("refuse") => false,
            Some(other) => {
                from.problem(
                    "SALESFORCE_DUPLICATES",
                    format!("{other:?} is neither allow nor refuse"),
                );
                true
            }
        };
        let guest_account = from.text("SALESFORCE_GUEST_ACCOUNT");
        if guest_account
            .as_deref()
            .is_some_and(|id| !id.starts_with("001") || !is_id(id))
        {
            from.problem(
                "SALESFORCE_GUEST_ACCOUNT",
                "must be the record ID of an account, such as 001000000000001AAA".to_owned(),
            );
        }
        if !complete {
            return None;
        }
        Some(Self {
            allow_duplicates,
            guest_account,
            login_url: login_url?,
            client_id: from.text("SALESFORCE_CLIENT_ID")?,
            client_secret: from.secret("SALESFORCE_CLIENT_SECRET")?,
            vocabulary: words,
        })
    }
}

/// Stripe credentials.
#[derive(Clone, Debug)]
pub struct StripeKeys {
    /// `STRIPE_SECRET_KEY`.
    pub secret_key: SecretString,
    /// `STRIPE_PUBLISHABLE_KEY`.
    pub publishable_key: String,
    /// `STRIPE_WEBHOOK_SECRET`.
    pub webhook_secret: SecretString,
    /// `STRIPE_API_BASE`, if not Stripe's default.
    pub api_base: Option<Url>,
}

impl StripeKeys {
    pub(super) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let keys = [
            "STRIPE_SECRET_KEY",
            "STRIPE_PUBLISHABLE_KEY",
            "STRIPE_WEBHOOK_SECRET",
        ];
        let complete = from.group("Stripe", &keys, &["STRIPE_API_BASE"]);
        let api_base = from.url("STRIPE_API_BASE");
        for (variable, prefixes) in [
            (keys[0], ["sk_", "rk_"]),
            (keys[1], ["pk_", "pk_"]),
            (keys[2], ["whsec_", "whsec_"]),
        ] {
            if from
                .text(variable)
                .is_some_and(|key| !prefixes.iter().any(|p| key.starts_with(p)))
            {
                from.problem(
                    variable,
                    format!(
                        "must begin with {}; was a different key pasted here?",
                        prefixes[0]
                    ),
                );
            }
        }
        if !complete {
            return None;
        }
        Some(Self {
            secret_key: from.secret(keys[0])?,
            publishable_key: from.text(keys[1])?,
            webhook_secret: from.secret(keys[2])?,
            api_base,
        })
    }
}

/// Mail server.
#[derive(Clone, Debug)]
pub struct MailKeys {
    /// `SMTP_URL`, with the password.
    pub url: SecretString,
    /// `SMTP_FROM`.
    pub from: String,
}

impl MailKeys {
    pub(super) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let keys = ["SMTP_URL", "SMTP_FROM"];
        if !from.group("Email", &keys, &[]) {
            return None;
        }
        let url: Option<Url> = from.text(keys[0]).and_then(|text| text.parse().ok());
        let Some(url) = url else {
            // The value contains a password, so the message doesn't repeat it
            from.problem(
                keys[0],
                "must be an address such as smtps://user:password@smtp.example.com",
            );
            return None;
        };
        let keys = Self {
            url: from.secret(keys[0])?,
            from: from.text(keys[1])?,
        };
        if let Err((variable, message)) =
            Smtp::new(keys.url.expose_secret(), &keys.from, Arc::new(RealClock))
        {
            from.problem(variable, message);
        }
        let tls = url
            .query_pairs()
            .any(|pair| pair == ("tls".into(), "required".into()));
        // A URL of this scheme keeps its host as text
        let local = url.host_str().is_some_and(|host| {
            host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        });
        if url.scheme() == "smtp" && url.password().is_some() && !tls && !local {
            from.problem(
                "SMTP_URL",
                "must not send a password unencrypted: use smtps://, or smtp:// with ?tls=required",
            );
        }
        Some(keys)
    }

    /// Client of the server; connects to nothing yet.
    #[must_use]
    pub fn connect(&self, clock: &Arc<dyn Clock>) -> Option<Arc<Smtp>> {
        Smtp::new(self.url.expose_secret(), &self.from, Arc::clone(clock))
            .ok()
            .map(Arc::new)
    }
}

/// Credentials of the model behind the concierge.
#[derive(Clone, Debug)]
pub struct LlmKeys {
    /// `OPENAI_API_KEY`.
    pub api_key: SecretString,
    /// `OPENAI_BASE_URL`, if not the vendor's default.
    pub base_url: Option<Url>,
    /// `OPENAI_MODEL`.
    pub model: String,
    /// `OPENAI_REASONING_EFFORT`, if not the server's own.
    pub reasoning_effort: Option<String>,
}

impl LlmKeys {
    pub(super) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let complete = from.group(
            "The model",
            &["OPENAI_API_KEY", "OPENAI_MODEL"],
            &["OPENAI_BASE_URL", "OPENAI_REASONING_EFFORT"],
        );
        let base_url = from.url("OPENAI_BASE_URL");
        if !complete {
            return None;
        }
        Some(Self {
            api_key: from.secret("OPENAI_API_KEY")?,
            base_url,
            model: from.text("OPENAI_MODEL")?,
            reasoning_effort: from.text("OPENAI_REASONING_EFFORT"),
        })
    }
}
