//! Short browser name for the list of signed-in sessions.

/// Browser name from a `User-Agent` header: `Firefox on Windows`. For display only: a client can
/// claim to be anything.
#[must_use]
pub fn browser_name(user_agent: &str) -> String {
    // Nearly all claim to be Safari and many to be Chrome, so the first match wins.
    let browser = first(
        user_agent,
        &[
            ("Edg", "Edge"),
            ("OPR/", "Opera"),
            ("SamsungBrowser/", "Samsung Internet"),
            ("Vivaldi/", "Vivaldi"),
            ("FxiOS/", "Firefox"),
            ("Firefox/", "Firefox"),
            ("CriOS/", "Chrome"),
            ("Chrome/", "Chrome"),
            ("Safari/", "Safari"),
        ],
    );
    let system = first(
        user_agent,
        &[
            ("iPhone", "iPhone"),
            ("iPad", "iPad"),
            ("Android", "Android"),
            ("CrOS", "ChromeOS"),
            ("Windows", "Windows"),
            ("Macintosh", "macOS"),
            ("Linux", "Linux"),
        ],
    );
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("A browser on {system}"),
        (None, None) => "An unknown browser".to_owned(),
    }
}

fn first(text: &str, names: &[(&str, &'static str)]) -> Option<&'static str> {
    names
        .iter()
        .find(|(sign, _)| text.contains(sign))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_browsers_are_named() {
        for (agent, words) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
                "Firefox on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
                "Samsung Internet on Android",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Linux",
            ),
            ("curl/8.5.0", "An unknown browser"),
            ("", "An unknown browser"),
            ("<script>alert(1)</script> Linux", "A browser on Linux"),
        ] {
            assert_eq!(browser_name(agent), words);
        }
    }
}
