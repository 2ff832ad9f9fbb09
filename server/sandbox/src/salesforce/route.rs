//! Routing of paths.

use url::form_urlencoded;

/// Resource of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// `/services/oauth2/token`
    Token,
    /// `/services/data/`
    Versions,
    /// `…/query?q=`
    Query,
    /// `…/query/{locator}`: next page.
    More(String),
    Composite,
    /// `…/composite/sobjects`
    Collections,
    /// `…/composite/sobjects/X`: reads many records of one object.
    Many(String),
    /// `…/composite/sobjects/X/{field}`: many upserts by an external id.
    ManyExternal(String, String),
    /// `…/sobjects/`
    Global,
    /// `…/sobjects/X`
    Object(String),
    /// `…/sobjects/X/describe`
    Describe(String),
    /// `…/sobjects/X/{id}`
    Row(String, String),
    /// `…/sobjects/X/{field}/{value}`
    External(String, String, String),
    /// `/services/Soap/u/62.0`
    Soap,
    Limits,
    /// `/services/data/v62.0/`: index.
    Index,
    Unknown,
}

impl Resource {
    /// Whether a composite limits its number: queries and collections.
    #[must_use]
    pub const fn is_costly(&self) -> bool {
        matches!(
            self,
            Self::Query
                | Self::More(_)
                | Self::Collections
                | Self::Many(_)
                | Self::ManyExternal(..)
        )
    }
}

/// Parsed path and query.
#[derive(Clone, Debug)]
pub struct Target {
    pub resource: Resource,
    /// Version in the path; 0 if there is none.
    pub version: u32,
    /// Decoded query parameters.
    pub params: Vec<(String, String)>,
}

/// Supported versions: from the oldest that Salesforce has not retired to the newest.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 31..=68;

impl Target {
    /// Parses an absolute URL, or a path as in composites; `None` if it is not under `/services/`.
    #[must_use]
    pub fn read(url: &str) -> Option<Self> {
        let path = match url.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
            None => url,
        };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let rest = path.strip_prefix("/services/")?;
        let params = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let parts: Vec<String> = rest.trim_end_matches('/').split('/').map(decode).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let (resource, version) = match parts.as_slice() {
            ["oauth2", "token"] => (Resource::Token, 0),
            ["Soap", "u", _] => (Resource::Soap, 0),
            ["data"] => (Resource::Versions, 0),
            ["data", version, rest @ ..] => match read_version(version) {
                Some(version) => (data(rest), version),
                None => (Resource::Unknown, 0),
            },
            _ => (Resource::Unknown, 0),
        };
        Some(Self {
            resource,
            version,
            params,
        })
    }

    /// Query parameter.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }

    /// Prefix of record URLs.
    #[must_use]
    pub fn base(&self) -> String {
        format!("/services/data/v{}.0", self.version)
    }

    /// Operation name, for faults and the call log.
    #[must_use]
    pub fn operation(&self, method: &str) -> &'static str {
        match (&self.resource, method) {
            (Resource::Token, _) => "token",
            (Resource::Query | Resource::More(_), _) => "query",
            (Resource::Composite, _) => "composite",
            // One record or two hundred: the verb decides.
            (Resource::Object(_) | Resource::Collections, "POST") => "create",
            (Resource::Collections, "PATCH") => "update",
            (Resource::External(..) | Resource::ManyExternal(..), "PATCH") => "upsert",
            (Resource::Row(..), "PATCH") => "update",
            (Resource::Row(..) | Resource::External(..) | Resource::Collections, "DELETE") => {
                "delete"
            }
            (Resource::Row(..) | Resource::External(..) | Resource::Many(_), _) => "retrieve",
            _ => "describe",
        }
    }
}

fn read_version(text: &str) -> Option<u32> {
    let version = text.strip_prefix('v')?.strip_suffix(".0")?.parse().ok()?;
    VERSIONS.contains(&version).then_some(version)
}

fn data(parts: &[&str]) -> Resource {
    let own = |text: &&str| (*text).to_owned();
    match parts {
        [] => Resource::Index,
        ["query"] => Resource::Query,
        ["query", locator] => Resource::More(own(locator)),
        ["composite"] => Resource::Composite,
        ["composite", "sobjects"] => Resource::Collections,
        ["composite", "sobjects", object] => Resource::Many(own(object)),
        ["composite", "sobjects", object, field] => Resource::ManyExternal(own(object), own(field)),
        ["limits"] => Resource::Limits,
        ["sobjects"] => Resource::Global,
        ["sobjects", object] => Resource::Object(own(object)),
        ["sobjects", object, "describe"] => Resource::Describe(own(object)),
        ["sobjects", object, id] => Resource::Row(own(object), own(id)),
        ["sobjects", object, field, value] => {
            Resource::External(own(object), own(field), own(value))
        }
        _ => Resource::Unknown,
    }
}

/// Decodes percent-encoding; in a path `+` is literal.
#[must_use]
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let coded = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        let coded = coded.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        if let Some(value) = coded.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            plain.push(value);
            at += 3;
        } else {
            plain.push(byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_routed() {
        for (method, url, operation) in [
            ("POST", "http://x/services/oauth2/token", "token"),
            ("GET", "http://x/services/data/v62.0/query?q=a+b", "query"),
            ("GET", "http://x/services/data/v62.0/query/?q=a", "query"),
            (
                "GET",
                "http://x/services/data/v62.0/query/01g-2000",
                "query",
            ),
            (
                "POST",
                "http://x/services/data/v62.0/composite",
                "composite",
            ),
            (
                "PATCH",
                "http://x/services/data/v62.0/composite/sobjects",
                "update",
            ),
            (
                "POST",
                "http://x/services/data/v62.0/composite/sobjects",
                "create",
            ),
            (
                "POST",
                "http://x/services/data/v62.0/composite/sobjects/Case",
                "retrieve",
            ),
            (
                "PATCH",
                "http://x/services/data/v62.0/composite/sobjects/Case/External_ID__c",
                "upsert",
            ),
            (
                "POST",
                "http://x/services/data/v62.0/sobjects/Case/",
                "create",
            ),
            (
                "PATCH",
                "http://x/services/data/v62.0/sobjects/Case/5001",
                "update",
            ),
            (
                "GET",
                "http://x/services/data/v62.0/sobjects/Case/5001",
                "retrieve",
            ),
            (
                "DELETE",
                "http://x/services/data/v62.0/sobjects/Case/5001",
                "delete",
            ),
            (
                "PATCH",
                "/services/data/v62.0/sobjects/Case/External_ID__c/a%20b",
                "upsert",
            ),
            (
                "GET",
                "/services/data/v62.0/sobjects/Case/describe",
                "describe",
            ),
            ("GET", "/services/data/", "describe"),
            ("GET", "/services/data/v62.0/", "describe"),
            ("GET", "/services/data/v62.0/sobjects/Case", "describe"),
        ] {
            assert_eq!(
                Target::read(url).unwrap().operation(method),
                operation,
                "{url}"
            );
        }
        assert!(Target::read("http://x/v1/customers").is_none());
        let target =
            Target::read("/services/data/v62.0/sobjects/Case/External_ID__c/a%2Fb+c%27").unwrap();
        assert_eq!(
            target.resource,
            Resource::External("Case".into(), "External_ID__c".into(), "a/b+c'".into())
        );
        assert_eq!(
            Target::read("/services/data/v7.0/query").unwrap().resource,
            Resource::Unknown
        );
    }
}
