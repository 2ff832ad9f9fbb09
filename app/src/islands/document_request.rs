//! Request for a page.

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Document, XmlHttpRequest, XmlHttpRequestResponseType};

/// Timeout of a request without a response.
const MAX_WAIT_MS: u32 = 30_000;

/// Request with its handler, which must live until the response.
pub struct DocumentRequest {
    request: XmlHttpRequest,
    _done: Closure<dyn FnMut()>,
}

/// Response, of status 0 if there is none.
pub struct Fetched {
    pub status: u16,
    /// Address after redirects.
    pub url: String,
    /// Page, if it is one.
    pub page: Option<Document>,
}

impl DocumentRequest {
    /// Sends it; a form has a body.
    pub fn send(url: &str, body: Option<&str>, done: impl Fn(Fetched) + 'static) -> Option<Self> {
        let request = XmlHttpRequest::new().ok()?;
        let method = if body.is_some() { "POST" } else { "GET" };
        request.open(method, url).ok()?;
        request.set_response_type(XmlHttpRequestResponseType::Document);
        request.set_timeout(MAX_WAIT_MS);
        let asked = request.clone();
        let done = Closure::<dyn FnMut()>::new(move || {
            done(Fetched {
                status: asked.status().unwrap_or_default(),
                url: asked.response_url(),
                page: asked.response_xml().ok().flatten(),
            });
        });
        request.set_onloadend(Some(done.as_ref().unchecked_ref()));
        if body.is_some() {
            let form = "application/x-www-form-urlencoded";
            request.set_request_header("content-type", form).ok()?;
        }
        request.send_with_opt_str(body).ok()?;
        Some(Self {
            request,
            _done: done,
        })
    }

    /// Whether its response has been handled.
    pub fn is_done(&self) -> bool {
        self.request.ready_state() == XmlHttpRequest::DONE
    }
}
