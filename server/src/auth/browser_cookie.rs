//! Cookie that tells browsers apart before anybody is signed in: limits count by it, sign-in codes
//! are bound to it, and it remembers which accounts signed in with it before. Whoever knows it gains
//! no access.
//!
//! ```text
//! first form ─► new id ──────────────► dewy_browser=id.mac            (HMAC, one year)
//! sign-in    ─► known to the account ─► dewy_browser=id.mac.mark…     the newest eight accounts
//! ```
//! Somebody else's wrong passwords lock out browsers and networks that the account does not know,
//! never one that it knows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dewy_domain::ports::Entropy;
use http::{HeaderMap, HeaderValue, header};

use dewy_app::request_cookie;

use crate::config::installation_key::InstallationKey;

pub const BROWSER_COOKIE: &str = "dewy_browser";
/// Lifetime: one year.
const SECONDS: u32 = 31_536_000;
/// Maximum number of accounts remembered: a desk has several people.
const MAX_ACCOUNTS: usize = 8;
/// Length of a MAC in the cookie.
const MAC: usize = 16;

/// Random id of a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrowserId(pub [u8; 16]);

#[derive(Clone, Debug)]
struct Content {
    id: BrowserId,
    /// MACs of the accounts that signed in, oldest first.
    accounts: Vec<Vec<u8>>,
}

#[derive(Debug, Default)]
struct Cookie {
    content: Option<Content>,
    /// Whether the browser sent it.
    sent: bool,
    changed: bool,
}

/// Browser of a request, in its extensions. Changes are sent with the response.
#[derive(Clone, Debug)]
pub struct Browser {
    key: InstallationKey,
    entropy: Arc<dyn Entropy>,
    cookie: Arc<Mutex<Cookie>>,
}

impl Browser {
    /// Reads the cookie of a request; one that we did not make counts as none.
    #[must_use]
    pub fn of(headers: &HeaderMap, key: InstallationKey, entropy: Arc<dyn Entropy>) -> Self {
        let content = request_cookie(headers, BROWSER_COOKIE).and_then(|value| parse(value, &key));
        let cookie = Cookie {
            sent: content.is_some(),
            content,
            changed: false,
        };
        Self {
            key,
            entropy,
            cookie: Arc::new(Mutex::new(cookie)),
        }
    }

    #[must_use]
    pub fn sent_id(&self) -> Option<BrowserId> {
        let cookie = self.cookie();
        let content = cookie.content.as_ref().filter(|_| cookie.sent);
        content.map(|content| content.id)
    }

    /// Id of the browser; a new one if it has none yet.
    #[must_use]
    pub fn id(&self) -> BrowserId {
        self.cookie().content(&*self.entropy).id
    }

    /// Whether this account signed in with this browser before.
    #[must_use]
    pub fn is_known_to(&self, account: &str) -> bool {
        let cookie = self.cookie();
        cookie.content.as_ref().is_some_and(|content| {
            let parts = [&content.id.0[..], account.as_bytes()];
            let mut accounts = content.accounts.iter();
            accounts.any(|mac| self.key.verifies(ACCOUNT, &parts, mac))
        })
    }

    /// Remembers that this account signed in.
    pub fn remember(&self, account: &str) {
        let mut cookie = self.cookie();
        let content = cookie.content(&*self.entropy);
        let parts = [&content.id.0[..], account.as_bytes()];
        let mac = self.key.hash(ACCOUNT, &parts)[..MAC].to_vec();
        content.accounts.retain(|other| *other != mac);
        content.accounts.push(mac);
        let surplus = content.accounts.len().saturating_sub(MAX_ACCOUNTS);
        content.accounts.drain(..surplus);
        cookie.changed = true;
    }

    /// Value of `Set-Cookie`, if the cookie changed.
    fn set_cookie(&self) -> Option<HeaderValue> {
        let cookie = self.cookie();
        let content = cookie.content.as_ref().filter(|_| cookie.changed)?;
        let mac = self.key.hash(ID, &[&content.id.0]);
        let parts = [&content.id.0[..], &mac[..MAC]].into_iter();
        let parts = parts.chain(content.accounts.iter().map(Vec::as_slice));
        let parts: Vec<String> = parts.map(|part| URL_SAFE_NO_PAD.encode(part)).collect();
        let value = format!(
            "{BROWSER_COOKIE}={}; Path=/; Max-Age={SECONDS}; SameSite=Lax; HttpOnly",
            parts.join(".")
        );
        HeaderValue::from_str(&value).ok()
    }

