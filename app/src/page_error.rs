//! Reasons why a page is not shown.

use dewy_domain::{caller::Persona, error_code::ErrorCode};

use crate::{labels::error_text, language::t};

/// Reason why a page is not shown.
#[derive(Clone, Debug)]
pub enum PageError {
    /// Redirect.
    Redirect(String),
    /// Doesn't exist for this visitor.
    NotFound,
    /// Error.
    Error(ErrorPage),
}

/// Error page with alternatives.
#[derive(Clone, Debug)]
pub struct ErrorPage {
    /// The HTTP status.
    pub status: u16,
    /// Title.
    pub title: String,
    /// Message.
    pub message: String,
    /// Links.
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
        Self {
            status: code.status(),
            title: title.to_owned(),
            message: error_text(code, persona),
            links: vec![
                (here.to_owned(), t!("try-again").to_owned()),
                ("/".to_owned(), t!("go-to-start").to_owned()),
            ],
        }
    }
}

impl From<ErrorPage> for PageError {
    fn from(trouble: ErrorPage) -> Self {
        Self::Error(trouble)
    }
}
