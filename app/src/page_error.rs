//! Reasons why a page is not shown.

use dewy_domain::{caller::Persona, error_code::ErrorCode, error_details::ErrorDetails};
use serde_json::Value;

use crate::{
    labels::{error_for_staff, error_text, with_problem},
    language::t,
};

/// Reason why a page is not shown.
#[derive(Clone, Debug)]
pub enum PageError {
    Redirect(String),
    /// Doesn't exist for this visitor.
    NotFound,
    Error(ErrorPage),
}

#[derive(Clone, Debug)]
pub struct ErrorPage {
    pub status: u16,
    pub title: String,
    pub message: String,
    pub links: Vec<(String, String)>,
}

impl ErrorPage {
    /// Error from the table, worded for this persona.
    pub fn of(code: ErrorCode, persona: Persona, here: &str) -> Self {
        let title = if code.status() >= 500 {
            t!("error-title-failed")
        } else {
            t!("error-title-refused")
        };
        let again = (here.to_owned(), t!("try-again").to_owned());
        let systems = ("/staff/systems".to_owned(), "Outside systems".to_owned());
        let way_out = match (code, persona) {
            (ErrorCode::FieldHidden | ErrorCode::AccessRefused, Persona::Staff) => Some(systems),
            (code, _) => code.retry_safe().then_some(again),
        };
        let start = ("/".to_owned(), t!("go-to-start").to_owned());
        let message = match (code, persona) {
            (ErrorCode::FieldHidden | ErrorCode::AccessRefused, Persona::Staff) => {
                error_for_staff(code)
            }
            _ => error_text(code, persona),
        };
        Self {
            status: code.status(),
            title: title.to_owned(),
            message,
            links: way_out.into_iter().chain([start]).collect(),
        }
    }

    /// With the record and field that are missing, for staff.
    #[must_use]
    pub fn about(mut self, details: &Value) -> Self {
        self.message = with_problem(self.message, ErrorDetails::of(details).problem);
        self
    }
}

impl From<ErrorPage> for PageError {
    fn from(trouble: ErrorPage) -> Self {
        Self::Error(trouble)
    }
}
