//! Forms between their entry and their confirmation. Each has a name, which the review's URL carries,
//! so that two tabs of a browser never see each other's.

use dewy_domain::ports::Authenticator;

use crate::{
    form_draft::FormDraft,
    form_submission::{FormResult, FormSubmission},
    page_url,
};

/// Query parameter with the name of a review.
pub const REVIEW: &str = "review";

/// Reviews kept of one kind; the oldest ones go first.
const MAX_KEPT: usize = 8;

/// Reviews of one kind of form by name, the newest last.
type Reviews = Vec<(String, FormDraft)>;

async fn put(authenticator: &dyn Authenticator, form: &str, reviews: &Reviews) {
    if let Ok(text) = serde_json::to_string(reviews) {
        let key = format!("{form}-reviews");
        authenticator.save_in_session(&key, text).await;
    }
}

/// Takes the reviews of a form from the session. They must be put back.
async fn take(authenticator: &dyn Authenticator, form: &str) -> Reviews {
    let key = format!("{form}-reviews");
    let text = authenticator.take_from_session(&key).await;
    serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default()
}

fn add(reviews: &mut Reviews, name: &str, draft: FormDraft) {
    reviews.retain(|(kept, _)| kept != name);
    reviews.push((name.to_owned(), draft));
    reviews.drain(..reviews.len().saturating_sub(MAX_KEPT));
}

/// Stores a form for its review.
pub async fn keep(authenticator: &dyn Authenticator, form: &str, name: &str, draft: FormDraft) {
    let mut reviews = take(authenticator, form).await;
    add(&mut reviews, name, draft);
    put(authenticator, form, &reviews).await;
}

/// Form with that name. It stays stored, for a reload and for the way back to the form.
pub async fn find(
    authenticator: &dyn Authenticator,
    form: &str,
    name: Option<&str>,
) -> Option<FormDraft> {
    let reviews = take(authenticator, form).await;
    put(authenticator, form, &reviews).await;
    let mut kept = reviews.into_iter();
    kept.find(|(kept, _)| Some(kept.as_str()) == name)
        .map(|(_, draft)| draft)
}

/// Leads to the review of a form that has no problem, and back to its page otherwise.
pub async fn review(
    form: &FormSubmission,
    key: &str,
    page: &str,
    name: &str,
    draft: FormDraft,
) -> FormResult {
    if !draft.problems.is_empty() {
        return form.again(draft, key, page).await;
    }
    keep(&*form.ctx.authenticator, key, name, draft).await;
    let review = [("step", "confirm"), (REVIEW, name)];
    Ok(page_url::with_query(page, review))
}

/// Says on the form's page that a review is no longer kept.
pub async fn say_gone(authenticator: &dyn Authenticator, form: &str) {
    FormDraft::failed("This review is no longer kept")
        .with_message("Nothing was done. Enter it again.")
        .put(authenticator, form)
        .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_reviews_are_kept_and_each_once() {
        let mut reviews = Reviews::new();
        for n in 0..=MAX_KEPT {
            add(&mut reviews, &n.to_string(), FormDraft::default());
        }
        let changed = FormDraft::default().field("amount", "2");
        add(&mut reviews, "3", changed);
        let names: Vec<_> = reviews.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["1", "2", "4", "5", "6", "7", "8", "3"]);
    }
}
