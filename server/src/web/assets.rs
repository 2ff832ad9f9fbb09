//! Files: the style and icons are in the program itself, the browser bundle is where it was built.

use std::path::Path;

use axum::{Router, response::IntoResponse, routing::get};
use dewy_app::STYLE;
use http::{HeaderValue, header};
use tower_http::{compression::CompressionLayer, services::ServeDir, set_header::SetResponseHeaderLayer};

const FAVICON: &str = include_str!("../../../public/favicon.svg");
const ROBOTS: &str = include_str!("../../../public/robots.txt");

/// They change with the program only, but nothing in their names tells which program it was.
const BRIEFLY: &str = "public, max-age=60";

/// The routes; without a bundle every page works, just not live.
pub fn router(site_root: &str) -> Router {
    Router::new()
        .route("/pkg/dewy.css", get(|| async { file("text/css; charset=utf-8", STYLE) }))
        .nest_service("/pkg", ServeDir::new(Path::new(site_root).join("pkg")).append_index_html_on_directories(false))
        .route("/favicon.svg", get(|| async { file("image/svg+xml", FAVICON) }))
        .route("/favicon.ico", get(|| async { file("image/svg+xml", FAVICON) }))
        .route("/robots.txt", get(|| async { file("text/plain; charset=utf-8", ROBOTS) }))
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-cache")))
        .layer(CompressionLayer::new())
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, BRIEFLY)], text)
}
