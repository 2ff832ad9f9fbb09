//! System status page: which systems are real, their health, and the effect on daily work.

use dewy_domain::ports::{AccessAlarm, Connection, Health, HiddenField, SystemView, WithoutField};

use crate::pages::prelude::*;

pub async fn systems_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let status = &request.ctx.system_status;
    let systems = status.systems(&user.caller).await;
    let manager = user.caller.role == Some(Role::Manager);
    let fault_injection = manager && status.fault_injection(&user.caller).await.is_ok();
    let mode = status.mode().name();
    let installation = status.installation().to_string();
    let cards = systems.into_iter().map(card).collect_view();
    let content = view! {
        <header class="beside">
            <h1>"Outside systems"</h1>
            {fault_injection.then(|| view! { <a class="button quiet" href="/staff/fault-injection">"Fault injection"</a> })}
        </header>
        <p class="lead">"The systems this hotel depends on, and how they have responded in the last hour."</p>
        <ul class="systems">{cards}</ul>
        <dl class="facts">
            <div><dt>"Mode"</dt> <dd>{mode}</dd></div>
            <div><dt>"Installation"</dt> <dd><code>{installation}</code></dd></div>
        </dl>
        <p><a href="/staff/systems">"Refresh"</a></p>
    };
    Ok(PageLayout::new("Outside systems").who(&user).staff(content))
}

/// Icon, label, and effect on the work.
const fn health_labels(health: Health) -> (&'static str, &'static str) {
    match health {
        Health::Quiet => ("skipped", "No recent calls"),
        Health::Good => ("done", "Responding"),
        Health::Slow => ("retrying", "Slow"),
        Health::Down => ("needs_attention", "Down"),
    }
}

/// Visible effect of a failure.
fn effect(system: &SystemView) -> &'static str {
    match (system.name, system.health) {
        ("Twilio", _) if system.connection == Connection::Off => {
            "Guests get no text messages, and no sign-in codes."
        }
        (_, _) if system.connection == Connection::Off => {
            "The concierge is off. Every page works without it."
        }
        ("Salesforce", Health::Down) if refuses(system) => {
            "Salesforce refuses our access. Boards show their latest data. Check-ins and new check-outs are not possible until an operator has fixed it."
        }
        ("Salesforce", _) if hides(system) => {
            "Salesforce hides fields that we need, named below. Pages and acts that need them are not possible until an administrator shows them to our user."
        }
        ("Twilio", Health::Down) if !system.alarms.is_empty() => {
            "Text messages are refused. Sign-in codes go by email where a mail server is set, otherwise nobody gets one. Other texts wait for four hours. An operator has to fix it."
        }
        ("Email", Health::Down) if refuses(system) => {
            "The mail server refuses us: receipts and codes by email wait until an operator has fixed it."
        }
        ("The model", Health::Down) if refuses(system) => {
            "The model's server refuses our calls, so the concierge does not answer. Every page works without it."
        }
        (_, Health::Quiet) => "No recent calls.",
        (_, Health::Good) => "Everything works.",
        ("Salesforce", Health::Slow) => {
            "Check-ins and check-outs take longer. Some are retried automatically."
        }
        ("Salesforce", Health::Down) => {
            "Boards show their latest data. Check-ins and new check-outs are not possible; check-outs already charged are completed or refunded."
        }
        ("Stripe", Health::Slow) => "Payments take longer. Nothing is charged twice.",
        ("Stripe", Health::Down) => {
            "No new payment is taken. Refunds wait and are sent as soon as it answers."
        }
        ("Twilio", Health::Slow | Health::Down) => {
            "Text messages are late. They wait for up to four hours and are sent once each."
        }
        ("Email", Health::Slow | Health::Down) => {
            "Receipts and codes by email are late. Receipts wait and are sent once each."
        }
        (_, Health::Slow) => "The concierge answers slowly.",
        (_, Health::Down) => "The concierge does not answer. Every page works without it.",
    }
}

fn hides(system: &SystemView) -> bool {
    (system.hidden.iter()).any(|field| field.without != WithoutField::Nothing)
}

fn refuses(system: &SystemView) -> bool {
    system.alarms.iter().any(|alarm| alarm.everything)
}

