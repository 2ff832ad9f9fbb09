//! Who a request comes from, looked up once for all parts of a page.

use std::sync::{Arc, Mutex, PoisonError};

use dewy_domain::ports::SignedIn;

/// Cache of the signed-in user. The default caches nothing, because a stream must check every time.
#[derive(Clone, Debug, Default)]
pub struct RequestUser(Option<Arc<Mutex<Option<SignedIn>>>>);

impl RequestUser {
    pub fn for_one_page() -> Self {
        Self(Some(Arc::default()))
    }

    pub fn get(&self) -> Option<SignedIn> {
        let known = self.0.as_ref()?.lock();
        known.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the user; `None` if it must be looked up again.
    pub fn set(&self, user: Option<&SignedIn>) {
        if let Some(known) = &self.0 {
            *known.lock().unwrap_or_else(PoisonError::into_inner) = user.cloned();
        }
    }
}
