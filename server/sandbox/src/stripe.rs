//! Stripe simulator: a pure state machine over a `Ledger`.

mod account_events;
mod bank_and_receipt_pages;
pub mod cards;
mod charges;
mod confirm_payment;
mod customers;
mod disputes;
pub mod error_body;
mod events;
mod expand;
mod external_payments;
pub mod form_encoding;
mod holds;
mod idempotency;
mod intent_params;
mod intents;
mod key_access;
mod list_paging;
mod object_tables;
mod omitted_fields;
mod params;
mod payment_methods;
mod refunds;
mod route;
mod scheduled_changes;
mod vendor_params;
mod webhook_endpoints;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::Value;

use crate::stored_row::{ChangedRow, Row};
pub use account_events::AccountSettings;
use error_body::Refusal;
pub use events::Delivery;
pub use external_payments::ExternalPayment;
pub use key_access::{ACCOUNT, KeySettings};
use object_tables::ObjectTables;
pub use object_tables::shown;
use params::Params;
pub(crate) use params::listed;
pub use route::{locked, operation, path};

/// Default API version of responses, when the caller pins none.
pub const API_VERSION: &str = "2026-10-28.endive";

/// All of Stripe: objects, keys, events to deliver, scheduled changes.
#[derive(Clone, Debug)]
pub struct Stripe {
    /// Objects of the active account.
    ledger: ObjectTables,
    account: String,
    /// Objects of other accounts, which keys can be set to open.
    others: BTreeMap<String, ObjectTables>,
}

/// Context of a call besides its parameters.
#[derive(Clone, Debug)]
struct Call {
    now: Timestamp,
    request_id: String,
    key: Option<String>,
    base: String,
}

impl Call {
    /// Context of a change without a call.
    fn by_itself(now: Timestamp, base: &str) -> Self {
        Self {
            now,
            request_id: String::new(),
            key: None,
            base: base.to_owned(),
        }
    }
}

/// Response, and whether it is a replay.
#[derive(Clone, Debug)]
pub struct Handled {
    pub response: HttpResponse,
    /// Whether it came from the idempotency table.
    pub replayed: bool,
}

impl Stripe {
    #[must_use]
    pub fn seeded(seed: u64, now: Timestamp) -> Self {
        let mut stripe = Self {
            ledger: ObjectTables::new(seed),
            account: ACCOUNT.to_owned(),
            others: BTreeMap::new(),
        };
        stripe.seed_customers(now);
        stripe
    }

    #[must_use]
    pub fn restore(rows: Vec<Row>) -> Self {
        let mut by_account: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        for row in rows {
            let (account, table) = match row.table.split_once('/') {
                Some((account, table)) => (account.to_owned(), table.to_owned()),
                None => (ACCOUNT.to_owned(), row.table),
            };
            by_account
                .entry(account)
                .or_default()
                .push(Row { table, ..row });
        }
        let ledger = ObjectTables::restore(by_account.remove(ACCOUNT).unwrap_or_default());
        let others = by_account
            .into_iter()
            .map(|(account, rows)| (account, ObjectTables::restore(rows)))
            .collect();
        Self {
            ledger,
            account: ACCOUNT.to_owned(),
            others,
        }
    }

    /// Public tables, for `/admin/state`.
    #[must_use]
    pub fn state(&self) -> Value {
        let mut state = self.ledger.state();
        if !self.others.is_empty() {
            let others = self
                .others
                .iter()
                .map(|(account, ledger)| (account.clone(), ledger.state()));
            state["other_accounts"] = Value::Object(others.collect());
        }
        state
    }

    /// Unsaved rows.
    pub fn drain_dirty(&mut self) -> Vec<ChangedRow> {
        let mut dirty = self.ledger.drain_dirty();
        for (account, ledger) in &mut self.others {
            let named = |row: ChangedRow| ChangedRow {
                table: format!("{account}/{}", row.table),
                ..row
            };
            dirty.extend(ledger.drain_dirty().into_iter().map(named));
        }
        dirty
    }

    /// Discards unsaved changes where there is no disk.
    pub fn forget_dirty(&mut self) {
        self.ledger.forget_dirty();
        self.others
            .values_mut()
            .for_each(ObjectTables::forget_dirty);
    }

    /// Whether an object changed since the last drain.
    #[must_use]
    pub fn touched(&self) -> bool {
        self.ledger.touched() || self.others.values().any(ObjectTables::touched)
    }

    /// Answers one request at `now`; `base` is the URL for browsers (the bank's page).
    pub fn handle(&mut self, request: &HttpRequest, base: &str, now: Timestamp) -> Handled {
        let omitted = self.omitted();
        let mut handled = self.answered(request, None, base, now);
        handled.response = omitted_fields::without(handled.response, &omitted);
        handled
    }

    /// Injected fault: `status` without any effect; a 500 or 402 on a POST with an idempotency key
    /// is stored with the key.
    pub fn fail(&mut self, request: &HttpRequest, status: u16, now: Timestamp) -> Handled {
        let key = request.header("idempotency-key").unwrap_or_default();
        self.refuse(request, &Refusal::of_status(status, key), now)
    }

