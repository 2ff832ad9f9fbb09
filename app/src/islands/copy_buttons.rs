//! Buttons that copy an id to the clipboard.

use leptos::prelude::*;

/// Handles clicks on buttons with `data-copy`. Renders nothing.
#[island]
pub fn CopyButtons() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(|| crate::islands::dom::on("click", listen::copy));
    view! { <span hidden></span> }
}

#[cfg(feature = "hydrate")]
mod listen {
    use leptos::prelude::*;
    use wasm_bindgen::{JsCast, JsValue};
    use web_sys::{Element, MouseEvent, js_sys::Reflect};

    pub fn copy(event: &MouseEvent) {
        let target = event.target().and_then(|it| it.dyn_into::<Element>().ok());
        let button = target.and_then(|it| it.closest("[data-copy]").ok().flatten());
        let Some((button, text)) =
            button.and_then(|it| Some((it.clone(), it.get_attribute("data-copy")?)))
        else {
            return;
        };
        let navigator = window().navigator();
        // Browsers have no clipboard on pages without https
        let has = Reflect::get(&navigator, &JsValue::from_str("clipboard"));
        if has.is_ok_and(|it| it.is_object()) {
            drop(navigator.clipboard().write_text(&text));
            button.set_text_content(Some("Copied"));
        }
    }
}
