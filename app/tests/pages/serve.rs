//! Serves the pages over the double, as the server does.

use std::{convert::Infallible, path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::Path,
    http::{HeaderValue, StatusCode, header},
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
    routing::get,
};
use dewy_app::{
    App, HotelClock, ICONS, PAY_SCRIPT, PublishableKey, STYLE, TokenGenerator, provide_language,
    shell,
};
use dewy_domain::{
    caller::{Caller, Interface, Role},
    ports::{
        Attention, AuditReader, Authenticator, Board, Clock, Concierge, Confirmations, Dispatcher,
        ExecutionFeed, PaymentReconciliation, PublicInventory, SavedViews, StayNotes, SystemStatus,
        TokenAdmin,
    },
};
use leptos::{
    config::LeptosOptions,
    nonce::use_nonce,
    prelude::{provide_context, use_context},
};
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list};

use super::double::House;

/// Routes of everything a browser requests.
pub fn router(house: Arc<House>, site: PathBuf) -> Router {
    let options = LeptosOptions::builder()
        .output_name(
            std::fs::read_to_string(site.join("pkg/bundle.txt"))
                .unwrap_or_else(|_| "none".to_owned()),
        )
        .site_root(site.to_string_lossy().into_owned())
        .site_pkg_dir("pkg")
        .build();
    let routes = generate_route_list(App);
    let context = {
        let house = house.clone();
        move || {
            let minting = house.clone();
            provide_context::<Arc<dyn Dispatcher>>(house.clone());
            provide_context::<Arc<dyn Confirmations>>(house.clone());
            provide_context::<Arc<dyn Authenticator>>(house.clone());
            provide_context::<Arc<dyn ExecutionFeed>>(house.clone());
            provide_context::<Arc<dyn AuditReader>>(house.clone());
            provide_context::<Arc<dyn TokenAdmin>>(house.clone());
            provide_context::<Arc<dyn Board>>(house.clone());
            provide_context::<Arc<dyn PublicInventory>>(house.clone());
            provide_context::<Arc<dyn Attention>>(house.clone());
            provide_context(house.hotel());
            provide_language();
            provide_context::<Arc<dyn PaymentReconciliation>>(house.clone());
            provide_context::<Arc<dyn SavedViews>>(house.clone());
            provide_context::<Arc<dyn StayNotes>>(house.clone());
            provide_context::<Arc<dyn SystemStatus>>(house.clone());
            provide_context::<Arc<dyn Concierge>>(house.clone());
            provide_context::<Arc<dyn Clock>>(house.clone());
            provide_context(HotelClock {
                zone: jiff::tz::TimeZone::fixed(jiff::tz::offset(0)),
            });
            provide_context(PublishableKey(house.key()));
            provide_context(TokenGenerator(Arc::new(move || minting.token())));
            let policy = use_nonce().map(|nonce| format!("default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"));
            if let (Some(answer), Some(Ok(policy))) = (
                use_context::<ResponseOptions>(),
                policy.map(|p| HeaderValue::from_str(&p)),
            ) {
                answer.insert_header(header::CONTENT_SECURITY_POLICY, policy);
            }
        }
    };
    let (guests, desk, lists, boards) = (house.clone(), house.clone(), house.clone(), house);
    Router::new()
        .leptos_routes_with_context(&options, routes, context, {
            let options = options.clone();
            move || shell(options.clone())
        })
        .route(
            "/guest/execution/{id}/events",
            get(move |Path(id): Path<String>| {
                events(
                    guests.clone(),
                    Caller::guest("beth.gibbs@email.com", Interface::Form),
                    id,
                )
            }),
        )
        .route(
            "/staff/executions/{id}/events",
            get(move |Path(id): Path<String>| {
                events(
                    desk.clone(),
                    Caller::staff("manager@dewy.example", Role::Manager, Interface::Form),
                    id,
                )
            }),
        )
        .route("/staff/events", get(move || list_events(lists.clone())))
        // The double's hotel never changes; its board has no events
        .route(
            "/staff/board/events",
            get(move || list_events(boards.clone())),
        )
        .route(
            "/pkg/{file}",
            get({
                let site = site.clone();
                move |Path(file): Path<String>| file_of(site.join("pkg").join(file))
            }),
        )
        .route(
            "/favicon.svg",
            get(|| file_of(root().join("public/favicon.svg"))),
        )
        .fallback(leptos_axum::file_and_error_handler::<LeptosOptions, _>(
            shell,
        ))
        .with_state(options)
}

/// Root of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

async fn events(house: Arc<House>, caller: Caller, id: String) -> impl IntoResponse {
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    tokio::spawn(async move {
        let mut after = 0;
        while let Some(view) =
            ExecutionFeed::changed(&*house, &caller, &id, after, Duration::from_secs(15)).await
        {
            after = view.seq;
            let event = Event::default().id(view.seq.to_string()).data("changed");
            if sender.send(Ok::<_, Infallible>(event)).await.is_err() || view.at_rest {
                return;
            }
        }
    });
    Sse::new(futures::stream::unfold(receiver, |mut r| async move {
        r.recv().await.map(|event| (event, r))
    }))
    .keep_alive(KeepAlive::default())
}

async fn list_events(house: Arc<House>) -> impl IntoResponse {
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    tokio::spawn(async move {
        let caller = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
        let mut after = -1;
        loop {
            let now = house
                .lists_changed(&caller, after, Duration::from_secs(5))
                .await;
            if now != after
                && sender
                    .send(Ok::<_, Infallible>(Event::default().data(now.to_string())))
                    .await
                    .is_err()
            {
                return;
            }
            after = now;
        }
    });
    Sse::new(futures::stream::unfold(receiver, |mut r| async move {
        r.recv().await.map(|event| (event, r))
    }))
    .keep_alive(KeepAlive::default())
}

async fn file_of(path: PathBuf) -> Response {
    let kind = match path.extension().and_then(|e| e.to_str()) {
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        _ => "image/svg+xml",
    };
    if kind == "text/css" {
        return ([(header::CONTENT_TYPE, kind)], STYLE).into_response();
    }
    if path
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.starts_with("icons-"))
    {
        return ([(header::CONTENT_TYPE, kind)], ICONS.as_str()).into_response();
    }
    if path
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.starts_with("pay-"))
    {
        return ([(header::CONTENT_TYPE, kind)], PAY_SCRIPT).into_response();
    }
    match tokio::fs::read(path).await {
        Ok(bytes) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
