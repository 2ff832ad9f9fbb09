//! Page of Leptos: complete before anything is sent, as ours are.

use axum::Router;
use leptos::{config::LeptosOptions, prelude::*};
use leptos_axum::{LeptosRoutes, generate_route_list};
use leptos_router::{
    SsrMode, StaticSegment,
    components::{Route, Router as PageRouter, Routes},
};

use super::FACTS;

/// Serves it.
pub fn router() -> Router {
    let options = LeptosOptions::builder().output_name("peer").build();
    Router::new()
        .leptos_routes(&options, generate_route_list(App), shell)
        .with_state(options)
}

fn shell() -> impl IntoView {
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <title>"A page"</title>
            </head>
            <App />
        </html>
    }
}

#[component]
fn App() -> impl IntoView {
    view! {
        <body class="guest">
            <PageRouter>
                <Routes fallback=|| ()>
                    <Route path=StaticSegment("") view=Page ssr=SsrMode::Async />
                </Routes>
            </PageRouter>
        </body>
    }
}

#[component]
fn Page() -> impl IntoView {
    let facts = FACTS.get().map_or(&[][..], Vec::as_slice);
    let items = facts.iter().map(|(name, value)| {
        view! {
            <div>
                <dt>{name.as_str()}</dt>
                <dd class="value">{value.as_str()}</dd>
            </div>
        }
    });
    view! {
        <header class="letterhead">
            <a class="house" href="/">"Dewy Resort"</a>
        </header>
        <main id="main">
            <h1>"Facts"</h1>
            <dl class="facts">{items.collect_view()}</dl>
        </main>
        <footer class="foot"><p>"The end"</p></footer>
    }
}
