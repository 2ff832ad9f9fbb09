//! Browser without JavaScript: keeps cookies, submits forms from its own origin, and follows
//! redirects only when told to.

use std::{collections::BTreeMap, sync::Mutex};

pub struct Browser {
    base: String,
    cookies: Mutex<BTreeMap<String, String>>,
    /// Path of the page that it shows.
    at: Mutex<String>,
    client: reqwest::Client,
}

/// Response.
pub struct Page {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Page {
    pub fn location(&self) -> &str {
        self.headers
            .get("location")
            .map_or("", |v| v.to_str().unwrap())
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    /// Path that it leads to.
    pub fn to(&self) -> String {
        path_of(self.location())
    }

    /// Fails unless all of this is on the page.
    pub fn has(&self, parts: &[&str]) {
        let missing: Vec<_> = parts.iter().filter(|part| !self.shows(part)).collect();
        assert!(missing.is_empty(), "{missing:#?} not in {}", self.text);
    }

    /// Fails if any of this is on the page.
    pub fn lacks(&self, parts: &[&str]) {
        let there: Vec<_> = parts.iter().filter(|part| self.shows(part)).collect();
        assert!(there.is_empty(), "{there:#?} in {}", self.text);
    }

    /// Whether this is on the page; Leptos puts a marker between adjacent texts.
    pub fn shows(&self, part: &str) -> bool {
        self.text.replace("<!>", "").contains(part)
    }
}

impl Browser {
    pub fn new(base: &str) -> Self {
        Self::named(base, "a test")
    }

    /// One that calls itself so.
    pub fn named(base: &str, agent: &str) -> Self {
        Self::of(base, crate::fake_dispatcher::builder().user_agent(agent))
    }

    pub fn preferring(base: &str, languages: &'static str) -> Self {
        let header = http::HeaderValue::from_static(languages);
        let headers = [(http::header::ACCEPT_LANGUAGE, header)];
        let headers = headers.into_iter().collect();
        Self::of(
            base,
            crate::fake_dispatcher::builder().default_headers(headers),
        )
    }

    /// Browser on the network of this address, as a proxy on this machine reports it.
    pub fn on(base: &str, address: &str) -> Self {
        let header = http::HeaderValue::from_str(address).unwrap();
        let name = http::HeaderName::from_static("x-forwarded-for");
        let headers = [(name, header)].into_iter().collect();
        Self::of(
            base,
            crate::fake_dispatcher::builder().default_headers(headers),
        )
    }

    fn of(base: &str, client: reqwest::ClientBuilder) -> Self {
        Self {
            base: base.to_owned(),
            cookies: Mutex::default(),
            at: Mutex::new("/guest/sign-in".to_owned()),
            client: client.build().unwrap(),
        }
    }

    pub async fn open(&self, path: &str) -> Page {
        let request = self.client.get(format!("{}{path}", self.base));
        let page = self.page(request.header("accept", "text/html")).await;
        if page.status == 200 {
            path.clone_into(&mut self.at.lock().unwrap());
        }
        page
    }

    /// Opens a page, and fails unless all of this is on it.
    pub async fn sees(&self, path: &str, parts: &[&str]) -> Page {
        let page = self.open(path).await;
        page.has(parts);
        page
    }

    /// Opens a page, and fails if any of this is on it.
    pub async fn misses(&self, path: &str, parts: &[&str]) -> Page {
        let page = self.open(path).await;
        page.lacks(parts);
        page
    }

    /// Fails unless asking for this page leads there.
    pub async fn is_sent_to(&self, path: &str, part: &str) {
        let to = self.open(path).await.to();
        assert!(to.contains(part), "{path} leads to {to:?}");
    }

    /// Asks for a page in case it is opened, as a browser does by Speculation Rules.
    pub async fn prerender(&self, path: &str) -> Page {
        let request = self.client.get(format!("{}{path}", self.base));
        self.page(request.header("sec-purpose", "prefetch;prerender"))
            .await
    }

    /// Opens a page again and again until it shows this.
    pub async fn until(&self, path: &str, part: &str) -> Page {
        self.opened_until(path, part, true).await
    }

    /// Opens a page again and again until it no longer shows this.
    pub async fn until_gone(&self, path: &str, part: &str) -> Page {
        self.opened_until(path, part, false).await
    }