fn card(system: SystemView) -> impl IntoView {
    let (state, word) = health_labels(system.health);
    let effect = effect(&system);
    let id = format!("system-{}", system.name.to_lowercase().replace(' ', "-"));
    let kind = match system.connection {
        Connection::Real => "Connected",
        Connection::Sandbox => "Sandbox",
        Connection::Off => "Not configured",
    };
    let circuit = system.circuit_open_until.map(|until| {
        view! { <p class="notice">"Its last calls all failed, so new work waits. The next try is in " <Until at=until /> "."</p> }
    });
    let alarms = system.alarms.into_iter().map(alarm).collect_view();
    let hidden = (!system.hidden.is_empty()).then(|| hidden_fields(&system.hidden));
    let median = system
        .median
        .map(|median| format!("{} ms", median.as_millis()));
    let last = system
        .last_good
        .map(|at| view! { <Ago at=at /> " ago" }.into_any());
    let error = system
        .last_error
        .map(|(code, at)| view! { <code>{code}</code> ", " <Ago at=at /> " ago" }.into_any());
    let quota = system.quota.map(|(used, limit)| {
        let part = used.saturating_mul(100).checked_div(limit).unwrap_or_default();
        view! { <div><dt>"Daily call limit used"</dt> <dd>{format!("{used} of {limit} ({part}%)")}</dd></div> }
    });
    view! {
        <li class="card" data-health=state aria-labelledby=id.clone()>
            <header class="beside">
                <h2 id=id.clone()>{system.name}</h2>
                <StatusBadge state=state word=word />
                <span class="kind">{kind}</span>
            </header>
            <p>{effect}</p>
            {circuit}
            {alarms}
            {hidden}
            <dl class="facts">
                <div><dt>"Calls in the last hour"</dt> <dd>{system.calls_last_hour.to_string()}</dd></div>
                <div><dt>"Failed calls"</dt> <dd>{system.troubled_last_hour.to_string()}</dd></div>
                <div><dt>"Median response"</dt> <dd>{median.unwrap_or_else(|| "–".to_owned())}</dd></div>
                <div><dt>"Last success"</dt> <dd>{last.unwrap_or_else(|| view! { "–" }.into_any())}</dd></div>
                <div><dt>"Last error"</dt> <dd>{error.unwrap_or_else(|| view! { "–" }.into_any())}</dd></div>
                {quota}
            </dl>
        </li>
    }
}

/// Alarm that only an operator can resolve.
fn alarm(alarm: AccessAlarm) -> impl IntoView {
    let what = match alarm.code.as_str() {
        "stripe_key_refused" => {
            "Stripe does not accept our key: it was revoked or has expired, or is of the other mode. Nothing is charged or refunded until an operator sets a good STRIPE_SECRET_KEY."
        }
        "stripe_other_account" => {
            "The key opens another Stripe account than the one our payments are on. Nothing is charged, refunded or looked up until an operator sets a key of that account as STRIPE_SECRET_KEY. The log names both, and how to move to the other one on purpose."
        }
        "stripe_permission_missing" => {
            "Our key lacks a permission. An operator has to give it that permission in Stripe's dashboard."
        }
        "salesforce_field_hidden" => {
            "Salesforce hides a field that we need. An administrator has to let our user read it (field-level security)."
        }
        "smtp_sender_refused" => {
            "The mail server does not send for our sender. An operator has to set another SMTP_FROM, or have the server allow it."
        }
        _ if alarm.everything => "Our access is refused. An operator has to fix it.",
        code if code.starts_with("twilio_") => {
            "Twilio or the carriers refuse our sender. An operator has to fix TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID, or register the sender in Twilio's console."
        }
        _ => "Our access is refused for one kind of call. An operator has to fix it.",
    };
    let said = alarm.message.map(|said| view! { " “" {said} "”" });
    view! {
        <p class="notice" role="alert">
            {what} {said} " " <code>{alarm.code}</code> " (" <code>{alarm.operation}</code> "), for " <Ago at=alarm.since /> "."
        </p>
    }
}

/// Fields that our user does not see, or may not write.
fn hidden_fields(hidden: &[HiddenField]) -> AnyView {
    let item = |field: &HiddenField| {
        let name = format!("{}.{}", field.object, field.field);
        let what = match (field.read_only, field.without) {
            (false, WithoutField::Nothing) => "hidden from our user, and left out",
            (false, WithoutField::Acts) => {
                "hidden from our user, and left out of pages; what sets it or looks for it is not possible"
            }
            (false, WithoutField::Everything) => {
                "hidden from our user; what needs it is not possible"
            }
            (true, WithoutField::Nothing) => {
                "not writable by our user, and left out of what we write"
            }
            (true, _) => "not writable by our user; what sets it is not possible",
        };
        view! { <li><code>{name}</code> ": " {what}</li> }
    };
    view! {
        <div class="notice">
            <p>"Salesforce keeps fields from our user. An administrator can show them again (field-level security); "<code>"dewy check"</code>" lists them too."</p>
            <ul>{hidden.iter().map(item).collect_view()}</ul>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_of_every_system_has_an_explanation() {
        for (name, connection) in [
            ("Salesforce", Connection::Real),
            ("Stripe", Connection::Real),
            ("Twilio", Connection::Sandbox),
            ("The model", Connection::Off),
            ("Email", Connection::Real),
        ] {
            for health in [Health::Quiet, Health::Good, Health::Slow, Health::Down] {
                let system = SystemView {
                    name,
                    connection,
                    health,
                    circuit_open_until: None,
                    calls_last_hour: 0,
                    troubled_last_hour: 0,
                    median: None,
                    last_good: None,
                    last_error: None,
                    alarms: Vec::new(),
                    hidden: Vec::new(),
                    quota: None,
                };
                assert!(effect(&system).ends_with('.'), "{name} {health:?}");
            }
        }
    }
}
