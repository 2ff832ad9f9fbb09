//! Changes a case: the next status with one click, everything else in a form. A form carries the
//! state its author saw, so that a conflict is reported.

use dewy_domain::{
    caller::Persona,
    email_address::EmailAddress,
    ports::SignedIn,
    tool_catalog::ManageCases,
    tool_output::{CaseListItem, CaseResult},
    vocabulary::CaseStatus,
};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::{Value, json};

use super::{FORM, PAGE, case_rows::next_statuses};
use crate::{
    form_draft::FormDraft,
    form_submission,
    idempotency_token::TokenGenerator,
    page_context::safe_return_path,
    pages::staff::board::{ChangedRecord, QuickAction},
    tool_form::TOKEN,
};

/// Button for the next status; the person who starts the case becomes its assignee, and reads
/// whose it was.
pub fn step_button(
    case: &CaseListItem,
    user: &SignedIn,
    back: &str,
    token_generator: &TokenGenerator,
    big: bool,
) -> AnyView {
    let buttons = next_statuses(&case.case_status).iter().enumerate().map(|(n, (status, words))| {
        let quiet = n > 0 || case.is_closed();
        let of_another = case
            .assignee
            .as_deref()
            .filter(|who| {
                let theirs = EmailAddress::from(*who);
                *status == CaseStatus::InProgress && user.caller.email != theirs
            });
        let (words, label) = match of_another {
            Some(who) => {
                let verb = if case.is_closed() { "Open again and take over" } else { "Take over" };
                // The name before the at sign fits on a phone
                let short = who.split('@').next().unwrap_or(who);
                (format!("{verb} from {short}"), format!("{verb} from {who}"))
            }
            None => ((*words).to_owned(), (*words).to_owned()),
        };
        let id = format!("case-{}-{n}", case.case_number);
        let class = match (quiet, big) {
            (true, _) => "quiet",
            (false, true) => "big-tap",
            (false, false) => "row-act",
        };
        view! {
            <form class="tap" method="post" action=CaseStep::PATH>
                <input type="hidden" name="case_number" value=case.case_number.clone() />
                <input type="hidden" name="status" value=status.to_string() />
                <input type="hidden" name="seen" value=case.case_status.to_string() />
                <input type="hidden" name="back" value=back.to_owned() />
                <input type="hidden" name=TOKEN value=token_generator.token() />
                <button class=class id=id aria-label=format!("{label}: {}", case.subject)>{words}</button>
            </form>
        }
    });
    buttons.collect_view().into_any()
}

/// Path that the case form posts to.
pub fn case_change_path() -> &'static str {
    CaseChange::PATH
}

/// Sets the next status.
#[server(prefix = "/form", endpoint = "case_step")]
pub async fn case_step(
    #[server(default)] case_number: String,
    #[server(default)] status: String,
    #[server(default)] seen: String,
    #[server(default)] back: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = safe_return_path(Persona::Staff, &back).unwrap_or(PAGE);
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, back).await? else {
        return Ok(());
    };
    let mut input = json!({ "case_number": case_number, "status": status });
    if !seen.is_empty() {
        input["shown"] = json!({ "status": seen });
    }
    let closed = CaseStatus::from(&*status) == CaseStatus::Closed;
    if CaseStatus::from(status) == CaseStatus::InProgress {
        input["assignee"] = json!(user.caller.email);
    }
    let draft = FormDraft::default();
    let tap = case_action(input, &case_number, back, draft, idempotency_token);
    tap.send(&ctx, &user, move |_: CaseResult| match closed {
        true => format!("Case {case_number} is closed."),
        false => format!("Case {case_number} is in progress, and yours."),
    })
    .await
}

/// Saves the case form.
#[server(prefix = "/form", endpoint = "case_change")]
pub async fn case_change(
    #[server(default)] case_number: String,
    #[server(default)] comment: String,
    #[server(default)] priority: String,
    #[server(default)] seen_priority: String,
    #[server(default)] assignee: String,
    #[server(default)] seen_assignee: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let plain = case_number.bytes().all(|byte| byte.is_ascii_digit()) && !case_number.is_empty();
    let back = if plain {
        format!("{PAGE}/{case_number}")
    } else {
        PAGE.to_owned()
    };
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, &back).await? else {
        return Ok(());
    };
    let (comment, assignee) = (comment.trim().to_owned(), assignee.trim().to_lowercase());
    let draft = FormDraft::default()
        .field("comment", comment.clone())
        .field("priority", priority.clone())
        .field("assignee", assignee.clone());
    let mut input = json!({ "case_number": case_number });
    if !comment.is_empty() {
        input["comment"] = json!(comment);
    }
    if !priority.is_empty() && priority != seen_priority {
        input["priority"] = json!(priority);
        input["shown"]["priority"] = json!(seen_priority);
    }
    if !assignee.is_empty() && assignee != seen_assignee {
        input["assignee"] = json!(assignee);
        input["shown"]["assignee"] = json!(seen_assignee);
    }
    if input.as_object().is_some_and(|fields| fields.len() < 2) {
        FormDraft::invalid_field(
            "comment",
            "Write something, or choose another priority or assignee",
        )
        .with_fields_of(draft)
        .put_on(&*ctx.authenticator, FORM, &back)
        .await;
        return form_submission::redirect(&back);
    }
    let tap = case_action(input, &case_number, &back, draft, idempotency_token);
    tap.send(&ctx, &user, move |_: CaseResult| {
        format!("Case {case_number} is changed.")
    })
    .await
}

fn case_action(
    input: Value,
    case_number: &str,
    back: &str,
    draft: FormDraft,
    token: String,
) -> QuickAction {
    QuickAction {
        tool: ManageCases::NAME,
        input,
        form: FORM,
        back: back.to_owned(),
        then: String::new(),
        failure_title: format!("Case {case_number} was not changed"),
        draft,
        token,
        record: Some(ChangedRecord::Case(case_number.to_owned())),
    }
}
