//! Button that copies an id; browsers without scripts don't show it.

use leptos::prelude::*;

pub fn copy_button(id: String) -> impl IntoView {
    let label = format!("Copy {id}");
    view! { <button type="button" class="copy" data-copy=id aria-label=label>"Copy"</button> }
}
