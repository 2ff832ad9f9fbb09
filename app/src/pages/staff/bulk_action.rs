//! One action on several records: chosen in a list, previewed with one reason, then done one by one
//! through the tool of the single action. The result says what became of each.
//!
//! ```text
//! list: checkboxes ──GET──► preview: how many, which, the reason ──POST──► a call per record ──303──► result
//! ```

pub mod action;
mod chosen_records;
mod result;

use std::collections::BTreeSet;

use self::{chosen_records::Item, result::Results};
use crate::{
    field_suggestions::provide_colleagues,
    http_request::with_request,
    pages::{prelude::*, staff::board::take_kept},
};

pub use self::action::BulkAct;

const PAGE: &str = "/staff/bulk";
const FORM: &str = "bulk";
/// Maximum number of records at once: what a person can read before saying yes.
const MAX_RECORDS: usize = 50;
/// Separates records in the form.
const SEPARATOR: char = ',';

/// Checkbox of a record in a list; `label` names the record for screen readers.
pub fn choice(id: &str, label: String) -> AnyView {
    view! { <input class="row-pick" type="checkbox" name="pick" value=id.to_owned() form="bulk" aria-label=label /> }
        .into_any()
}

/// Button of a list with checkboxes: it leads to the preview.
pub fn begin(act: BulkAct) -> AnyView {
    let action = format!("{PAGE}/{}", act.name());
    view! {
        <form id="bulk" class="bulk" method="get" action=action>
            <button class="quiet">{act.begins()}</button>
        </form>
    }
    .into_any()
}

/// Preview of the chosen records, or the result.
pub async fn bulk_page(page_request: PageRequest) -> PageResult {
    let user = page_request.signed_in(Persona::Staff).await?;
    let act = BulkAct::of(&page_request.act).filter(|act| act.is_for(&user));
    let act = act.ok_or(PageError::NotFound)?;
    let draft = take_kept(&page_request, FORM).await;
    let (title, content) = if page_request.query_param("done").is_some() {
        let results = Results::take(&page_request.ctx).await;
        (results.title(act), results.shown(act))
    } else {
        provide_colleagues(&page_request.ctx).await;
        let items = chosen_records::items(&page_request.ctx, &user, act, &picks()).await;
        let token = token_of(&draft, &page_request.ctx);
        preview(act, &user, items, &draft, token)
    };
    let content = view! {
        <div class="narrow">
            <p class="crumbs"><a href=act.list()>{act.list_name()}</a></p>
            <ErrorSummary draft=draft />
            <h1>{title.clone()}</h1>
            {content}
        </div>
    };
    Ok(PageLayout::new(&title).who(&user).staff(content))
}

/// Chosen records, each once.
fn picks() -> Vec<String> {
    let query = with_request(|parts| parts.uri.query().map(str::to_owned)).flatten();
    let query = query.unwrap_or_default();
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&query).unwrap_or_default();
    let mut seen = BTreeSet::new();
    pairs
        .into_iter()
        .filter(|(name, _)| name == "pick")
        .flat_map(|(_, value)| {
            value
                .split(SEPARATOR)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter(|id| !id.is_empty() && seen.insert(id.clone()))
        .take(MAX_RECORDS)
        .collect()
}

/// Which records it changes, which it leaves out, and the form.
fn preview(
    act: BulkAct,
    user: &SignedIn,
    items: Vec<Item>,
    draft: &FormDraft,
    token: String,
) -> (String, AnyView) {
    let title = items.is_empty().then(|| "Nothing is selected".to_owned());
    let (ready, left): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.why.is_none());
    let title = title.unwrap_or_else(|| act.title(ready.len()));
    let line = |item: &Item| {
        let why = item
            .why
            .clone()
            .map(|why| view! { <p class="block">{why}</p> });
        view! { <li><a href=item.href.clone()>{item.title.clone()}</a> <small>{item.more.clone()}</small> {why}</li> }
    };
    let left = (!left.is_empty()).then(|| {
        view! {
            <h2>"Left out"</h2>
            <ul class="rows">{left.iter().map(line).collect_view()}</ul>
        }
    });
    if ready.is_empty() {
        let content = view! {
            <p class="notice">"Select at least one item in the list that allows this action."</p>
            {left}
            <p class="actions"><a class="button quiet" href=act.list()>"Back to the list"</a></p>
        };
        return (title, content.into_any());
    }
    let ids: Vec<_> = ready.iter().map(|item| item.id.as_str()).collect();
    let ids = ids.join(&SEPARATOR.to_string());
    let assignee = (act == BulkAct::Assign).then(|| {
        view! { <Field name="assignee" known=Known::Colleagues label="Assignee" kind="email" value=draft.value_or("assignee", &user.caller.email) problem=draft.problem("assignee") /> }
    });
    let content = view! {
        <section class="card will" aria-labelledby="will">
            <h2 id="will">"What this does"</h2>
            <p>{act.will()}</p>
            <ul class="rows">{ready.iter().map(line).collect_view()}</ul>
        </section>
        {left}
        <form method="post" action="/form/bulk">
            {assignee}
            <Field name="reason" label="Reason" hint=act.reason_hint() value=draft.value("reason") problem=draft.problem("reason") />
            {hidden([("act", act.name().to_owned()), ("picks", ids), (TOKEN, token)])}
            <p class="actions">
                <button>{title.clone()}</button>
                <a href=act.list()>"Cancel"</a>
            </p>
        </form>
    };
    (title, content.into_any())
}
