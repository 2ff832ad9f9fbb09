//! Addresses of a model's server, from whatever form of its base an operator writes.

use url::Url;

/// The two interfaces of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Api {
    /// `/chat/completions`, which every server has.
    #[default]
    Chat,
    /// `/responses`, which OpenAI's current models want for tools.
    Responses,
}

impl Api {
    /// Path below the base; also its name in logs.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Chat => "chat/completions",
            Self::Responses => "responses",
        }
    }
}

/// Base of the addresses: `https://api.openai.com/v1`. A query stays.
#[derive(Clone, Debug)]
pub(super) struct Endpoint(Url);

impl Endpoint {
    /// Reads a base with or without a slash at its end, or the whole address of an interface, which
    /// is then the one to use.
    ///
    /// # Errors
    /// When it is no web address.
    pub(super) fn parse(base: &str) -> Result<(Self, Api), String> {
        let mut url = Url::parse(base.trim()).map_err(|error| error.to_string())?;
        if url.cannot_be_a_base() {
            return Err("it is no web address".to_owned());
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let whole = [Api::Responses, Api::Chat]
            .into_iter()
            .find_map(|api| Some((api, path.strip_suffix(&format!("/{}", api.path()))?)));
        let (api, path) = whole.unwrap_or((Api::Chat, &path));
        url.set_path(path);
        Ok((Self(url), api))
    }

    /// Address of an interface; `other` is the one with `/v1` if the base has none, and without if
    /// it has.
    pub(super) fn url(&self, api: Api, other: bool) -> Url {
        let path = self.0.path().trim_end_matches('/');
        let base = match (other, path.strip_suffix("/v1")) {
            (false, _) => path.to_owned(),
            (true, Some(bare)) => bare.to_owned(),
            (true, None) => format!("{path}/v1"),
        };
        let mut url = self.0.clone();
        url.set_path(&format!("{base}/{}", api.path()));
        url
    }

    pub(super) const fn base(&self) -> &Url {
        &self.0
    }

    /// Host and port, without anything secret.
    pub(super) fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0
            .port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_base_leads_to_its_interfaces() {
        let url = |base: &str, other| {
            let (endpoint, api) = Endpoint::parse(base).unwrap();
            endpoint.url(api, other).to_string()
        };
        for base in [
            "https://api.openai.com/v1",
            "https://api.openai.com/v1/",
            " https://api.openai.com/v1//",
            "https://api.openai.com/v1/chat/completions",
            "https://api.openai.com/v1/chat/completions/",
        ] {
            let whole = "https://api.openai.com/v1/chat/completions";
            assert_eq!(url(base, false), whole, "{base}");
        }
        for (base, other, expected) in [
            (
                "http://localhost:11434",
                false,
                "http://localhost:11434/chat/completions",
            ),
            (
                "http://localhost:11434/",
                true,
                "http://localhost:11434/v1/chat/completions",
            ),
            (
                "https://models.example/inference/v1",
                true,
                "https://models.example/inference/chat/completions",
            ),
            (
                "https://api.openai.com/v1/responses",
                false,
                "https://api.openai.com/v1/responses",
            ),
            (
                "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
                false,
                "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
            ),
        ] {
            assert_eq!(url(base, other), expected, "{base}");
        }
        assert!(Endpoint::parse("mailto:a@example.com").is_err() && Endpoint::parse("").is_err());
    }
}
