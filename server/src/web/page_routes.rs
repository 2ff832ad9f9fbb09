//! Pages, and the server context they use.

use std::{
    collections::BTreeMap,
    fs, path,
    sync::{Arc, OnceLock},
};

use any_spawner::Executor;
use axum::{
    Router,
    extract::{Path, Request, rejection::PathRejection},
    response::Redirect,
    routing::{MethodRouter, get, post},
};
use dewy_app::{
    HotelClock, NotFound, PageContext, PageRoute, PageView, PublishableKey, RouteParams,
    TokenGenerator, document, form_routes, is_pay_page, is_speculative, provide_language, routes,
};
use dewy_domain::ports::{Clock, Dispatcher, Entropy};
use http::{HeaderValue, Uri, header, request::Parts};
use leptos::{
    config::{Env, LeptosOptions},
    nonce::use_nonce,
    prelude::{IntoAny, provide_context, use_context, with_context},
};
use leptos_axum::{
    ResponseOptions, file_and_error_handler_with_context, render_app_async_with_context,
    render_app_to_stream_in_order_with_context,
};

use super::{WebParts, request_context::RequestContext, security_headers::page_policy};
use crate::{auth::TokenIssuer, tool_calls::traced_ports::Traced};

/// Routes of every page and form, and of the not-found page.
pub fn router(parts: &WebParts) -> Router {
    // Pages spawn on this runtime; an error means that an earlier server of this process has said so
    let _ = Executor::init_tokio();
    let options = BundleOptions::new(&parts.site_root);
    let context = context(parts.clone());
    let not_found: PageView = Arc::new(|| NotFound().into_any());
    let mut router = Router::new();
    for form in form_routes() {
        let context = context.clone();
        let path = form.path;
        let answer = move |request: Request| form.clone().answer(request, context.clone());
        router = router.route(path, post(answer));
    }
    let state = options.without_bundle.clone();
    let options = Arc::new(options);
    for page in routes() {
        let path = page.path;
        router = router.route(path, handler(page, &options, context.clone()));
        if path != "/" {
            router = router.route(&format!("{path}/"), get(without_slash));
        }
    }
    router
        .fallback(file_and_error_handler_with_context::<LeptosOptions, _>(
            context,
            move |_| document(options.current(), &not_found),
        ))
        .with_state(state)
}

/// Renders a page for each request.
fn handler(
    page: PageRoute,
    options: &Arc<BundleOptions>,
    context: impl Fn() + Clone + Send + Sync + 'static,
) -> MethodRouter<LeptosOptions> {
    let options = Arc::clone(options);
    let render = move |params: RouteParamsResult, request: Request| {
        // An address that is no text names nothing
        let params = params.map(|Path(params)| params).unwrap_or_default();
        let (options, view) = (Arc::clone(&options), Arc::clone(&page.view));
        let document = move || document(options.current(), &view);
        let context = context.clone();
        let context = move || {
            provide_context(RouteParams(params.clone()));
            context();
        };
        if page.in_parts {
            render_app_to_stream_in_order_with_context(context, document)(request)
        } else {
            render_app_async_with_context(context, document)(request)
        }
    };
    get(render)
}

/// Parameters of a route, unless they can't be decoded.
type RouteParamsResult = Result<Path<BTreeMap<String, String>>, PathRejection>;

/// Redirects `/staff/` to `/staff`.
async fn without_slash(uri: Uri) -> Redirect {
    let path = uri.path().trim_end_matches('/');
    let query = uri.query().map(|query| format!("?{query}"));
    Redirect::permanent(&format!("{path}{}", query.unwrap_or_default()))
}

/// Leptos' options with the name of the browser bundle. A first `cargo xtask run` serves pages before
/// the bundle is built: they load none until its build has recorded the name.
struct BundleOptions {
    without_bundle: LeptosOptions,
    with_bundle: OnceLock<LeptosOptions>,
}

impl BundleOptions {
    fn new(site_root: &str) -> Self {
        Self {
            without_bundle: Self::options(site_root, ""),
            with_bundle: OnceLock::new(),
        }
    }

    fn options(site_root: &str, bundle: &str) -> LeptosOptions {
        LeptosOptions::builder()
            .output_name(bundle)
            .site_root(site_root)
            .site_pkg_dir("pkg")
            .env(Env::PROD)
            .build()
    }

