//! Reads variables and collects every fault, so that one start reports them all.

use std::{fmt, ops::RangeInclusive, str::FromStr, time::Duration};

use secrecy::SecretString;
use url::Url;

/// Configuration fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub variable: String,
    /// What is wrong and how to fix it.
    pub message: String,
}

/// All faults of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "the configuration is invalid; .env.example explains every variable"
        )?;
        for Problem { variable, message } in &self.0 {
            writeln!(f, "  {variable}: {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Reads variables; an empty variable counts as unset.
pub struct Reader<'a> {
    get: &'a dyn Fn(&str) -> Option<String>,
    problems: Vec<Problem>,
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

impl<'a> Reader<'a> {
    /// Creates a reader over any source of variables.
    pub fn new(get: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            get,
            problems: Vec::new(),
        }
    }

    /// Faults found so far.
    #[must_use]
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Records a fault.
    pub fn problem(&mut self, variable: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            variable: variable.to_owned(),
            message: message.into(),
        });
    }

    #[must_use]
    pub fn text(&self, variable: &str) -> Option<String> {
        (self.get)(variable)
            .map(|v| v.trim().to_owned())
            .filter(|v| !v.is_empty())
    }

    #[must_use]
    pub fn secret(&self, variable: &str) -> Option<SecretString> {
        self.text(variable).map(SecretString::from)
    }

    /// Variable parsed as `T`; `expected` describes the format.
    pub fn parsed<T: FromStr>(&mut self, variable: &str, expected: &str) -> Option<T> {
        let text = self.text(variable)?;
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.problem(variable, format!("{text:?} is not {expected}"));
        }
        parsed
    }

    /// Whole number within bounds.
    pub fn number(&mut self, variable: &str, default: u64, range: RangeInclusive<u64>) -> u64 {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let Some(number) = self.parsed::<u64>(variable, &expected) else {
            return default;
        };
        if range.contains(&number) {
            number
        } else {
            self.problem(variable, format!("{number} is not {expected}"));
            default
        }
    }

    /// Number of seconds within bounds.
    pub fn seconds(
        &mut self,
        variable: &str,
        default: u64,
        range: RangeInclusive<u64>,
    ) -> Duration {
        Duration::from_secs(self.number(variable, default, range))
    }

    /// Web address. Plain http is allowed only for loopback, because credentials are sent over it.
    pub fn url(&mut self, variable: &str) -> Option<Url> {
        // Its messages never repeat the value: an address may contain a password
        let url = self.text(variable)?.parse::<Url>().ok();
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.host().is_some();
        let Some(url) = url.filter(is_web) else {
            self.problem(
                variable,
                "must be a web address such as https://example.com",
            );
            return None;
        };
        if url.scheme() == "http" && !is_loopback(&url) {
            self.problem(
                variable,
                "must be https, because credentials are sent over it",
            );
            return None;
        }
        Some(url)
    }

    /// Group of variables that must be set together. True when all are set; when only some are (or
    /// one of `beside` is), every missing one is a fault.
    pub fn group(&mut self, system: &str, all: &[&str], beside: &[&str]) -> bool {
        let is_set = |v: &&&str| self.text(v).is_some();
        let set: Vec<&str> = all.iter().chain(beside).filter(is_set).copied().collect();
        let missing: Vec<&str> = all
            .iter()
            .filter(|v| self.text(v).is_none())
            .copied()
            .collect();
        if set.is_empty() {
            return false;
        }
        for variable in &missing {
            let message = format!(
                "missing: {system} is only partly configured. Set it as well, or unset {}",
                set.join(", ")
            );
            self.problem(variable, message);
        }
        missing.is_empty()
    }
}

/// Whether traffic to the address stays on this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
