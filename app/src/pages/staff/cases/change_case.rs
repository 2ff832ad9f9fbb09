//! Changes a case: the next status with one click, everything else in a form. A form carries the
//! state its author saw, so that a conflict is reported.

use dewy_domain::{
    email_address::EmailAddress, tool_catalog::ManageCases, tool_output::CaseListItem,
    vocabulary::CaseStatus,
};

use super::{FORM, PAGE, case_rows::next_statuses};
use crate::pages::{
    prelude::*,
    staff::board::{ChangedRecord, QuickAction, case_subject},
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
    let buttons =
        next_statuses(&case.case_status)
            .iter()
            .enumerate()
            .map(|(n, (status, words))| {
                let quiet = n > 0 || case.is_closed();
                let of_another = case.assignee.as_deref().filter(|who| {
                    let theirs = EmailAddress::from(*who);
                    *status == CaseStatus::InProgress && user.caller.email != theirs
                });
                let (words, label) = match of_another {
                    Some(who) => {
                        let verb = if case.is_closed() {
                            "Open again and take over"
                        } else {
                            "Take over"
                        };
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
                let label = format!("{label}: {}", case_subject(&case.subject));
                let fields = [
                    ("case_number", case.case_number.clone()),
                    ("status", status.to_string()),
                    ("seen", case.case_status.to_string()),
                    ("back", back.to_owned()),
                    (TOKEN, token_generator.token()),
                ];
                let button = view! { <button class=class id=id aria-label=label>{words}</button> };
                tap("/form/case_step", fields, button)
            });
    buttons.collect_view().into_any()
}

pub async fn case_step(form: FormSubmission) -> FormResult {
    let back = form.back(Persona::Staff, PAGE);
    let user = form.sender(Persona::Staff, back).await?;
    let number = form.raw("case_number").to_owned();
    let status = CaseStatus::from(form.raw("status"));
    let mut input = json!({ "case_number": number, "status": form.raw("status") });
    if !form.raw("seen").is_empty() {
        input["shown"] = json!({ "status": form.raw("seen") });
    }
    let closed = status == CaseStatus::Closed;
    if status == CaseStatus::InProgress {
        input["assignee"] = json!(user.caller.email);
    }
    let action = change_action(input, &number, back, FormDraft::default());
    action
        .send(&form, &user, move |_| match closed {
            true => format!("Case {number} is closed."),
            false => format!("Case {number} is in progress, and yours."),
        })
        .await
}

pub async fn case_change(form: FormSubmission) -> FormResult {
    let number = form.raw("case_number").to_owned();
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty();
    let back = match plain {
        true => format!("{PAGE}/{number}"),
        false => PAGE.to_owned(),
    };
    let user = form.sender(Persona::Staff, &back).await?;
    let assignee = form.get("assignee").to_lowercase();
    let draft = form.draft(&["comment", "priority"]);
    let draft = draft.field("assignee", assignee.clone());
    let mut input = form.input(&["case_number", "comment"]);
    for (name, now, before) in [
        ("priority", form.raw("priority"), form.raw("seen_priority")),
        ("assignee", &assignee, form.raw("seen_assignee")),
    ] {
        if !now.is_empty() && now != before {
            input[name] = json!(now);
            input["shown"][name] = json!(before);
        }
    }
    if input.as_object().is_some_and(|fields| fields.len() < 2) {
        let words = "Write something, or choose another priority or assignee";
        let draft = FormDraft::invalid_field("comment", words).with_fields_of(draft);
        return form.invalid(draft, FORM, &back).await;
    }
    let action = change_action(input, &number, &back, draft);
    action
        .send(&form, &user, move |_| format!("Case {number} is changed."))
        .await
}

fn change_action(
    input: Value,
    case_number: &str,
    back: &str,
    draft: FormDraft,
) -> QuickAction<ManageCases> {
    QuickAction::<ManageCases>::new(FORM, back, format!("Case {case_number} was not changed"))
        .input(input)
        .draft(draft)
        .record(ChangedRecord::Case(case_number.to_owned()))
}
