//! Creates bearer tokens. The rules are the same for every interface.

use std::sync::Arc;

use dewy_domain::{
    blank_text::is_blank,
    caller::{Persona, Role},
    email_address::EmailAddress,
    error_code::ErrorCode,
    one_line::OneLine,
    payment_card_number::{CARD_NUMBER, has_card_number},
    ports::{Clock, Entropy, TokenError, TokenOrder, TokenView},
    tool_answer::Problem,
};
use dewy_store::{ApiToken, NewToken, Store};
use jiff::SignedDuration;

use super::{
    KnownGuests,
    tokens::{random_token, staff_role, token_hash},
};

/// Maximum lifetime of a token: ten years.
const MAX_DAYS: u64 = 3650;
const MAX_NAME_LENGTH: usize = 60;

/// Creates tokens.
#[derive(Clone, Debug)]
pub struct TokenIssuer {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The guests behind emails; `None` where the CRM is not at hand. Every use asks again.
    pub guests: Option<KnownGuests>,
}

impl TokenIssuer {
    /// Creates a token and stores its hash; the token itself exists only in the return value. `by`
    /// is the creator.
    ///
    /// # Errors
    /// Every fault of the request at once, or a store failure.
    pub async fn make(&self, order: &TokenOrder, by: &str) -> Result<String, TokenError> {
        let problems = self.problems(order).await?;
        if !problems.is_empty() {
            return Err(TokenError::Problems(problems));
        }
        let token = random_token(self.entropy.as_ref(), order.persona);
        let now = self.clock.now();
        let days = i64::try_from(order.days).unwrap_or_default();
        let new = NewToken {
            hash: token_hash(&token),
            persona: order.persona.name().to_owned(),
            subject_email: Some(order.email.clone()),
            roles: order
                .role
                .map(|role| role.name().to_owned())
                .into_iter()
                .collect(),
            read_only: order.read_only,
            created_by: Some(by.to_owned()),
            name: OneLine::from(order.name.as_str()).into(),
            created_at: now,
            expires_at: Some(now + SignedDuration::from_hours(24 * days)),
        };
        self.store.create_token(new).await.map_err(|error| {
            tracing::error!(%error, "a token could not be stored");
            TokenError::Unavailable
        })?;
        tracing::info!(persona = order.persona.name(), by, "a token was created");
        Ok(token)
    }

    async fn problems(&self, order: &TokenOrder) -> Result<Vec<Problem>, TokenError> {
        let mut problems = Vec::new();
        let mut problem = |field: &str, message: String| {
            problems.push(Problem {
                field: field.to_owned(),
                message,
            })
        };
        let name = order.name.trim();
        if is_blank(name)
            || name.chars().count() > MAX_NAME_LENGTH
            || name.chars().any(char::is_control)
        {
            problem(
                "name",
                format!("Say what the token is for, in 1 to {MAX_NAME_LENGTH} characters."),
            );
        }
        if has_card_number(name) {
            problem("name", format!("name {CARD_NUMBER}"));
        }
        if !(1..=MAX_DAYS).contains(&order.days) {
            problem(
                "days",
                format!("A token can be valid for 1 to {MAX_DAYS} days."),
            );
        }
        let Ok(email) = order.email.parse::<EmailAddress>() else {
            problem("email", "Enter an email address.".to_owned());
            return Ok(problems);
        };
        match order.persona {
            Persona::Guest if order.role.is_some() => {
                problem("role", "A guest has no role.".to_owned());
            }
            Persona::Guest => {
                let shared = match &self.guests {
                    Some(guests) => guests.is_shared(&email).await,
                    None => None,
                };
                if shared == Some(true) {
                    problem("email", ErrorCode::SharedEmail.for_staff().to_owned());
                }
            }
            Persona::Staff => {
                let role = staff_role(&self.store, &email).await.map_err(|error| {
                    tracing::error!(%error, "an account could not be read");
                    TokenError::Unavailable
                })?;
                match (role, order.role) {
                    (None, _) => {
                        problem("email", format!("{email} is not an active staff account."))
                    }
                    (Some(has), Some(wants)) if !has.covers(wants) => {
                        let message = format!(
                            "{email} is {}; a token cannot do more than that.",
                            has.name()
                        );
                        problem("role", message);
                    }
                    _ => {}
                }
            }
        }
        Ok(problems)
    }
}

/// Stored token as its owner sees it; `None` when the store holds a value that this release doesn't
/// know.
#[must_use]
pub fn token_view(stored: ApiToken) -> Option<TokenView> {
    let id = stored.id();
    let ApiToken {
        token,
        last_used_at,
        revoked_at,
    } = stored;
    let persona = [Persona::Guest, Persona::Staff]
        .into_iter()
        .find(|p| p.name() == token.persona)?;
    let email = token.subject_email.unwrap_or_else(|| "".into());
    let owner = format!("{}:{email}", persona.name());
    Some(TokenView {
        id,
        name: token.name,
        persona,
        role: token.roles.first().and_then(|name| Role::from_name(name)),
        read_only: token.read_only,
        created_at: token.created_at,
        created_by: token.created_by.filter(|by| *by != owner),
        expires_at: token.expires_at,
        last_used_at,
        revoked_at,
        email,
    })
}
