//! The stay at a glance, with what is next as one big button.

use dewy_domain::{caller::Persona, error_code::ErrorCode, ports::SignedIn, view::Errand};
use leptos::prelude::*;

use super::{
    as_of::AsOf,
    chips::{Chip, chips},
    errand_words,
    folio::{Asked, Folio, ask},
    next::Next,
    own_stay::{OwnStay, nights},
    read::stop,
    request_list::{OwnRequest, open_requests},
};
use crate::{
    clock,
    components::Pill,
    flash::Flash,
    gate::Gate,
    layout::Sheet,
    page::{Stop, Trouble, Visit, page},
    words,
};

/// So many of the latest executions are looked through for what is under way or just over.
const ERRANDS: usize = 20;

/// Where a guest comes to. At most three calls of the booking system: bookings beside requests, then the one folio.
#[component]
pub fn HomePage() -> impl IntoView {
    let (now, today) = (clock::now(), clock::today());
    page(move |visit: Visit| async move {
        let who = visit.gate.admit(Persona::Guest, &visit.here).await?;
        let (Some(now), Some(today)) = (now, today) else {
            return Err(Trouble::of(ErrorCode::Internal, Persona::Guest, &visit.here).into());
        };
        let (stays, requests, errands, flash) = futures::join!(
            OwnStay::all(&visit.gate, &who),
            open_requests(&visit.gate, &who),
            visit.gate.watch.errands(&who.caller, ERRANDS),
            Flash::take(&*visit.gate.doorman)
        );
        let stays = stays.map_err(|no| stop(no, &visit.here))?;
        let next = Next::of(&stays, &errands, visit.asked("booking"), today, now);
        let folio = folio(&visit.gate, &who, &next, &visit.here).await?;
        let content = view! {
            <h1>{greeting(&who)}</h1>
            {under_way(&errands)}
            {card(&next, folio)}
            // A list that cannot be read must not hide the stay
            {below(&next, requests.unwrap_or_default())}
            <AsOf />
        };
        Ok(Sheet::new("Your stay").who(&who).flash(flash).guest(content))
    })
}

async fn folio(gate: &Gate, who: &SignedIn, next: &Next, here: &str) -> Result<Option<Folio>, Stop> {
    if !next.owes() {
        return Ok(None);
    }
    Ok(match ask(gate, who, next.booking(), here).await? {
        Asked::One(folio) => Some(*folio),
        Asked::Several(_) | Asked::None => None,
    })
}

fn greeting(who: &SignedIn) -> String {
    if who.first_name.is_empty() { "Welcome".to_owned() } else { format!("Welcome, {}", who.first_name) }
}

/// What goes on, and what a person has to look at.
fn under_way(errands: &[Errand]) -> AnyView {
    let open = |errand: &&Errand| !errand.at_rest || errand.state == "needs_attention";
    let items = errands.iter().filter(open).take(3).map(|errand| {
        let href = format!("/guest/execution/{}", errand.execution_id);
        view! {
            <li>
                <Pill state=errand.state.clone() word=words::state_for_guest(&errand.state) />
                <a href=href>{errand_words::title(&errand.tool)}</a>
            </li>
        }
    });
    let items: Vec<_> = items.collect();
    if items.is_empty() {
        return ().into_any();
    }
    view! { <ul class="under-way">{items}</ul> }.into_any()
}

fn card(next: &Next, folio: Option<Folio>) -> AnyView {
    match next {
        Next::Which(stays) => which(stays),
        Next::Leave(stay) => inside(stay, folio, true),
        Next::Enjoy(stay) => inside(stay, folio, false),
        Next::Arrive(stay) => arriving(stay),
        Next::Wait(stay, days) => ahead(stay, *days),
        Next::Left(stay, errand) => left(stay.as_ref(), errand),
        Next::Nothing => nothing(),
    }
}

/// One card: what stay, what is to be said, what to do.
fn stay_card(title: String, stay: Option<&OwnStay>, content: AnyView) -> AnyView {
    let dates = stay.map(|stay| {
        let length = nights(stay.nights());
        view! { <p class="dates">{stay.days()} <span class="whole">" · " {length}</span></p> }
    });
    let about = stay.map(|stay| {
        let what = Some(stay.what()).filter(|what| !what.is_empty()).map(|what| format!(" · {what}"));
        view! { <p class="aside">"Booking " {stay.booking_number.clone()} {what}</p> }
    });
    view! {
        <section class="card stay" aria-labelledby="stay">
            <h2 id="stay">{title}</h2>
            {dates}
            {content}
            {about}
        </section>
    }
    .into_any()
}

fn inside(stay: &OwnStay, folio: Option<Folio>, leaving: bool) -> AnyView {
    let query = format!("?booking={}", stay.booking_number);
    let (bill, check_out) = (format!("/guest/folio{query}"), format!("/guest/check-out{query}"));
    let balance = folio.map_or_else(
        || view! { <p>"Your bill is at our front desk."</p> }.into_any(),
        |folio| {
            let balance = words::money(folio.balance, folio.currency);
            view! { <p class="balance"><span>"Your bill"</span> <strong>{balance}</strong></p> }.into_any()
        },
    );
    let content = if leaving {
        view! {
            <p>"Today is the day you leave. Check out here whenever you are ready, without a queue."</p>
            {balance}
            <p class="actions stacked">
                <a class="button wide" href=check_out>"Check out"</a>
                <a href=bill>"See your bill first"</a>
            </p>
        }
        .into_any()
    } else {
        view! {
            <p>"You are checked in. There is nothing you need to do."</p>
            {balance}
            <p class="actions stacked">
                <a class="button wide" href=bill>"See your bill"</a>
                <a href=check_out>"Check out early"</a>
            </p>
        }
        .into_any()
    };
    stay_card(stay.room(), Some(stay), content)
}

