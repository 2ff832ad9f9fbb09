//! Named filters of staff members, kept in the store: one small value per person.

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona},
    error_code::ErrorCode,
    one_line::OneLine,
    payment_card_number::has_card_number,
    ports::{MAX_VIEW_NAME_LENGTH, SavedView, SavedViews},
};
use dewy_saga::StoreError;
use dewy_store::Store;
use url::form_urlencoded;

/// Maximum number of views of one person.
const MAX_VIEWS: usize = 50;
/// Maximum length of a saved query; longer than any list's query.
const MAX_QUERY_LENGTH: usize = 500;

#[derive(Clone, Debug)]
pub struct SavedViewsService {
    pub store: Store,
}

impl SavedViewsService {
    async fn read(&self, caller: &Caller) -> Result<Vec<SavedView>, ErrorCode> {
        if caller.persona != Persona::Staff {
            return Err(ErrorCode::UnknownTool);
        }
        let kept = self.store.get_json(&key(caller)).await.map_err(failed)?;
        // What another release wrote and this one can't read is left out
        Ok(kept
            .and_then(|kept| serde_json::from_value(kept).ok())
            .unwrap_or_default())
    }

    async fn write(&self, caller: &Caller, views: &[SavedView]) -> Result<(), ErrorCode> {
        let views = serde_json::to_value(views).map_err(|_| ErrorCode::Internal)?;
        self.store
            .put_json(&key(caller), &views)
            .await
            .map_err(failed)
    }
}

#[async_trait]
impl SavedViews for SavedViewsService {
    async fn views(&self, caller: &Caller) -> Result<Vec<SavedView>, ErrorCode> {
        self.read(caller).await
    }

    async fn save(&self, caller: &Caller, view: SavedView) -> Result<(), ErrorCode> {
        let mut views = self.read(caller).await?;
        let name = String::from(OneLine::from(view.name.as_str()));
        let fits = !name.is_empty()
            && !view.name.trim().contains(char::is_control)
            && name.chars().count() <= MAX_VIEW_NAME_LENGTH
            && view.query.len() <= MAX_QUERY_LENGTH
            && !has_card_number(&name)
            && !form_urlencoded::parse(view.query.as_bytes())
                .any(|(name, value)| has_card_number(&name) || has_card_number(&value));
        views.retain(|other| !(other.page == view.page && other.name == name));
        if !fits || views.len() >= MAX_VIEWS {
            return Err(ErrorCode::ValidationFailed);
        }
        views.push(SavedView { name, ..view });
        views.sort_by(|a, b| a.name.cmp(&b.name));
        self.write(caller, &views).await
    }

    async fn delete(&self, caller: &Caller, page: &str, name: &str) -> Result<(), ErrorCode> {
        let mut views = self.read(caller).await?;
        views.retain(|view| !(view.page == page && view.name == name));
        self.write(caller, &views).await
    }
}

fn key(caller: &Caller) -> String {
    format!("views:{}", caller.email)
}

fn failed(error: StoreError) -> ErrorCode {
    tracing::error!(%error, "saved views could not be read or written");
    ErrorCode::Internal
}
