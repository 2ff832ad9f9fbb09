//! Every journal row on one scale of time: requests with what was sent and answered, waits, and who
//! held the lease.

use dewy_domain::{
    evidence::EvidenceRequest,
    execution_view::{EventView, SettledView},
    vocabulary::StepState,
};

use jiff::Timestamp;

use crate::{components::lasted, pages::prelude::*};

/// Width of the scale.
const WIDTH: i64 = 1000;
/// Width of what took no time.
const LEAST: i64 = 6;

/// A request with its outcomes, or another row.
struct Entry<'a> {
    event: &'a EventView,
    outcomes: Vec<&'a EventView>,
}

impl Entry<'_> {
    fn state(&self) -> Option<&StepState> {
        let last = self.outcomes.last().copied().unwrap_or(self.event);
        last.settled.as_ref().map(|settled| &settled.state)
    }

    fn is_request(&self) -> bool {
        self.event.detail["event"] == "intended"
    }

    fn end(&self) -> Option<Timestamp> {
        match self.outcomes.last() {
            Some(last) => Some(last.at),
            None => (!self.is_request()).then_some(self.event.at),
        }
    }
}

/// Rows by time; outcomes are with their requests.
fn entries(timeline: &[EventView]) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for event in timeline {
        let request = event.settled.as_ref().and_then(|settled| settled.request);
        match entries
            .iter_mut()
            .find(|entry| Some(entry.event.seq) == request)
        {
            Some(entry) => entry.outcomes.push(event),
            None => entries.push(Entry {
                event,
                outcomes: Vec::new(),
            }),
        }
    }
    entries
}

/// From the first row to the last, the present, or the next try.
struct Scale {
    from: Timestamp,
    to: Timestamp,
}

impl Scale {
    fn of(view: &ExecutionView) -> Option<Self> {
        // Rechecks after the end would leave no room for the rest
        let rows = view.timeline.iter();
        let last = rows
            .filter(|row| row.detail["event"] != "watched")
            .map(|row| row.at)
            .max();
        let open = (!view.at_rest).then(|| hotel_time::now().max(view.next_try_at));
        Some(Self {
            from: view.timeline.first()?.at,
            to: last.max(open.flatten())?,
        })
    }

    fn x(&self, at: Timestamp) -> i64 {
        let whole = (self.to.as_microsecond() - self.from.as_microsecond()).max(1);
        (at.as_microsecond() - self.from.as_microsecond()).clamp(0, whole) * WIDTH / whole
    }

    /// The table says the same in words.
    fn bar(&self, from: Timestamp, to: Timestamp, state: Option<&StepState>) -> Option<AnyView> {
        let left = self.x(from).min(WIDTH - LEAST);
        let width = (self.x(to) - left).max(LEAST);
        (from <= self.to).then(|| {
            view! {
                <svg class="span" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect x=left.to_string() y="0" width=width.to_string() height="10" data-state=state.map(ToString::to_string) />
                </svg>
            }
            .into_any()
        })
    }
}

/// The table, folded; `requests`: as they were sent, for readers who may see them.
pub fn waterfall(view: &ExecutionView, requests: &[EvidenceRequest]) -> AnyView {
    let Some(scale) = Scale::of(view) else {
        return ().into_any();
    };
    let entries = entries(&view.timeline);
    let sent = entries.iter().filter(|entry| entry.is_request()).count();
    let sent = match sent {
        0 => "no request".to_owned(),
        1 => "1 request".to_owned(),
        n => format!("{n} requests"),
    };
    let took = lasted(scale.from, scale.to);
    let open = view.state != ExecutionState::Completed;
    let rows = entries.iter().map(|entry| {
        let request = requests.iter().find(|one| one.seq == entry.event.seq);
        row(entry, request, &scale, view)
    });
    let rows = rows.collect_view();
    let next = view.next_try_at.filter(|_| !view.at_rest);
    let next = next.map(|at| {
        view! {
            <tr>
                <td data-label="After">{after(&scale, at)}</td>
                <td data-label="What">"Next try in " <Until at=at /></td>
                <td data-label="Took"></td>
                <td data-label="To scale">{scale.bar(at, at, Some(&StepState::Waiting))}</td>
            </tr>
        }
    });
    view! {
        <details class="raw" id="journal" open=open>
            <summary>"Timeline, " {sent} " in " {took}</summary>
            <ListTable heads=&["After", "What", "Took", "To scale"] num=&["Took"] class="waterfall" label="Timeline">
                {rows} {next}
            </ListTable>
        </details>
    }
    .into_any()
}

