//! Who looks after an execution, and what colleagues wrote about its stay.

use dewy_domain::execution_view::RecordOwner;

use crate::pages::{prelude::*, staff::stays::notes::notes};

/// Owner and notes, for the front desk.
pub async fn ownership(request: &PageRequest, user: &SignedIn, view: &ExecutionView) -> AnyView {
    if !user.caller.is_front_desk() {
        return ().into_any();
    }
    let feed = &request.ctx.execution_feed;
    let owner = feed.record_owner(&user.caller, &view.execution_id).await;
    // Where nothing went wrong, nobody has to look after it
    let trouble = view.state == ExecutionState::NeedsAttention || !view.back.is_empty();
    if !trouble && owner.is_none() {
        return ().into_any();
    }
    let notes = match &view.booking_number {
        Some(number) => {
            let notes = notes(request, user, number, Some(&view.execution_id)).await;
            view! { <h2 id="notes">"Notes about the stay"</h2> {notes} }.into_any()
        }
        None => ().into_any(),
    };
    view! {
        <section class="ownership" aria-labelledby="owner">
            <h2 id="owner">"Who looks after it"</h2>
            <div data-region="owner">{owner_line(view, user, owner)}</div>
            {notes}
        </section>
    }
    .into_any()
}

fn owner_line(view: &ExecutionView, user: &SignedIn, known: Option<RecordOwner>) -> AnyView {
    let owner = known.as_ref().and_then(|known| known.owner.clone());
    let mine = owner.as_deref() == Some(user.caller.email.as_str());
    let words = match owner {
        Some(owner) => view! { <strong>{owner}</strong> }.into_any(),
        None => "Nobody yet.".into_any(),
    };
    let seen = known.map(|known| {
        view! { <p class="aside">"Acknowledged by " {known.acknowledged_by} ", " <Timestamp at=known.acknowledged_at /></p> }
    });
    let (own, label) = match mine {
        true => ("no", "Hand it back"),
        false => ("yes", "Take it on"),
    };
    let act = (!user.caller.read_only).then(|| {
        view! {
            <form method="post" action="/form/own_record">
                {hidden([("execution_id", view.execution_id.clone()), ("own", own.to_owned())])}
                <button class="quiet">{label}</button>
            </form>
        }
    });
    view! { <p>{words}</p> {seen} {act} }.into_any()
}

pub async fn own_record(form: FormSubmission) -> FormResult {
    let id = form.raw("execution_id");
    let page = page_url::execution(id);
    let user = form.sender(Persona::Staff, &page).await?;
    let own = form.raw("own") == "yes";
    let feed = &form.ctx.execution_feed;
    let words = match (feed.own_record(&user.caller, id, own).await, own) {
        (true, true) => "You look after it now.",
        (true, false) => "Nobody looks after it now.",
        (false, _) => "That was not changed. Please try again in a moment.",
    };
    Flash::new(words).put(&*form.ctx.authenticator).await;
    Ok(page)
}
