//! Page that staff pages without regions fetch again, for what surrounds every page.

use crate::pages::prelude::*;

/// Only the attention items: a page without regions fetches this one instead.
pub async fn waiting_page(request: PageRequest) -> PageResult {
    let user = request
        .ctx
        .require_persona(Persona::Staff, "/staff")
        .await?;
    let content = view! { <h1>"Needs attention"</h1> <p><a href="/staff">"Today"</a></p> };
    Ok(PageLayout::new("Needs attention").who(&user).staff(content))
}
