//! Pages over the double: what a browser without scripts sees, status by status.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says so by failing"
)]

mod boards;
mod bookings;
mod concierge;
mod crew;
mod desk;
mod double;
mod guests;
mod kept;
mod languages;
mod looks;
mod pay;
mod place;
mod public;
mod requests;
mod scenes;
mod serve;
mod staff;
mod waiting;

use std::{path::PathBuf, sync::Arc};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, header},
};
use double::House;
use tower::ServiceExt;

struct Visitor {
    house: Arc<House>,
    router: Router,
}

struct Page {
    status: StatusCode,
    location: String,
    cookies: Vec<String>,
    text: String,
}

impl Visitor {
    fn new() -> Self {
        let house = Arc::new(House::new());
        Self {
            router: serve::router(house.clone(), PathBuf::from("/nowhere")),
            house,
        }
    }

    async fn send(&self, request: Request<Body>) -> Page {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let location = response
            .headers()
            .get(header::LOCATION)
            .map(|l| l.to_str().unwrap().to_owned())
            .unwrap_or_default();
        let cookies = response.headers().get_all(header::SET_COOKIE).iter();
        let cookies = cookies
            .map(|cookie| cookie.to_str().unwrap().to_owned())
            .collect();
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        Page {
            status,
            location,
            cookies,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    async fn get(&self, path: &str) -> Page {
        self.send(
            Request::get(path)
                .header(header::ACCEPT, "text/html")
                .body(Body::empty())
                .unwrap(),
        )
        .await
    }

    async fn post(&self, form: &str, fields: &str) -> Page {
        let request = Request::post(format!("/form/{form}"))
            .header(header::ACCEPT, "text/html")
            .header(header::REFERER, "http://127.0.0.1/guest/elsewhere")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(fields.to_owned())).unwrap())
            .await
    }

    async fn get_with(&self, path: &str, cookie: &str) -> Page {
        let request = Request::get(path)
            .header(header::ACCEPT, "text/html")
            .header(header::COOKIE, cookie);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn sign_in_staff(&self, email: &str) {
        let page = self
            .post(
                "enter_password",
                &format!("email={email}&password=dewy-demo&next="),
            )
            .await;
        assert_eq!(page.location, "/staff");
    }

    async fn sign_in(&self, email: &str) {
        self.post("send_code", &format!("email={email}&next="))
            .await;
        assert_eq!(
            self.post("enter_code", "code=123456").await.location,
            "/guest/folio"
        );
    }
}

#[tokio::test]
async fn what_is_not_there_is_404() {
    let page = Visitor::new().get("/guest/nowhere").await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.text.contains("We could not find that page"));
}