    /// Answers with `refusal` as if the operation had returned it.
    pub fn refuse(&mut self, request: &HttpRequest, refusal: &Refusal, now: Timestamp) -> Handled {
        self.answered(request, Some(refusal), "", now)
    }

    /// Answers within the account that the request's key opens; `injected` takes the operation's
    /// place.
    fn answered(
        &mut self,
        request: &HttpRequest,
        injected: Option<&Refusal>,
        base: &str,
        now: Timestamp,
    ) -> Handled {
        let opened = self.account_of_key(request);
        let account = opened.as_deref().unwrap_or(ACCOUNT).to_owned();
        let header = |name: &str| request.header(name).map(str::to_owned);
        let version = header("stripe-version").unwrap_or_else(|| API_VERSION.to_owned());
        self.within(&account, |stripe| {
            let call = Call {
                now,
                request_id: stripe.ledger.id("req_", 14),
                key: header("idempotency-key").filter(|_| request.method == "POST"),
                base: base.to_owned(),
            };
            let shut = opened.err().or_else(|| invalid_version(&version));
            let (mut response, replayed) = match shut.filter(|_| injected.is_none()) {
                Some(refusal) => (refused(&refusal), false),
                None => stripe.keyed(request, injected, &call),
            };
            response.headers.extend([
                ("content-type".to_owned(), "application/json".to_owned()),
                ("request-id".to_owned(), call.request_id),
                ("stripe-version".to_owned(), version),
            ]);
            let key = call.key.map(|key| ("idempotency-key".to_owned(), key));
            response.headers.extend(key);
            Handled { response, replayed }
        })
    }

    fn keyed(
        &mut self,
        request: &HttpRequest,
        injected: Option<&Refusal>,
        call: &Call,
    ) -> (HttpResponse, bool) {
        let run = |stripe: &mut Self| match injected {
            Some(refusal) => answer(Err(refusal.clone())),
            None => answer(stripe.run(request, call)),
        };
        let stored = injected.is_none_or(|refusal| refusal.began);
        let Some(key) = call.key.as_ref().filter(|_| stored) else {
            return (run(self).0, false);
        };
        if key.chars().count() > 255 {
            let refusal = Refusal::invalid("Idempotency-Key is too long: at most 255 characters.");
            return (refused(&refusal), false);
        }
        let print = idempotency::fingerprint(request);
        match self.remembered(key, &print, call.now) {
            Some(Ok(response)) => return (response, true),
            Some(Err(refusal)) => return (refused(&refusal), false),
            None => {}
        }
        let (response, began) = run(self);
        if began {
            self.remember(key, &print, &response, call);
        }
        (response, false)
    }

    fn run(&mut self, request: &HttpRequest, call: &Call) -> Result<Value, Refusal> {
        let params = given(request);
        vendor_params::check(request, &params)?;
        let paths = params.expand();
        expand::check(&paths)?;
        let object = self.route(request, &params, call)?;
        Ok(self.expanded(shown(&object), &paths))
    }
}

/// A version is a date, since 2024 with the name of its release train. Objects are always shown
/// in the pinned version.
fn invalid_version(version: &str) -> Option<Refusal> {
    let (date, train) = version.split_once('.').unwrap_or((version, "-"));
    let valid = date.parse::<jiff::civil::Date>().is_ok() && !train.is_empty();
    (!valid).then(|| Refusal::invalid(format!("Invalid Stripe API version: {version}")))
}

fn given(request: &HttpRequest) -> Params {
    if request.method == "POST" {
        Params(form_encoding::decode(&request.body))
    } else {
        let query = request.url.split_once('?').map_or("", |(_, query)| query);
        Params(form_encoding::decode(query.as_bytes()))
    }
}

fn key_of(request: &HttpRequest) -> Result<String, Refusal> {
    let given = request.header("authorization").unwrap_or_default();
    let key = if let Some(token) = given.strip_prefix("Bearer ") {
        token.trim().to_owned()
    } else if let Some(encoded) = given.strip_prefix("Basic ") {
        let decoded = STANDARD.decode(encoded.trim()).unwrap_or_default();
        String::from_utf8_lossy(&decoded)
            .split(':')
            .next()
            .unwrap_or_default()
            .to_owned()
    } else {
        return Err(Refusal::unauthorised(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
        ));
    };
    if key.starts_with("sk_") || key.starts_with("rk_") {
        Ok(key)
    } else {
        Err(Refusal::unauthorised("Invalid API Key provided."))
    }
}

fn answer(result: Result<Value, Refusal>) -> (HttpResponse, bool) {
    match result {
        Ok(object) => (
            HttpResponse {
                status: 200,
                headers: Vec::new(),
                body: object.to_string().into_bytes(),
            },
            true,
        ),
        Err(refusal) => (refused(&refusal), refusal.began),
    }
}

fn refused(refusal: &Refusal) -> HttpResponse {
    let mut headers = Vec::new();
    if let Some(retry) = refusal.should_retry {
        headers.push(("stripe-should-retry".to_owned(), retry.to_string()));
    }
    HttpResponse {
        status: refusal.status,
        headers,
        body: refusal.body().to_string().into_bytes(),
    }
}
