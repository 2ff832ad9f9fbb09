//! Forms between their entry and their confirmation. Each has a name, which the review's URL carries,
//! so that two tabs of a browser never see each other's.

use dewy_domain::ports::Authenticator;
use serde::{Deserialize, Serialize};

use crate::form_draft::FormDraft;

/// Query parameter with the name of a review.
pub const REVIEW: &str = "review";

/// Reviews kept of one kind; the oldest ones go first.
const MAX_KEPT: usize = 8;

/// Reviews of one kind of form, the newest last.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptReviews {
    #[serde(skip)]
    key: String,
    kept: Vec<(String, FormDraft)>,
}

impl KeptReviews {
    /// Takes the reviews of a form from the session. They must be put back.
    async fn take(authenticator: &dyn Authenticator, form: &str) -> Self {
        let key = format!("{form}-reviews");
        let text = authenticator.take_from_session(&key).await;
        let kept = text.and_then(|text| serde_json::from_str::<Self>(&text).ok());
        Self {
            kept: kept.map(|reviews| reviews.kept).unwrap_or_default(),
            key,
        }
    }

    async fn put_back(&self, authenticator: &dyn Authenticator) {
        if let Ok(text) = serde_json::to_string(self) {
            authenticator.save_in_session(&self.key, text).await;
        }
    }

    fn add(&mut self, name: &str, draft: FormDraft) {
        self.kept.retain(|(kept, _)| kept != name);
        self.kept.push((name.to_owned(), draft));
        let over = self.kept.len().saturating_sub(MAX_KEPT);
        self.kept.drain(..over);
    }

    /// Stores a form for its review.
    pub async fn keep(authenticator: &dyn Authenticator, form: &str, name: &str, draft: FormDraft) {
        let mut reviews = Self::take(authenticator, form).await;
        reviews.add(name, draft);
        reviews.put_back(authenticator).await;
    }

    /// Form with that name. It stays stored, for a reload and for the way back to the form.
    pub async fn find(
        authenticator: &dyn Authenticator,
        form: &str,
        name: Option<&str>,
    ) -> Option<FormDraft> {
        let name = name?;
        let reviews = Self::take(authenticator, form).await;
        reviews.put_back(authenticator).await;
        let mut kept = reviews.kept.into_iter();
        kept.find(|(kept, _)| kept == name).map(|(_, draft)| draft)
    }

    /// Says on the form's page that a review is no longer kept.
    pub async fn say_gone(authenticator: &dyn Authenticator, form: &str) {
        FormDraft::failed("This review is no longer kept")
            .with_message("Nothing was done. Enter it again.")
            .put(authenticator, form)
            .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_reviews_are_kept_and_each_once() {
        let mut reviews = KeptReviews {
            key: String::new(),
            kept: Vec::new(),
        };
        for n in 0..=MAX_KEPT {
            reviews.add(&n.to_string(), FormDraft::default());
        }
        reviews.add("3", FormDraft::default().field("amount", "2"));
        let names: Vec<_> = reviews.kept.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["1", "2", "4", "5", "6", "7", "8", "3"]);
    }
}
