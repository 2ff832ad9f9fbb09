//! Paths of all forms.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, PoisonError},
};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderValue, Response, StatusCode, header},
};
use leptos::{prelude::*, reactive::computed::ScopedFuture};
use leptos_axum::ResponseOptions;

use crate::{
    attention_summary,
    form_submission::{FormResult, FormSubmission},
    language::t,
    page_context::PageContext,
    pages::{account, concierge::form_handlers as concierge, enter_demo, guest, staff},
    preferences, sign_out,
};

/// Form, and the path it is posted to.
#[derive(Clone)]
pub struct FormRoute {
    /// Path: `/form/check_out`.
    pub path: &'static str,
    /// Fields without which it is incomplete.
    needs: &'static [&'static str],
    handler: FormHandler,
}

type FormHandler =
    Arc<dyn Fn(FormSubmission) -> Pin<Box<dyn Future<Output = FormResult> + Send>> + Send + Sync>;

/// Every form. Each is one function, which leads to a page.
pub fn form_routes() -> Vec<FormRoute> {
    use concierge::{ConversationAction::*, act};
    use staff::{fault_injection::form_handlers as faults, tokens::form_handlers as tokens};
    vec![
        form("/form/look", preferences::look),
        form("/form/sign_out", sign_out::sign_out),
        form("/form/enter_demo", enter_demo::enter_demo).needing(&["email", "scene"]),
        form("/form/remove_card", account::remove_card),
        form("/form/revoke", account::revoke),
        form("/form/revoke_others", account::revoke_others),
        form("/form/concierge_handled", attention_summary::mark_handled),
        form("/form/concierge_say", concierge::say),
        form("/form/concierge_decide", concierge::decide),
        form("/form/concierge_stop", |form| act(form, Stop)),
        form("/form/concierge_again", |form| act(form, Again)),
        form("/form/concierge_rename", |form| act(form, Rename)),
        form("/form/concierge_forget", |form| act(form, Forget)),
        form("/form/concierge_call", |form| act(form, Call)),
        form("/form/concierge_back", |form| act(form, Back)),
        form("/form/concierge_switch", concierge::switch),
        form("/form/send_code", guest::sign_in::send_code),
        form("/form/enter_code", guest::sign_in_code::enter_code),
        form("/form/register", guest::registration::register),
        form("/form/ask", guest::requests::submit_request),
        form("/form/book", guest::confirm_booking::book),
        form(
            "/form/change_booking",
            guest::change_booking::change_booking,
        ),
        form(
            "/form/cancel_booking",
            guest::cancel_booking::cancel_booking,
        ),
        form("/form/check_in_details", guest::check_in::check_in_details),
        form("/form/check_in", guest::check_in::check_in),
        form("/form/check_out", guest::check_out::check_out),
        form("/form/email_receipt", guest::receipt_email::email_receipt),
        form("/form/enter_password", staff::sign_in::enter_password),
        form("/form/desk_check_in", staff::today::check_in::desk_check_in),
        form("/form/undo_check_in", staff::today::check_in::undo_check_in),
        form(
            "/form/desk_check_out",
            staff::today::check_out_handler::desk_check_out,
        ),
        form("/form/desk_book", staff::new_booking::book),
        form("/form/walk_in", staff::new_booking::walk_in::walk_in),
        form("/form/change_stay", staff::stays::change_stay::change_stay),
        form("/form/move_stay", staff::stays::move_stay::move_stay),
        form("/form/end_stay", staff::stays::cancel_or_no_show::end_stay),
        form(
            "/form/stay_request",
            staff::stays::guest_request::stay_request,
        ),
        form("/form/add_note", staff::stays::notes::add_note),
        form(
            "/form/own_record",
            staff::execution_record::ownership::own_record,
        ),
        form("/form/set_room", staff::rooms::set_room_status::set_room),
        form(
            "/form/report_defect",
            staff::rooms::report_defect::report_defect,
        ),
        form("/form/case_step", staff::cases::change_case::case_step),
        form(
            "/form/grant_late",
            staff::cases::grant_late_checkout::grant_late,
        ),
        form("/form/case_change", staff::cases::change_case::case_change),
        form("/form/new_case", staff::cases::new_case::new_case),
        form("/form/new_guest", staff::guests::new_guest::new_guest),
        form("/form/bulk", staff::bulk_action::action::bulk_run),
        form(
            "/form/charge_check",
            staff::charges::charge_request::charge_check,
        ),
        form(
            "/form/post_charge",
            staff::charges::charge_request::post_charge,
        ),
        form(
            "/form/refund_check",
            staff::orphaned_payment_refund::refund_check,
        ),
        form("/form/refund", staff::orphaned_payment_refund::refund),
        form("/form/resolve", staff::operator_action::resolve),
        form(
            "/form/lift_checkout_pause",
            staff::check_out_pause::lift_pause,
        ),
        form("/form/save_view", staff::saved_views::save_view),
        form("/form/delete_view", staff::saved_views::delete_view),
        form("/form/make_token", tokens::make_token),
        form("/form/revoke_token", tokens::revoke_token),
        form("/form/set_scene", faults::set_scene).needing(&["scene"]),
        form("/form/order_fault", faults::order_fault).needing(&faults::FIELDS),
        form("/form/calm_sandbox", faults::clear_all_faults),
        form("/form/set_latency", faults::set_latency).needing(&["profile"]),
        form("/form/reset_world", faults::reset_sandbox),
    ]
}

