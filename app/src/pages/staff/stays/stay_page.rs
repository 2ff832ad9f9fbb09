//! Stay page: header, folio, cases and executions.

use dewy_domain::{
    execution_view::ExecutionListItem,
    stay::LineKind,
    tool_catalog::{GetFolio, SearchExecutions, UNDO_CHECK_IN_WINDOW},
    tool_output::{CaseListItem, FolioLine},
    vocabulary::LineStatus,
};

use super::{
    FORM,
    find_booking::FoundBooking,
    notes::notes,
    stay_header::{acts, head},
};
use crate::pages::{
    card_name::card_of,
    guest::bill,
    prelude::*,
    staff::{
        board::{Notice, case_subject, notice, return_url, subscribe},
        cases,
        charges::void_button,
        guest_phone::GuestPhone,
        require_front_desk::require_front_desk,
        staff_reads::read_tool,
    },
};

/// Titles of the executions that check in: the tool's, and a walk-in's.
const CHECK_INS: [&str; 2] = ["Check in", "Book and check in"];

pub async fn stay_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let flash_notice = Notice::take(&request, FORM).await;
    let found = FoundBooking::of(&request, &user).await?;
    let number = found.booking.booking_number.clone();
    // Each reads a different system
    let (folio, cases, runs, notes) = futures::join!(
        folio(&request, &user, &found),
        cases(&request, &user, &found),
        runs(&request, &user, &found),
        notes(&request, &user, &number, None)
    );
    let (folio, cases, runs) = (folio?, cases?, runs?);
    let undoable = just_checked_in(&runs, &found);
    let runs = what_was_done(runs);
    let number = found
        .guest
        .as_ref()
        .and_then(|guest| guest.phone.as_deref());
    let phone = GuestPhone::of(&request.ctx, number).await;
    let title = found.name();
    let content = view! {
        <p class="crumbs"><a href="/staff">"Today"</a></p>
        {notice(flash_notice)}
        <h1>{title.clone()}</h1>
        <div data-region="head">{head(&found, phone.as_ref())}</div>
        <div data-region="acts">{acts(&found, undoable, &request.ctx.token_generator)}</div>
        <div class="two-sides stay-sides">
            {section("folio", "Folio", view! { <div data-region="folio">{folio}</div> })}
            <div>
                {section("cases", "Cases", view! { <div data-region="cases">{cases}</div> })}
                {section("runs", "What was done", view! { <div data-region="runs">{runs}</div> })}
                {section("notes", "Notes", notes)}
            </div>
        </div>
    };
    Ok(PageLayout::new(&title)
        .who(&user)
        .follows(subscribe(&found.snapshot))
        .staff(content))
}

async fn folio(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
) -> Result<AnyView, PageError> {
    let number = found.booking.booking_number.clone();
    let input = json!({ "booking_number": number });
    let folio = match read_tool::<GetFolio>(&request.ctx, user, input, &return_url(request)).await?
    {
        Ok(folio) => folio,
        Err(draft) => return Ok(view! { <p class="notice">{draft.message}</p> }.into_any()),
    };
    let open = folio.booking_status == BookingStatus::CheckedIn;
    let act = move |line: &FolioLine| {
        let charge = Some(line.number.as_str()).filter(|charge| !charge.is_empty())?;
        let standing = line.kind == LineKind::Charge && line.status == LineStatus::Pending;
        (open && standing).then(|| void_button(&number, charge))
    };
    let figure = folio.balance.map(|balance| {
        let sum = labels::money(Cents(balance.0.saturating_abs()), folio.currency);
        match balance.0 {
            ..0 => view! { "Overpaid by " <strong>{sum}</strong> }.into_any(),
            _ => view! { <strong>{sum}</strong> " to pay" }.into_any(),
        }
    });
    let held = folio.holds.iter().map(|hold| {
        let sum = labels::money(hold.amount, folio.currency);
        let card = (hold.card_brand.as_deref()).zip(hold.card_last4.as_deref());
        let card = card.map(|(brand, last4)| format!(" on {}", card_of(brand, last4)));
        let until = hold
            .expires_at
            .map(|at| view! { ", until " <Timestamp at=at /> });
        view! { <p class="aside">{sum} " reserved" {card} {until} "."</p> }
    });
    let shared = (!folio.shares_bill_with.is_empty()).then(|| {
        let others = folio.shares_bill_with.iter().map(|number| number.as_str());
        let others = others.collect::<Vec<_>>().join(" and ");
        view! { <p class="aside">"The sum is for this stay and " {others} ", which share one bill."</p> }
    });
    Ok(view! {
        {figure.map(|figure| view! { <p class="figure">{figure}</p> })}
        {shared}
        {held.collect_view()}
        {bill(&folio, act)}
        <p class="aside">"No tax is computed."</p>
    }
    .into_any())
}

async fn cases(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
) -> Result<AnyView, PageError> {
    let mut input = json!({ "status_filter": "All" });
    // Without an email, what is filed with the booking is in its room
    let (by, value) = match found.email() {
        email if email.is_empty() => ("room_number", found.room_number().to_owned()),
        email => ("guest_email", email),
    };
    let of_guest = by == "guest_email";
    if !value.is_empty() {
        input[by] = json!(value);
    }
    let list = cases::cases(&request.ctx, user, input, &return_url(request))
        .await?
        .unwrap_or_default();
    let number = Some(found.booking.booking_number.as_str());
    // Items without a booking appear with each of the guest's stays
    let of_it = |case: &CaseListItem| {
        (of_guest && case.booking_number.is_none()) || case.booking_number.as_deref() == number
    };
    let items = list.rows.into_iter().filter(of_it).map(|case| {
        let state = if case.is_closed() {
            "over"
        } else {
            cases::priority_state(&case.priority)
        };
        view! {
            <li>
                <StatusBadge state=state word=case.case_status.to_string() />
                <a href=page_url::case(&case.case_number)>{case_subject(&case.subject)}</a>
                <span class="when"><Ago at=case.created_at /></span>
            </li>
        }
    });
    Ok(rows("rows", items, "No requests during this stay."))
}

/// Whether a check-in is recent enough to be undone; the tool decides whether it still can be.
fn just_checked_in(runs: &[ExecutionListItem], found: &FoundBooking) -> bool {
    let check_in = |run: &&ExecutionListItem| {
        CHECK_INS.contains(&run.title.as_str()) && run.state == ExecutionState::Completed
    };
    let last = runs.iter().find(check_in);
    let since = hotel_time::now().map(|now| now - UNDO_CHECK_IN_WINDOW);
    // After a move to another room it can't be undone any more
    last.zip(since).is_some_and(|(last, since)| {
        last.created_at > since && last.room_number == found.booking.room_number
    })
}

/// What was done with the stay, newest first.
async fn runs(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
) -> Result<Vec<ExecutionListItem>, PageError> {
    let input = json!({ "booking_number": found.booking.booking_number, "limit": 20 });
    let list =
        read_tool::<SearchExecutions>(&request.ctx, user, input, &return_url(request)).await?;
    Ok(list.unwrap_or_default().rows)
}

fn what_was_done(runs: Vec<ExecutionListItem>) -> AnyView {
    let items = runs.into_iter().map(|item| {
        view! {
            <li>
                <StatusBadge state=item.state.clone() word=labels::state(&item.state) />
                <a href=format!("/staff/executions/{}", item.execution_id)>{item.title}</a>
                <span class="when"><Ago at=item.created_at /></span>
            </li>
        }
    });
    rows("rows", items, "No activity yet.")
}