    fn cookie(&self) -> MutexGuard<'_, Cookie> {
        self.cookie.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cookie {
    fn content(&mut self, entropy: &dyn Entropy) -> &mut Content {
        let changed = &mut self.changed;
        self.content.get_or_insert_with(|| {
            *changed = true;
            let mut id = [0; 16];
            entropy.fill(&mut id);
            Content {
                id: BrowserId(id),
                accounts: Vec::new(),
            }
        })
    }
}

/// Purposes of the MACs.
const ID: &str = "browser cookie";
const ACCOUNT: &str = "browser known to an account";

fn parse(value: &str, key: &InstallationKey) -> Option<Content> {
    let mut parts = value.split('.').map(|part| URL_SAFE_NO_PAD.decode(part));
    let id: [u8; 16] = parts.next()?.ok()?.try_into().ok()?;
    let mac = parts.next()?.ok().filter(|mac| mac.len() == MAC)?;
    if !key.verifies(ID, &[&id], &mac) {
        return None;
    }
    let accounts = parts.take(MAX_ACCOUNTS).filter_map(Result::ok);
    Some(Content {
        id: BrowserId(id),
        accounts: accounts.filter(|mac| mac.len() == MAC).collect(),
    })
}

/// What [`mark_browser`] needs.
#[derive(Clone, Debug)]
pub struct BrowserCookies {
    /// Key of the MACs.
    pub key: InstallationKey,
    /// Source of ids.
    pub entropy: Arc<dyn Entropy>,
}

/// Reads the cookie for the routes inside, and sends it with the response if they changed it.
pub async fn mark_browser(
    State(cookies): State<BrowserCookies>,
    mut request: Request,
    next: Next,
) -> Response {
    let browser = Browser::of(request.headers(), cookies.key, cookies.entropy);
    request.extensions_mut().insert(browser.clone());
    let mut response = next.run(request).await;
    if let Some(value) = browser.set_cookie() {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use dewy_connectors::{OsEntropy, RealClock};
    use dewy_store::Store;

    async fn key() -> InstallationKey {
        let store = Store::open("sqlite::memory:", Arc::new(RealClock)).await;
        let store = store.unwrap();
        store.migrate().await.unwrap();
        InstallationKey::in_store(&store, &OsEntropy).await.unwrap()
    }

    fn browser(cookie: &str, key: &InstallationKey) -> Browser {
        let value = HeaderValue::from_str(&format!("a=b; {cookie}")).unwrap();
        let headers = HeaderMap::from_iter([(header::COOKIE, value)]);
        Browser::of(&headers, key.clone(), Arc::new(OsEntropy))
    }

    fn sent(browser: &Browser) -> String {
        let value = browser.set_cookie().unwrap();
        let (cookie, attributes) = value.to_str().unwrap().split_once(';').unwrap();
        assert!(attributes.contains("HttpOnly"));
        cookie.to_owned()
    }

    #[tokio::test]
    async fn a_browser_is_known_to_the_last_accounts_that_signed_in() {
        let key = key().await;
        let new = browser("", &key);
        assert!(new.sent_id().is_none() && new.set_cookie().is_none());
        let id = new.id();
        new.remember("staff:manager");
        let cookie = sent(&new);
        let known = browser(&cookie, &key);
        assert_eq!(known.sent_id(), Some(id));
        assert!(known.is_known_to("staff:manager") && !known.is_known_to("staff:desk"));
        assert!(known.set_cookie().is_none(), "nothing changed");
        for n in 0..MAX_ACCOUNTS {
            known.remember(&format!("guest:{n}"));
        }
        let full = browser(&sent(&known), &key);
        assert!(full.is_known_to("guest:0") && !full.is_known_to("staff:manager"));
        // Marks of one browser are worth nothing in another's cookie
        let other = browser("", &key);
        other.remember("guest:0");
        let (_, marks) = cookie.split_once('.').unwrap();
        let (_, mark) = marks.split_once('.').unwrap();
        let stolen = browser(&format!("{}.{mark}", sent(&other)), &key);
        assert!(stolen.is_known_to("guest:0") && !stolen.is_known_to("staff:manager"));
    }

    #[tokio::test]
    async fn a_cookie_of_another_key_is_none() {
        let (ours, other) = (key().await, key().await);
        let new = browser("", &other);
        let _ = new.id();
        let cookie = sent(&new);
        assert!(browser(&cookie, &ours).sent_id().is_none());
        for text in ["dewy_browser=", "dewy_browser=AAAA.AAAA", "dewy_browser=é"] {
            assert!(browser(text, &ours).sent_id().is_none(), "{text}");
        }
    }
}
