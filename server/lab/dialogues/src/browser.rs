//! Person at a browser without scripts: pages, forms and cookies.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use reqwest::{Client, RequestBuilder, header, redirect::Policy};

/// Browser, signed in.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    address: String,
    cookies: BTreeMap<String, String>,
}

/// Client of programs on this machine.
pub fn local_client() -> anyhow::Result<Client> {
    let builder = Client::builder().no_proxy().tls_certs_only([]);
    Ok(builder.redirect(Policy::none()).build()?)
}

impl Browser {
    /// Signs a person in, with what a demo shows on its pages.
    pub async fn sign_in(client: &Client, address: &str, email: &str) -> anyhow::Result<Self> {
        let mut browser = Self {
            client: client.clone(),
            address: address.to_owned(),
            cookies: BTreeMap::new(),
        };
        if email.ends_with("@dewy.example") {
            let page = browser.get("/staff/sign-in").await?;
            let mut codes = page
                .split("<code>")
                .skip(1)
                .filter_map(|part| part.split('<').next());
            let password = codes
                .find(|text| !text.contains('@'))
                .context("no password on the page of a demo")?;
            let form = [("email", email), ("password", password), ("next", "")];
            browser.post("/form/enter_password", &form).await?;
        } else {
            let form = [("email", email), ("next", "")];
            browser.post("/form/send_code", &form).await?;
            let page = browser.get("/guest/sign-in/code").await?;
            let shown = page
                .split_once("demo-code")
                .context("no code on the page")?;
            let digits = |run: &&str| run.len() == 6;
            let code = shown.1.split(|c: char| !c.is_ascii_digit()).find(digits);
            let code = code.context("no code on the page")?;
            browser.post("/form/enter_code", &[("code", code)]).await?;
        }
        Ok(browser)
    }

    /// Opens a page.
    pub async fn get(&mut self, path: &str) -> anyhow::Result<String> {
        let request = self.client.get(format!("{}{path}", self.address));
        Ok(self.send(request).await?.0)
    }

    /// Submits a form; returns the address it leads to.
    pub async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> anyhow::Result<String> {
        let request = self
            .client
            .post(format!("{}{path}", self.address))
            .header(header::ORIGIN, &self.address)
            .form(form);
        Ok(self.send(request).await?.1)
    }

    async fn send(&mut self, request: RequestBuilder) -> anyhow::Result<(String, String)> {
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let response = request
            .header(header::ACCEPT, "text/html")
            .header(header::COOKIE, cookies.join("; "))
            .send()
            .await?;
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let pair = cookie.to_str()?.split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let location = response.headers().get(header::LOCATION);
        let location = location.map_or(Ok(""), |value| value.to_str())?.to_owned();
        let (status, url) = (response.status(), response.url().clone());
        let text = response.text().await?;
        ensure!(status.as_u16() < 400, "{url}: {status}");
        Ok((text, location))
    }
}