fn row(
    entry: &Entry<'_>,
    request: Option<&EvidenceRequest>,
    scale: &Scale,
    view: &ExecutionView,
) -> AnyView {
    let event = entry.event;
    let outcomes = entry.outcomes.iter().copied();
    let own = event.settled.as_ref().map(|settled| (event, settled));
    let outcomes = outcomes.filter_map(|event| Some((event, event.settled.as_ref()?)));
    let outcomes = own.into_iter().chain(outcomes).map(|(event, settled)| {
        let taken = (event.seq != entry.event.seq).then(|| holder(view, event));
        view! { <li>{outcome(settled)} {taken.flatten()}</li> }
    });
    let outcomes = outcomes.collect_view();
    let end = entry.end();
    let took = match end {
        Some(end) if entry.is_request() => lasted(event.at, end),
        None => "not answered yet".to_owned(),
        Some(_) => String::new(),
    };
    view! {
        <tr data-state=entry.state().map(ToString::to_string)>
            <td data-label="After">{after(scale, event.at)}</td>
            <td data-label="What">
                <details id=format!("row-{}", event.seq)>
                    <summary>{event.title.clone()}</summary>
                    {sent_and_answered(entry, request)}
                </details>
                <ul>{outcomes}</ul>
                {holder(view, event)}
            </td>
            <td data-label="Took" class="num">{took}</td>
            <td data-label="To scale">{scale.bar(event.at, end.unwrap_or(scale.to), entry.state())}</td>
        </tr>
    }
    .into_any()
}

/// Outcome, error, and Stripe's id of the request.
fn outcome(settled: &SettledView) -> AnyView {
    let error = (!settled.error.is_empty()).then(|| format!(": {}", settled.error));
    let id = settled.request_id.clone();
    let id = id.map(|id| view! { " " <code class="id">{id}</code> });
    view! { {settled.outcome.clone()} {error} {id} }.into_any()
}

/// The worker, where the lease changed hands.
fn holder(view: &ExecutionView, event: &EventView) -> Option<AnyView> {
    // The caller appends the first row
    let before = view.timeline.iter().skip(1);
    let before = before.take_while(|row| row.seq < event.seq).last();
    let before = before.map(|row| &row.by);
    (event.seq > 1 && before != Some(&event.by)).then(|| {
        let what = if before.is_none() {
            "Lease: "
        } else {
            "Lease taken by "
        };
        view! { <small>{what} <code class="id">{event.by.clone()}</code></small> }.into_any()
    })
}

/// What was sent and answered, as it is in the journal without secrets.
fn sent_and_answered(entry: &Entry<'_>, request: Option<&EvidenceRequest>) -> AnyView {
    let sent = match request {
        Some(request) => {
            let key = request.key.clone();
            let key = key.map(|key| view! { <p>"Key " <code class="id">{key}</code></p> });
            let line = format!("{} {} {}", request.system, request.method, request.path);
            view! { <p><code class="id">{line}</code></p> {key} <pre tabindex="0">{request.body.clone()}</pre> }
                .into_any()
        }
        None => pre(&entry.event.detail),
    };
    let answers = entry.outcomes.iter();
    let answers = answers.map(|event| view! { <p><Timestamp at=event.at brief=true /></p> {pre(&event.detail["outcome"])} });
    view! { {sent} {answers.collect_view()} }.into_any()
}

fn pre(value: &Value) -> AnyView {
    view! { <pre tabindex="0">{pretty(value)}</pre> }.into_any()
}

pub fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

fn after(scale: &Scale, at: Timestamp) -> AnyView {
    let title = moment(&HotelClock::here(), at);
    let text = format!("+{}", lasted(scale.from, at));
    view! { <time datetime=at.to_string() title=title>{text}</time> }.into_any()
}
