//! Panel above every page of a guest who reported danger.

use dewy_domain::{hotel_profile::phone_link, ports::AttentionView};
use leptos::prelude::*;

use crate::{hotel_profile::hotel, language::t};

/// Whom to call and where to write, until somebody has marked the emergency as handled.
pub(super) fn emergency_panel(attention: &AttentionView) -> AnyView {
    let panel = attention.in_danger.then(|| {
        let call = hotel().emergency_number.clone().map(|number| {
            let link = phone_link(&number);
            view! { <a class="button danger" href=link>{t!("talk-call-number", number = number)}</a> }
        });
        view! {
            <div class="in-danger">
                <p><strong>{t!("danger-reported")}</strong></p>
                {call}
                <a class="button danger" href="/guest/concierge">{t!("danger-chat")}</a>
            </div>
        }
    });
    view! { <div data-region="danger">{panel}</div> }.into_any()
}
