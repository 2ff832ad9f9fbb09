//! Table of a list. On a phone its headings give way to the `data-label` of each cell.

use leptos::prelude::*;

/// One row per record, in `children`.
#[component]
pub fn ListTable(
    heads: &'static [&'static str],
    /// Those of them above amounts.
    #[prop(optional)]
    num: &'static [&'static str],
    /// The one above buttons.
    #[prop(optional)]
    act: &'static str,
    #[prop(optional)] class: &'static str,
    /// Name for screen readers, where no heading of the page names it.
    #[prop(optional)]
    label: &'static str,
    #[prop(optional)] caption: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    let heads = heads.iter().map(|head| match () {
        () if num.contains(head) => view! { <th scope="col" class="num">{*head}</th> }.into_any(),
        () if *head == act => view! { <th scope="col" class="act">{*head}</th> }.into_any(),
        () => view! { <th scope="col">{*head}</th> }.into_any(),
    });
    view! {
        <table class=format!("list {class}").trim_end().to_owned() aria-label=(!label.is_empty()).then_some(label)>
            {caption.map(|caption| view! { <caption class="aside">{caption}</caption> })}
            <thead>
                <tr>{heads.collect_view()}</tr>
            </thead>
            <tbody>{children()}</tbody>
        </table>
    }
}