fn form<F>(path: &'static str, handler: fn(FormSubmission) -> F) -> FormRoute
where
    F: Future<Output = FormResult> + Send + 'static,
{
    FormRoute {
        path,
        needs: &[],
        handler: Arc::new(move |form| Box::pin(handler(form))),
    }
}

impl FormRoute {
    fn needing(mut self, needs: &'static [&'static str]) -> Self {
        self.needs = needs;
        self
    }

    /// Redirects to where the form leads. `context` provides what pages have as well.
    pub async fn answer(self, request: Request, context: impl FnOnce() + Send) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let owner = Owner::new();
        let answer = owner.with(|| {
            let options = ResponseOptions::default();
            provide_context(parts);
            provide_context(options.clone());
            context();
            let ctx = PageContext::open();
            ScopedFuture::new(async move {
                let Some(ctx) = ctx else {
                    return refusal(StatusCode::SERVICE_UNAVAILABLE, t!("sign-in-down"));
                };
                let read = match to_bytes(body, usize::MAX).await {
                    Ok(body) => FormSubmission::read(ctx, &body, self.needs),
                    Err(_) => Err(String::new()),
                };
                let form = match read {
                    Ok(form) => form,
                    Err(field) => {
                        let words = format!("{} ({field})", t!("refused-incomplete"));
                        return refusal(StatusCode::BAD_REQUEST, words.trim_end_matches(" ()"));
                    }
                };
                let to = (self.handler)(form).await.unwrap_or_else(|to| to);
                let to = HeaderValue::from_str(&to);
                let mut answer = Response::new(Body::empty());
                *answer.status_mut() = StatusCode::SEE_OTHER;
                let set = options.0.read().unwrap_or_else(PoisonError::into_inner);
                answer.headers_mut().extend(set.headers.clone());
                let to = to.unwrap_or_else(|_| HeaderValue::from_static("/"));
                answer.headers_mut().insert(header::LOCATION, to);
                answer
            })
        });
        answer.await
    }
}

fn refusal(status: StatusCode, words: &str) -> Response<Body> {
    let mut answer = Response::new(Body::from(format!("{words}\n")));
    *answer.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, plain);
    answer
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn paths_in(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                paths_in(&path, found);
            } else if !path.ends_with("form_routes.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let names = text.split("\"/form/").skip(1);
                let names = names.filter_map(|rest| rest.split('"').next());
                let names = names.filter(|name| !name.is_empty());
                found.extend(names.map(|name| format!("/form/{name}")));
            }
        }
    }

    #[test]
    fn every_form_of_a_page_is_handled_and_every_handler_has_a_form() {
        let mut shown = BTreeSet::new();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        paths_in(&sources, &mut shown);
        let handled = form_routes().into_iter().map(|form| form.path.to_owned());
        assert_eq!(shown, handled.collect::<BTreeSet<_>>());
    }
}
