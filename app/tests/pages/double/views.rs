//! Saved views of the double, for whoever asks.

use async_trait::async_trait;
use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    ports::{SavedView, SavedViews},
};

use super::House;

#[async_trait]
impl SavedViews for House {
    async fn views(&self, _: &Caller) -> Result<Vec<SavedView>, ErrorCode> {
        Ok(self.state().views.clone())
    }

    async fn save(&self, _: &Caller, view: SavedView) -> Result<(), ErrorCode> {
        if view.name.is_empty() {
            return Err(ErrorCode::ValidationFailed);
        }
        self.state().views.push(view);
        Ok(())
    }

    async fn delete(&self, _: &Caller, page: &str, name: &str) -> Result<(), ErrorCode> {
        let mut state = self.state();
        state
            .views
            .retain(|view| !(view.page == page && view.name == name));
        Ok(())
    }
}