fn arriving(stay: &OwnStay) -> AnyView {
    let href = format!("/guest/check-in?booking={}", stay.booking_number);
    let content = if stay.room_ready == Some(false) {
        view! {
            <p class="standing"><Pill state="waiting" word="We are preparing your room" /></p>
            <p>"It is not ready yet. You can look over your check-in meanwhile; we say at once whether it went through."</p>
        }
        .into_any()
    } else {
        view! {
            <p class="standing"><Pill state="completed" word="Your room is ready" /></p>
            <p>"Check in here and go straight to your room."</p>
        }
        .into_any()
    };
    let content = view! {
        {content}
        <p class="actions stacked">
            <a class="button wide" href=href>"Check in"</a>
        </p>
    };
    stay_card("You arrive today".to_owned(), Some(stay), content.into_any())
}

fn ahead(stay: &OwnStay, days: i32) -> AnyView {
    let title = if days == 1 { "You arrive tomorrow".to_owned() } else { format!("You arrive in {days} days") };
    let href = format!("/guest/bookings/{}/change", stay.booking_number);
    let content = view! {
        <p>"We look forward to having you. Check-in opens here on the day you arrive."</p>
        <p class="actions stacked">
            <a class="button wide" href=href>"Change this booking"</a>
        </p>
    };
    stay_card(title, Some(stay), content.into_any())
}

fn left(stay: Option<&OwnStay>, errand: &Errand) -> AnyView {
    let href = format!("/guest/receipt/{}", errand.execution_id);
    let content = view! {
        <p>"Everything is settled. Thank you for staying with us; safe travels."</p>
        <p class="actions stacked">
            <a class="button wide" href=href>"See your receipt"</a>
            <a href="/guest/book">"Book another stay"</a>
        </p>
    };
    stay_card("You are checked out".to_owned(), stay, content.into_any())
}

fn nothing() -> AnyView {
    let content = view! {
        <p>"When you have booked a room, your stay is here: your room, your bill, and what is next."</p>
        <p class="actions stacked">
            <a class="button wide" href="/guest/book">"Find a room"</a>
            <a href="/guest/bookings">"See your earlier stays"</a>
        </p>
    };
    stay_card("Nothing is booked".to_owned(), None, content.into_any())
}

fn which(stays: &[OwnStay]) -> AnyView {
    let items = stays.iter().map(|stay| {
        view! {
            <li>
                <a href=format!("/guest?booking={}", stay.booking_number)>
                    <strong>{stay.room()}</strong>
                    <span>{stay.days()}</span>
                </a>
            </li>
        }
    });
    view! {
        <p class="lead">"You have more than one stay with us right now. Which one is it about?"</p>
        <ul class="choices">{items.collect_view()}</ul>
    }
    .into_any()
}

/// What else they may want now, and what is open.
fn below(next: &Next, requests: Vec<OwnRequest>) -> AnyView {
    let wishes = match next {
        Next::Enjoy(stay) => vec![
            Chip::ask("towels"),
            Chip::ask("broken"),
            Chip::ask("food"),
            Chip::to(format!("/guest/bookings/{}/change", stay.booking_number), "Stay longer"),
        ],
        Next::Leave(stay) => vec![
            Chip::ask("late"),
            Chip::ask("taxi"),
            Chip::ask("luggage"),
            Chip::to(format!("/guest/bookings/{}/change", stay.booking_number), "Stay longer"),
        ],
        Next::Arrive(stay) | Next::Wait(stay, _) => vec![
            Chip::ask("wish"),
            Chip::ask("taxi"),
            Chip::to(format!("/guest/bookings/{}/cancel", stay.booking_number), "Cancel this booking"),
        ],
        Next::Left(..) => vec![Chip::ask("lost"), Chip::ask("question")],
        Next::Which(_) => vec![Chip::ask("towels"), Chip::ask("broken")],
        Next::Nothing => Vec::new(),
    };
    let chips = (!wishes.is_empty()).then(|| {
        view! {
            <section aria-labelledby="wishes">
                <h2 id="wishes">"Anything we can do?"</h2>
                {chips(wishes, None)}
            </section>
        }
    });
    let open = (!requests.is_empty()).then(|| {
        let items = requests.iter().take(3).map(OwnRequest::line).collect_view();
        let all = match requests.len() {
            1 => "1 open request".to_owned(),
            n => format!("{n} open requests"),
        };
        view! {
            <section aria-labelledby="open">
                <h2 id="open">"What you have asked for"</h2>
                <ul class="requests">{items}</ul>
                <p class="more"><a href="/guest/requests">{all}</a></p>
            </section>
        }
    });
    view! { {open} {chips} }.into_any()
}
