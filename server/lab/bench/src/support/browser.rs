//! Client with a session, like a browser.

use anyhow::{Context, ensure};

use super::http_connection::HttpConnection;

/// Connection with its cookies.
#[derive(Debug)]
pub struct Browser {
    wire: HttpConnection,
    address: String,
    cookies: Vec<String>,
}

/// Beth, signed in.
pub async fn guest(address: &str) -> anyhow::Result<Browser> {
    let mut browser = Browser::open(address).await?;
    browser
        .post("/form/send_code", "email=beth.gibbs%40email.com&next=")
        .await?;
    let page = browser.get("/guest/sign-in/code").await?;
    // A demo shows the code that would be in a text message
    let code = between(&page, "demo-code", 6).context("no code on the page")?;
    browser
        .post("/form/enter_code", &format!("code={code}"))
        .await?;
    Ok(browser)
}

/// The manager, signed in.
pub async fn manager(address: &str) -> anyhow::Result<Browser> {
    let mut browser = Browser::open(address).await?;
    let page = browser.get("/staff/sign-in").await?;
    let password = page.split("<code").find_map(|part| {
        let text = part.split_once('>')?.1.split('<').next()?;
        (!text.contains('@') && text.len() >= 8).then(|| text.to_owned())
    });
    let password = password.context("no password on the page of a demo")?;
    browser
        .post(
            "/form/enter_password",
            &format!("email=manager%40dewy.example&password={password}&next="),
        )
        .await?;
    Ok(browser)
}

impl Browser {
    async fn open(address: &str) -> anyhow::Result<Self> {
        Ok(Self {
            wire: HttpConnection::open(address).await?,
            address: address.to_owned(),
            cookies: Vec::new(),
        })
    }

    /// Head of a request, without its last empty line.
    pub fn head(&self, method: &str, path: &str) -> String {
        let cookies = self.cookies.join("; ");
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAccept: text/html\r\nCookie: {cookies}\r\n",
            self.address
        )
    }

    /// Requests a page.
    pub async fn get(&mut self, path: &str) -> anyhow::Result<String> {
        let request = format!("{}\r\n", self.head("GET", path)).into_bytes();
        self.send(&request).await
    }

    /// Posts a form; returns the page or the empty body of the response.
    pub async fn post(&mut self, path: &str, body: &str) -> anyhow::Result<String> {
        let head = self.head("POST", path);
        let form = "Content-Type: application/x-www-form-urlencoded";
        let origin = format!("Origin: http://{}", self.address);
        let request = format!(
            "{head}{origin}\r\n{form}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.send(request.as_bytes()).await
    }

    async fn send(&mut self, request: &[u8]) -> anyhow::Result<String> {
        let (status, body) = self.wire.send(request).await?;
        let page = String::from_utf8_lossy(body).into_owned();
        ensure!(status < 400, "{status} {page}");
        for cookie in std::mem::take(&mut self.wire.cookies) {
            let name = cookie.split('=').next().unwrap_or_default().to_owned();
            self.cookies
                .retain(|kept| kept.split('=').next() != Some(&name));
            self.cookies.push(cookie);
        }
        Ok(page)
    }

    /// Location of the last redirect.
    pub fn location(&self) -> &str {
        &self.wire.location
    }
}

/// First run of this many digits after a word.
fn between(page: &str, word: &str, digits: usize) -> Option<String> {
    let behind = page.split_once(word)?.1;
    let only: String = behind
        .chars()
        .map(|c| if c.is_ascii_digit() { c } else { ' ' })
        .collect();
    only.split(' ')
        .find(|run| run.len() == digits)
        .map(str::to_owned)
}
