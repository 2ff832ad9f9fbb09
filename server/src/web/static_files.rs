//! Static files: the style sheet, icons and the pay pages' script are embedded in the binary; the
//! browser bundle stays in its build directory.

use std::{path::Path, sync::LazyLock};

use axum::{
    Router,
    response::{IntoResponse, Response},
    routing::get,
};
use dewy_app::{ART, ICONS, ICONS_PATH, PAY_SCRIPT, PAY_SCRIPT_PATH, STYLE, STYLE_PATH};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_http::{services::ServeDir, set_header::SetResponseHeaderLayer};

use crate::ports::photos::Photo;

const FAVICON: &str = include_str!("../../../public/favicon.svg");
/// Sound for emergencies.
const ALARM: &[u8] = include_bytes!("../../../public/alarm.wav");
/// Sound for other items that need attention.
const CHIME: &[u8] = include_bytes!("../../../public/chime.wav");
/// Font of the headings on guest pages.
const DISPLAY_FACE: &[u8] = include_bytes!("../../../public/fonts/newsreader-display.woff2");
const ROBOTS: &str = include_str!("../../../public/robots.txt");

/// For files that change only with a release but have no version in their names.
const CACHE_ONE_DAY: &str = "public, max-age=86400";
/// For files named after a hash of their content.
const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";

/// Compressed once, at the highest level.
static SMALL_STYLE: LazyLock<Vec<u8>> = LazyLock::new(|| small(STYLE));
static SMALL_ICONS: LazyLock<Vec<u8>> = LazyLock::new(|| small(&ICONS));
static SMALL_PAY_SCRIPT: LazyLock<Vec<u8>> = LazyLock::new(|| small(PAY_SCRIPT));
static SMALL_ART: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| ART.iter().map(|art| small(art.svg)).collect());

/// Compresses them, which takes longer than a request should; for the start of a process.
pub(crate) fn warm_up() {
    for file in [&SMALL_STYLE, &SMALL_ICONS, &SMALL_PAY_SCRIPT] {
        LazyLock::force(file);
    }
    LazyLock::force(&SMALL_ART);
}

fn small(text: &str) -> Vec<u8> {
    let mut small = Vec::new();
    let best = brotli::enc::BrotliEncoderParams {
        quality: 9,
        ..Default::default()
    };
    match brotli::BrotliCompress(&mut text.as_bytes(), &mut small, &best) {
        Ok(_) => small,
        Err(_) => Vec::new(),
    }
}

/// Routes of static files. Without a bundle every page works, but without live updates.
pub fn router(site_root: &str, photos: &[Photo]) -> Router {
    // The bundle was compressed at build time
    let bundle = ServeDir::new(Path::new(site_root).join("pkg"))
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    let bundle =
        Router::new()
            .fallback_service(bundle)
            .layer(SetResponseHeaderLayer::if_not_present(
                header::CACHE_CONTROL,
                |response: &Response<_>| {
                    let kept = matches!(
                        response.status(),
                        StatusCode::OK | StatusCode::NOT_MODIFIED | StatusCode::PARTIAL_CONTENT
                    );
                    Some(HeaderValue::from_static(if kept {
                        CACHE_FOREVER
                    } else {
                        "no-store"
                    }))
                },
            ));
    let mut files = Router::new();
    for photo in photos {
        let kind = photo.kind;
        let (path, bytes) = (&photo.path, photo.bytes.clone());
        let photo = get(move || async move {
            (
                [
                    (header::CONTENT_TYPE, kind),
                    (header::CACHE_CONTROL, CACHE_ONE_DAY),
                ],
                bytes,
            )
        });
        files = files.route(path, photo);
    }
    for (art, small) in ART.iter().zip(SMALL_ART.iter()) {
        let drawing = get(move |headers: HeaderMap| async move {
            immutable_file(&headers, "image/svg+xml", art.svg, small)
        });
        files = files.route(&art.path, drawing);
    }
    let sound = |bytes: &'static [u8]| {
        get(move || async move {
            (
                [
                    (header::CONTENT_TYPE, "audio/wav"),
                    (header::CACHE_CONTROL, CACHE_ONE_DAY),
                ],
                bytes,
            )
        })
    };
    files
        .route(
            "/fonts/newsreader-display.woff2",
            get(|| async {
                (
                    [
                        (header::CONTENT_TYPE, "font/woff2"),
                        (header::CACHE_CONTROL, CACHE_ONE_DAY),
                    ],
                    DISPLAY_FACE,
                )
            }),
        )
        .route("/alarm.wav", sound(ALARM))
        .route("/chime.wav", sound(CHIME))
        .route(
            &STYLE_PATH,
            get(|headers: HeaderMap| async move {
                immutable_file(&headers, "text/css; charset=utf-8", STYLE, &SMALL_STYLE)
            }),
        )
        .route(
            &ICONS_PATH,
            get(|headers: HeaderMap| async move {
                immutable_file(&headers, "image/svg+xml", &ICONS, &SMALL_ICONS)
            }),
        )
        .route(
            &PAY_SCRIPT_PATH,
            get(|headers: HeaderMap| async move {
                immutable_file(
                    &headers,
                    "text/javascript; charset=utf-8",
                    PAY_SCRIPT,
                    &SMALL_PAY_SCRIPT,
                )
            }),
        )
        .nest("/pkg", bundle)
        .route(
            "/favicon.svg",
            get(|| async { file("image/svg+xml", FAVICON) }),
        )
        .route(
            "/favicon.ico",
            get(|| async { file("image/svg+xml", FAVICON) }),
        )
        .route(
            "/robots.txt",
            get(|| async { file("text/plain; charset=utf-8", ROBOTS) }),
        )
}

/// File named after a hash of its content, compressed if the client supports it.
fn immutable_file(
    headers: &HeaderMap,
    kind: &'static str,
    text: &'static str,
    small: &'static [u8],
) -> Response {
    let wanted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let brotli = wanted
        .split(',')
        .any(|one| one.trim().split(';').next() == Some("br") && !one.contains("q=0"));
    let common = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, CACHE_FOREVER),
        (header::VARY, "accept-encoding"),
    ];
    if brotli && !small.is_empty() {
        (common, [(header::CONTENT_ENCODING, "br")], small).into_response()
    } else {
        (common, text).into_response()
    }
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, CACHE_ONE_DAY),
        ],
        text,
    )
}
