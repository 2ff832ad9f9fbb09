//! Person at a browser without scripts: pages, forms and cookies.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context, ensure};
use dewy_connectors::HttpTransport;
use dewy_domain::ports::{HttpRequest, Transport};
use url::form_urlencoded;

/// Longer than any answer of a model that a page waits for.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Debug)]
pub struct Browser {
    transport: HttpTransport,
    url: String,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    /// Signs a person in at the hotel with this URL, with what a demo shows on its pages.
    pub async fn sign_in(url: &str, email: &str) -> anyhow::Result<Self> {
        let mut browser = Self {
            transport: HttpTransport::new(),
            url: url.to_owned(),
            cookies: BTreeMap::new(),
        };
        if email.ends_with("@dewy.example") {
            let page = browser.get("/staff/sign-in").await?;
            let shown = page.split("<code>").skip(1);
            let mut shown = shown.filter_map(|part| part.split('<').next());
            let password = shown.find(|text| !text.contains('@'));
            let password = password.context("no password on the page of a demo")?;
            let form = [("email", email), ("password", password), ("next", "")];
            browser.post("/form/enter_password", &form).await?;
        } else {
            let form = [("email", email), ("next", "")];
            browser.post("/form/send_code", &form).await?;
            let page = browser.get("/guest/sign-in/code").await?;
            let shown = page.split_once("demo-code").map_or("", |(_, shown)| shown);
            let mut numbers = shown.split(|c: char| !c.is_ascii_digit());
            let code = numbers.find(|digits| digits.len() == 6);
            let code = code.context("no code on the page")?;
            browser.post("/form/enter_code", &[("code", code)]).await?;
        }
        Ok(browser)
    }

    /// Opens a page.
    pub async fn get(&mut self, path: &str) -> anyhow::Result<String> {
        Ok(self.send("GET", path, Vec::new(), Vec::new()).await?.0)
    }

    /// Submits a form; returns the address it leads to.
    pub async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> anyhow::Result<String> {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(form)
            .finish()
            .into_bytes();
        let headers = vec![
            (
                "content-type",
                "application/x-www-form-urlencoded".to_owned(),
            ),
            ("origin", self.url.clone()),
        ];
        Ok(self.send("POST", path, headers, body).await?.1)
    }

    /// Value of the header with its cookies.
    pub fn cookies(&self) -> String {
        let pairs = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: Vec<(&str, String)>,
        body: Vec<u8>,
    ) -> anyhow::Result<(String, String)> {
        let own = [
            ("accept", "text/html".to_owned()),
            ("cookie", self.cookies()),
        ];
        let headers = own.into_iter().chain(headers);
        let request = HttpRequest {
            method: method.to_owned(),
            url: format!("{}{path}", self.url),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            body,
        };
        let answer = self.transport.send(request, PATIENCE).await?;
        let set = answer
            .headers
            .iter()
            .filter(|(name, _)| name == "set-cookie");
        for (_, cookie) in set {
            let pair = cookie.split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let page = String::from_utf8_lossy(&answer.body).into_owned();
        ensure!(answer.status < 400, "{path}: {} {page}", answer.status);
        Ok((
            page,
            answer.header("location").unwrap_or_default().to_owned(),
        ))
    }
}