    async fn opened_until(&self, path: &str, part: &str, shown: bool) -> Page {
        let begun = std::time::Instant::now();
        loop {
            let page = self.open(path).await;
            if page.shows(part) == shown {
                return page;
            }
            let late = begun.elapsed() > std::time::Duration::from_secs(30);
            assert!(!late, "{path}, {part} shown: {}: {}", !shown, page.text);
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    /// Sends one of our forms, with the fields as a browser writes them into a body.
    pub async fn post(&self, form: &str, fields: &str) -> Page {
        let fields: Vec<_> = url::form_urlencoded::parse(fields.as_bytes()).collect();
        let fields = fields.iter().map(|(name, value)| (&**name, &**value));
        self.send(&format!("/form/{form}"), &fields.collect::<Vec<_>>())
            .await
    }

    /// Sends a form, and opens the page that this leads to.
    pub async fn submit(&self, form: &str, fields: &str) -> Page {
        let sent = self.post(form, fields).await;
        assert_eq!(sent.status, 303, "{}", sent.text);
        self.open(&sent.to()).await
    }

    /// Sends a form, and fails unless the page that this leads to shows all of this.
    pub async fn submit_and_see(&self, form: &str, fields: &str, parts: &[&str]) -> Page {
        let page = self.submit(form, fields).await;
        page.has(parts);
        page
    }

    /// Presses the button of a form as this page has it, typing nothing.
    pub async fn press(&self, page: &Page, form: &str) -> Page {
        let fields = crate::pages::form_fields(&page.text, form);
        let fields = fields.iter().map(|(name, value)| (&**name, &**value));
        self.send(&format!("/form/{form}"), &fields.collect::<Vec<_>>())
            .await
    }

    /// Sends a form from our own page.
    pub async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.send_from(Some(&self.base), path, fields).await
    }

    /// Sends a form from somewhere.
    pub async fn send_from(
        &self,
        origin: Option<&str>,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Page {
        let mut request = self
            .client
            .post(format!("{}{path}", self.base))
            .header("accept", "text/html")
            .header(
                "referer",
                format!("{}{}", self.base, self.at.lock().unwrap()),
            )
            .form(fields);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        self.page(request).await
    }

    /// Sends any bytes as a form from our own page.
    pub async fn send_bytes(&self, path: &str, body: &[u8]) -> Page {
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .header("accept", "text/html")
            .header("origin", &self.base)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body.to_vec());
        self.page(request).await
    }

    /// Sends it with the cookies kept so far, and keeps those of the answer.
    async fn page(&self, request: reqwest::RequestBuilder) -> Page {
        let kept = self
            .cookies
            .lock()
            .unwrap()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>();
        let response = request
            .header("cookie", kept.join("; "))
            .send()
            .await
            .unwrap();
        for cookie in response.headers().get_all("set-cookie") {
            let (pair, attributes) = cookie.to_str().unwrap().split_once(';').unwrap();
            // A browser would not send those back
            assert!(
                self.base.starts_with("https") || !attributes.contains("Secure"),
                "{cookie:?}"
            );
            assert!(attributes.contains("Path=/"), "{cookie:?}");
            let (name, value) = pair.split_once('=').unwrap();
            let mut cookies = self.cookies.lock().unwrap();
            if attributes.to_ascii_lowercase().contains("max-age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        Page {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.unwrap(),
        }
    }

    /// Status of a stream, which has no end to wait for.
    pub async fn status(&self, path: &str) -> u16 {
        let kept = self.cookies.lock().unwrap().clone();
        let kept: Vec<_> = kept
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = self.client.get(format!("{}{path}", self.base));
        let response = request.header("cookie", kept.join("; ")).send().await;
        response.unwrap().status().as_u16()
    }

    /// The session's cookie.
    pub fn cookie(&self) -> Option<String> {
        self.kept("dewy_session")
    }

    /// Sets a session cookie, as an attacker might.
    pub fn plant(&self, value: &str) {
        self.keep("dewy_session", value);
    }

    /// A cookie's value.
    pub fn kept(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// Keeps a cookie.
    pub fn keep(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().unwrap();
        cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Asks for a code and reads it off the page, as a demo shows it.
    pub async fn code_for(&self, email: &str) -> Option<String> {
        self.code(email, "").await
    }

    /// The same on the way to a page.
    pub async fn code_on_the_way(&self, email: &str, next: &str) -> String {
        self.code(email, next).await.unwrap()
    }

    async fn code(&self, email: &str, next: &str) -> Option<String> {
        let fields = [("email", email), ("next", next)];
        let sent = self.send("/form/send_code", &fields).await;
        demo_code(&self.open(&sent.to()).await.text)
    }

    /// Enters a code for the email this browser asked one for.
    pub async fn enter(&self, code: &str) -> Page {
        self.send("/form/enter_code", &[("code", code)]).await
    }

    /// Signs a guest in.
    pub async fn guest(self, email: &str) -> Self {
        let code = self.code_for(email).await.expect("the demo shows the code");
        let page = self.enter(&code).await;
        assert!(
            page.location().contains("/guest/folio"),
            "{} {} {}",
            page.status,
            page.location(),
            page.text
        );
        self
    }

    /// Signs staff in.
    pub async fn staff(self, email: &str) -> Self {
        let fields = [
            ("email", email),
            ("password", dewy_server::auth::DEMO_PASSWORD),
            ("next", ""),
        ];
        let page = self.send("/form/enter_password", &fields).await;
        assert!(
            page.location().ends_with("/staff"),
            "{} {} {}",
            page.status,
            page.location(),
            page.text
        );
        self
    }
}

/// The path of an address, query included.
pub fn path_of(location: &str) -> String {
    match location.parse::<http::Uri>() {
        Ok(uri) => uri
            .path_and_query()
            .map_or_else(|| location.to_owned(), ToString::to_string),
        Err(_) => location.to_owned(),
    }
}

/// The code in the page's demo panel.
pub fn demo_code(html: &str) -> Option<String> {
    let (_, after) = html.split_once("demo-code")?;
    let (_, text) = after.split_once('>')?;
    text.split('<')
        .next()
        .map(|code| code.trim().to_owned())
        .filter(|code| [6, 10].contains(&code.len()))
}
