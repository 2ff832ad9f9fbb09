//! Access to the pages of the front desk.

use crate::pages::prelude::*;

/// Signed-in user whose role works with guests; the others see why they may not.
pub async fn require_front_desk(request: &PageRequest) -> Result<SignedIn, PageError> {
    let user = request.signed_in(Persona::Staff).await?;
    if user.caller.is_front_desk() {
        return Ok(user);
    }
    Err(PageError::Error(ErrorPage {
        status: 403,
        title: "This page is for the front desk".to_owned(),
        message:
            "Only the front desk and managers can see payments and check-outs. Ask one of them."
                .to_owned(),
        links: vec![("/staff/account".to_owned(), "Go to your account".to_owned())],
    }))
}
