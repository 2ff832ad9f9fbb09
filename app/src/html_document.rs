//! HTML document around every page.

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::{MetaTags, provide_meta_context};

use crate::{
    http_request::{is_staff_page, with_path},
    language::language,
    preferences::theme,
    reload_without_script::Bundle,
    routes::PageView,
    speculation,
    style::STYLE_PATH,
};

/// Pages with live regions, keyboard shortcuts, or the concierge; others need no script.
const SCRIPTED_PATHS: [&str; 2] = ["/guest", "/staff"];
const SIGN_IN_PAGES: [&str; 2] = ["/guest/sign-in", "/staff/sign-in"];

/// HTML document around a page. Scripts are included only if `options` name a bundle: without it every
/// page works, but not live.
pub fn document(options: &LeptosOptions, page: &PageView) -> impl IntoView + use<> {
    provide_meta_context();
    let bundle = !options.output_name.is_empty();
    provide_context(Bundle(bundle));
    let wants = |path: &str| {
        SCRIPTED_PATHS.iter().any(|page| path.starts_with(page))
            && !SIGN_IN_PAGES.iter().any(|door| path.starts_with(door))
    };
    let inside = with_path(wants).unwrap_or_default();
    let live = bundle && inside;
    let theme = theme();
    let scheme = if theme == "system" {
        "light dark"
    } else {
        theme
    };
    view! {
        <!DOCTYPE html>
        <html lang=language().tag() data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content=scheme />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="stylesheet" href=STYLE_PATH.as_str() />
                {display_face()}
                {live.then(|| view! { <HydrationScripts options=options.clone() islands=true /> })}
                {inside.then(speculation::rules)}
                <MetaTags />
                {reload()}
            </head>
            <body>{page()}</body>
        </html>
    }
}

/// The face of headings, on every page but those of staff.
fn display_face() -> Option<impl IntoView> {
    (!is_staff_page()).then(|| {
        view! { <link rel="preload" href="/fonts/newsreader-display.woff2" r#as="font" type="font/woff2" crossorigin="anonymous" /> }
    })
}

/// Under `cargo xtask watch`, pages reload when another process answers. Only in development
/// builds.
fn reload() -> Option<impl IntoView> {
    const SCRIPT: &str =
        "let id;setInterval(async()=>{try{const now=await(await fetch('/healthz')).headers.get('x-process');
if(id&&now!==id)location.reload();id=now}catch{}},500)";
    let watched = cfg!(debug_assertions) && std::env::var_os("DEWY_RELOAD").is_some();
    watched.then(|| view! { <script nonce=use_nonce()>{SCRIPT}</script> })
}
