//! Common parts of all pages: complete rendering, no caching, and error pages.

mod not_found;

use std::{
    collections::BTreeMap,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

use axum::http::{HeaderValue, StatusCode, header};
use dewy_domain::{
    caller::Persona, error_code::ErrorCode, hotel_calendar::HotelDay, ports::SignedIn,
};
use jiff::civil::Date;
use leptos::{prelude::*, reactive::computed::ScopedFuture, tachys::html::InertElement};
use leptos_axum::ResponseOptions;

pub use self::not_found::NotFound;
pub use crate::page_error::{ErrorPage, PageError};
use crate::{
    attention_summary, hotel_time,
    http_request::with_request,
    language::{language, t},
    layout::PageLayout,
    page_context::{PageContext, here},
    speculation::is_speculative_page,
};

/// Visit to a page.
#[derive(Clone, Debug)]
pub struct PageRequest {
    pub ctx: PageContext,
    /// Path and query, to return to.
    pub here: String,
    /// The `{id}` of the route.
    pub id: String,
    /// The `{act}` of the route.
    pub act: String,
    query: BTreeMap<String, String>,
}

/// Parameters of the route, such as the `id` of `/guest/receipt/{id}`.
#[derive(Clone, Debug)]
pub struct RouteParams(pub BTreeMap<String, String>);

impl PageRequest {
    fn begin() -> Option<Self> {
        let query = with_request(|parts| {
            let query = parts.uri.query();
            query.and_then(|q| serde_urlencoded::from_str(q).ok())
        })?;
        let of_route = |name| {
            with_context(|RouteParams(params)| params.get(name).cloned())
                .flatten()
                .unwrap_or_default()
        };
        let (id, act) = (of_route("id"), of_route("act"));
        Some(Self {
            ctx: PageContext::open()?,
            here: here(),
            id,
            act,
            query: query.unwrap_or_default(),
        })
    }

    /// Query parameter, if present.
    pub fn query_param(&self, name: &str) -> Option<&str> {
        self.query
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// Signed-in user of this persona; others are redirected to the sign-in page and return here.
    pub async fn signed_in(&self, persona: Persona) -> Result<SignedIn, PageError> {
        self.ctx.require_persona(persona, &self.here).await
    }

    /// Current date in the hotel.
    pub fn today(&self) -> Result<Date, ErrorPage> {
        hotel_time::today()
            .ok_or_else(|| ErrorPage::of(ErrorCode::Internal, Persona::Guest, &self.here))
    }

    /// Days that run in the hotel.
    pub fn hotel_day(&self) -> Result<HotelDay, ErrorPage> {
        hotel_time::hotel_day()
            .ok_or_else(|| ErrorPage::of(ErrorCode::Internal, Persona::Guest, &self.here))
    }

    /// Whether the island fetches the page, without slow parts.
    pub fn live(&self) -> bool {
        self.query_param("live").is_some()
    }
}

/// A page, or the reason why it is not shown.
pub type PageResult = Result<AnyView, PageError>;

/// Renders a page after its work is done; status and headers are right because nothing was sent
/// before. Its view must be complete: a `Suspense` inside would be written as its fallback.
pub fn page<W, F>(work: W) -> impl IntoView
where
    W: FnOnce(PageRequest) -> F,
    F: Future<Output = PageResult> + Send + 'static,
{
    let done = begin(work);
    let view: PageFuture = Box::pin(async move { written(done.await) });
    Suspend::new(view)
}

/// The view as one text. A view that may have parts to come allocates two texts for every element.
fn written(view: AnyView) -> AnyView {
    InertElement::new(view.to_html()).into_any()
}

/// One type for all pages: views of many future types would compile for a long time.
type PageFuture = Pin<Box<dyn Future<Output = AnyView> + Send>>;

/// The same for a page with a slow part: everything else is sent as soon as it is ready, and the
/// slow part follows in order, which works without scripts.
pub fn page_in_parts<W, F>(work: W) -> impl IntoView
where
    W: FnOnce(PageRequest) -> F,
    F: Future<Output = PageResult> + Send + 'static,
{
    let done = begin(work);
    let slot = Arc::new(Mutex::new(Slot::default()));
    let filling = Arc::clone(&slot);
    // Nothing is sent before this is done, so that status and headers are right here as well
    let work = ScopedFuture::new(async move {
        let view = done.await;
        let mut slot = lock(&filling);
        slot.view = Some(view);
        if let Some(waker) = slot.waker.take() {
            waker.wake();
        }
    });
    if let Some(context) = Owner::current_shared_context() {
        // The shared context requires a `Sync` future, but the work isn't `Sync`
        let work = Mutex::new(Box::pin(work));
        context.defer_stream(Box::pin(poll_fn(move |context| {
            lock(&work).as_mut().poll(context)
        })));
    }
    let shown = poll_fn(move |context| {
        let mut slot = lock(&slot);
        match slot.view.take() {
            Some(view) => Poll::Ready(view),
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    });
    let shown: PageFuture = Box::pin(shown);
    view! { <Suspense>{Suspend::new(shown)}</Suspense> }
}

#[derive(Default)]
struct Slot {
    view: Option<AnyView>,
    waker: Option<Waker>,
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

fn begin<W, F>(work: W) -> PageFuture
where
    W: FnOnce(PageRequest) -> F,
    F: Future<Output = PageResult> + Send + 'static,
{
    let page_request = PageRequest::begin();
    let ctx = page_request
        .as_ref()
        .map(|page_request| page_request.ctx.clone());
    let persona = page_request
        .as_ref()
        .and_then(|v| v.here.starts_with("/staff").then_some(Persona::Staff))
        .unwrap_or(Persona::Guest);
    ended(
        page_request.map(|page_request| -> Work { Box::pin(work(page_request)) }),
        ctx,
        persona,
    )
}

type Work = Pin<Box<dyn Future<Output = PageResult> + Send>>;

fn ended(work: Option<Work>, ctx: Option<PageContext>, persona: Persona) -> PageFuture {
    let answer = use_context::<ResponseOptions>().unwrap_or_default();
    answer.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Whoever stores a page all the same stores one for each language
    answer.append_header(
        header::VARY,
        HeaderValue::from_static("cookie, accept-language"),
    );
    if let Ok(language) = HeaderValue::from_str(language().tag()) {
        answer.insert_header(header::CONTENT_LANGUAGE, language);
    }
    let speculative = is_speculative_page();
    Box::pin(async move {
        let mut user = None;
        if let Some(ctx) = ctx {
            attention_summary::read_summary(&ctx, persona, speculative).await;
            user = ctx.authenticator.signed_in().await;
        }
        let result = match work {
            Some(work) => work.await,
            None => Err(ErrorPage::of(ErrorCode::Internal, persona, "/").into()),
        };
        let user = user.filter(|user| user.caller.persona == persona);
        result.unwrap_or_else(|stop| stopped(stop, persona, user.as_ref(), &answer))
    })
}

/// Redirect with 303: the browser uses GET.
fn see_other(answer: &ResponseOptions, to: &str) {
    answer.set_status(StatusCode::SEE_OTHER);
    let to = HeaderValue::from_str(to).unwrap_or_else(|_| HeaderValue::from_static("/"));
    answer.insert_header(header::LOCATION, to);
}

/// Error page in place of a page that can't be shown, inside the signed-in user's layout.
fn stopped(
    stop: PageError,
    persona: Persona,
    user: Option<&SignedIn>,
    answer: &ResponseOptions,
) -> AnyView {
    match stop {
        PageError::Redirect(to) => {
            see_other(answer, &to);
            PageLayout::new(t!("page-one-moment"))
                .plain(persona, view! { <p><a href=to>{t!("go-on")}</a></p> })
        }
        PageError::NotFound => {
            answer.set_status(StatusCode::NOT_FOUND);
            not_found::content(persona, user)
        }
        PageError::Error(trouble) => {
            answer.set_status(
                StatusCode::from_u16(trouble.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            );
            let ways = trouble
                .links
                .into_iter()
                .map(|(href, text)| view! { <li><a href=href>{text}</a></li> })
                .collect_view();
            let content = view! {
                <h1>{trouble.title.clone()}</h1>
                <p class="lead">{trouble.message}</p>
                <ul class="ways">{ways}</ul>
            };
            let layout = PageLayout::new(&trouble.title);
            let layout = match user {
                Some(user) => layout.who(user),
                None => layout,
            };
            layout.plain(persona, content)
        }
    }
}