    fn current(&self) -> &LeptosOptions {
        let site_root = &*self.without_bundle.site_root;
        if let Some(options) = self.with_bundle.get() {
            return options;
        }
        match fs::read_to_string(path::Path::new(site_root).join("pkg/bundle.txt")) {
            Ok(name) => self
                .with_bundle
                .get_or_init(|| Self::options(site_root, name.trim())),
            Err(_) => &self.without_bundle,
        }
    }
}

/// Provides the context of each request, after Leptos has provided the request parts.
fn context(parts: WebParts) -> impl Fn() + Clone + Send + Sync + 'static {
    let maker = TokenIssuer {
        store: parts.store.clone(),
        clock: Arc::clone(&parts.clock),
        entropy: Arc::clone(&parts.entropy),
        guests: Some(parts.sign_in_state.guests()),
    };
    let generator = token_generator(Arc::clone(&parts.clock), Arc::clone(&parts.entropy));
    // Leptos clones this for every request, several times
    let (parts, maker) = (Arc::new(parts), Arc::new(maker));
    move || {
        provide_context::<Arc<dyn Clock>>(Arc::clone(&parts.clock));
        provide_context(HotelClock::of(parts.calendar.clone()));
        provide_context(Arc::clone(&parts.hotel));
        provide_language();
        provide_context(PublishableKey(parts.publishable_key.clone()));
        provide_context(parts.vendor_pages.clone());
        // Read where it is: a copy of a request copies all its headers and extensions
        let read = with_context(|request: &Parts| {
            let extensions = &request.extensions;
            let dispatcher: Arc<dyn Dispatcher> = Arc::clone(&parts.boundary) as _;
            let dispatcher = Traced::of(extensions, dispatcher);
            let execution_feed = Traced::of(extensions, Arc::clone(&parts.execution_feed));
            // Stripe's hosts are allowed only where a payment card can be entered
            let pays = parts.publishable_key.is_some() && is_pay_page(request.uri.path());
            let context = RequestContext::of(extensions, &request.headers);
            let visit = !is_speculative(&request.headers) && !is_live(request.uri.query());
            (dispatcher, execution_feed, pays, context, visit)
        });
        let Some((dispatcher, execution_feed, pays, context, visit)) = read else {
            return;
        };
        if let Some(context) = context {
            let token_admin = Arc::new(context.token_admin(&maker));
            let authenticator = context.authenticator(&parts.sign_in_state);
            provide_context(PageContext {
                dispatcher: Arc::new(dispatcher),
                confirmations: Arc::clone(&parts.confirmations),
                authenticator: Arc::new(authenticator.cached_for_page(visit)),
                execution_feed: Arc::new(execution_feed),
                audit_reader: Arc::clone(&parts.audit_reader),
                token_admin,
                booking_links: Arc::clone(&parts.booking_links),
                board: Arc::clone(&parts.board),
                public_inventory: Arc::clone(&parts.public_inventory),
                attention: Arc::clone(&parts.attention),
                reconciliation: Arc::clone(&parts.reconciliation),
                system_status: Arc::clone(&parts.system_status),
                saved_views: Arc::clone(&parts.saved_views),
                saved_cards: Arc::clone(&parts.saved_cards),
                stay_notes: Arc::clone(&parts.stay_notes),
                text_refusals: Arc::clone(&parts.text_delivery) as _,
                concierge: Arc::clone(&parts.concierge),
                token_generator: generator.clone(),
            });
        }
        if let (Some(nonce), Some(answer)) = (use_nonce(), use_context::<ResponseOptions>())
            && let Ok(policy) = HeaderValue::from_str(&page_policy(&nonce, pays))
        {
            answer.insert_header(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
}

/// Whether a script fetches the page again to show a change.
fn is_live(query: Option<&str>) -> bool {
    query.is_some_and(|query| query.split('&').any(|pair| pair == "live=1"))
}

/// Generates idempotency tokens for forms.
fn token_generator(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> TokenGenerator {
    TokenGenerator(Arc::new(move || {
        format!("form-{}", entropy.uuid_v7(clock.now()).simple())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_is_used_as_soon_as_its_build_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let options = BundleOptions::new(folder.path().to_str().unwrap());
        assert_eq!(&*options.current().output_name, "");
        fs::create_dir(folder.path().join("pkg")).unwrap();
        fs::write(folder.path().join("pkg/bundle.txt"), "dewy-0123\n").unwrap();
        assert_eq!(&*options.current().output_name, "dewy-0123");
    }
}
