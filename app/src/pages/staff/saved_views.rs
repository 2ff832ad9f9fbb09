//! Saved views: a person's named filters of a list, as chips above it.

use dewy_domain::ports::SavedView;

use crate::{
    page_context::safe_return_path,
    pages::{
        prelude::*,
        staff::{board::take_kept, filters::Filters},
    },
};

const FORM: &str = "view";

/// The person's views of this list, and the form that saves the present filters.
pub async fn views(filters: Filters<'_>, user: &SignedIn) -> AnyView {
    let (request, page) = (filters.request, filters.page);
    let kept = request.ctx.saved_views.views(&user.caller).await;
    let kept = kept.unwrap_or_default();
    let draft = take_kept(request, FORM).await;
    let now = page_url::with_query("", filters.given());
    let now = now.trim_start_matches('?').to_owned();
    let mine: Vec<_> = kept.into_iter().filter(|view| view.page == page).collect();
    let named = mine.iter().find(|view| view.query == now);
    let named = named.map(|view| view.name.clone()).unwrap_or_default();
    let back = href(page, &now);
    let chips = mine
        .iter()
        .map(|view| chip(view, &now, &back))
        .collect_view();
    let chips = (!mine.is_empty()).then(|| {
        view! { <nav aria-label="Saved views"><ul class="filters views">{chips}</ul></nav> }
    });
    let open = !draft.title.is_empty();
    let save = (!now.is_empty()).then(|| {
        view! {
            <details class="filter" open=open>
                <summary>"Save this view"</summary>
                <form method="post" action="/form/save_view">
                    <div class="filter-fields">
                        <Field name="view_name" label="Name of the view" hint="The same name again replaces it." value=named problem=draft.problem("view_name") />
                    </div>
                    {hidden([("page", page.to_owned()), ("query", now.clone())])}
                    <p class="actions"><button class="quiet">"Save"</button></p>
                </form>
            </details>
        }
    });
    view! { {chips} {save} }.into_any()
}

fn href(page: &str, query: &str) -> String {
    if query.is_empty() {
        page.to_owned()
    } else {
        format!("{page}?{query}")
    }
}

fn chip(view: &SavedView, now: &str, back: &str) -> AnyView {
    let here = (view.query == now).then_some("page");
    let label = format!("Delete the view {}", view.name);
    let fields = [
        ("page", view.page.clone()),
        ("name", view.name.clone()),
        ("back", back.to_owned()),
    ];
    let delete = view! { <button class="quiet" aria-label=label title="Delete">"×"</button> };
    view! {
        <li>
            <a href=href(&view.page, &view.query) aria-current=here>{view.name.clone()}</a>
            {tap("/form/delete_view", fields, delete)}
        </li>
    }
    .into_any()
}

/// Saves the filters under a name.
pub async fn save_view(form: FormSubmission) -> FormResult {
    let (page, query) = (form.raw("page"), form.raw("query"));
    let wanted = href(page, query);
    let back = safe_return_path(Persona::Staff, &wanted).unwrap_or("/staff");
    let user = form.sender(Persona::Staff, back).await?;
    if back != wanted {
        return Ok(back.to_owned());
    }
    let view = SavedView {
        page: page.to_owned(),
        name: form.raw("view_name").to_owned(),
        query: query.to_owned(),
    };
    let problem = match form.ctx.saved_views.save(&user.caller, view).await {
        Ok(()) => return Ok(back.to_owned()),
        Err(ErrorCode::ValidationFailed) => {
            "Write a name of at most 40 letters, and no card number; there can be 50 views"
        }
        Err(_) => "It could not be saved. Try again.",
    };
    let draft = FormDraft::invalid_field("view_name", problem);
    form.again(draft, FORM, back).await
}

pub async fn delete_view(form: FormSubmission) -> FormResult {
    let back = form.back(Persona::Staff, "/staff");
    let user = form.sender(Persona::Staff, back).await?;
    // After a failure the page still shows it
    let (page, name) = (form.raw("page"), form.raw("name"));
    let _ = form.ctx.saved_views.delete(&user.caller, page, name).await;
    Ok(back.to_owned())
}
