//! Page of maud.

use axum::{Router, response::Html, routing::get};
use maud::{DOCTYPE, html};

use super::FACTS;

/// Serves it.
pub fn router() -> Router {
    Router::new().route(
        "/",
        get(|| async { Html(html(FACTS.get().map_or(&[], Vec::as_slice))) }),
    )
}

/// The page.
pub fn html(facts: &[(String, String)]) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "A page" }
            }
            body class="guest" {
                header class="letterhead" { a class="house" href="/" { "Dewy Resort" } }
                main id="main" {
                    h1 { "Facts" }
                    dl class="facts" {
                        @for (name, value) in facts {
                            div { dt { (name) } dd class="value" { (value) } }
                        }
                    }
                }
                footer class="foot" { p { "The end" } }
            }
        }
    }
    .into_string()
}
