//! Parts of which many pages consist: sections, short lists, facts, and hidden fields.

use leptos::prelude::*;

/// Section under its heading.
pub fn section(
    id: &'static str,
    title: impl IntoView + 'static,
    content: impl IntoView + 'static,
) -> AnyView {
    view! {
        <section aria-labelledby=id>
            <h2 id=id>{title}</h2>
            {content}
        </section>
    }
    .into_any()
}

/// List of that class; without items, a sentence in its place.
pub fn rows<V: IntoView + 'static>(
    class: &'static str,
    items: impl IntoIterator<Item = V>,
    empty: &'static str,
) -> AnyView {
    let items: Vec<_> = items.into_iter().collect();
    if items.is_empty() {
        return view! { <p class="empty">{empty}</p> }.into_any();
    }
    view! { <ul class=class>{items}</ul> }.into_any()
}

/// Names and values.
pub fn facts<V: IntoView + 'static>(
    class: &'static str,
    facts: impl IntoIterator<Item = (&'static str, V)>,
) -> AnyView {
    let facts = facts.into_iter();
    let facts = facts.map(|(name, value)| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> });
    view! { <dl class=class>{facts.collect_view()}</dl> }.into_any()
}

/// Fields of a form that nobody sees.
pub fn hidden(fields: impl IntoIterator<Item = (&'static str, String)>) -> AnyView {
    let fields = fields.into_iter();
    let fields =
        fields.map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    fields.collect_view().into_any()
}

/// Form of a single button.
pub fn tap(
    action: &'static str,
    fields: impl IntoIterator<Item = (&'static str, String)>,
    button: impl IntoView + 'static,
) -> AnyView {
    view! { <form class="tap" method="post" action=action>{hidden(fields)} {button}</form> }
        .into_any()
}

/// Link of a row of filters.
#[derive(Clone, Debug, Default)]
pub struct Chip {
    pub id: Option<String>,
    pub href: String,
    pub label: String,
    /// Number of records that it shows.
    pub count: Option<usize>,
    pub is_current: bool,
}

/// Row of filters; the current one is marked as the current `page`, or as `true` where another click
/// takes it off.
pub fn chips(
    label: &'static str,
    class: &'static str,
    current: &'static str,
    chips: impl IntoIterator<Item = Chip>,
) -> AnyView {
    let chips = chips.into_iter().map(|chip| {
        let count = chip
            .count
            .map(|count| view! { " " <span class="n">{count}</span> });
        let here = chip.is_current.then_some(current);
        view! { <li><a id=chip.id href=chip.href aria-current=here>{chip.label} {count}</a></li> }
    });
    view! { <nav aria-label=label><ul class=class>{chips.collect_view()}</ul></nav> }.into_any()
}
