//! Usage of the org's daily quota: `Sforce-Limit-Info: api-usage=18/100000`.

use std::sync::{Mutex, PoisonError};

use dewy_domain::{api_usage::ApiUsage, ports::HttpResponse};
use jiff::Timestamp;

/// Latest report.
#[derive(Debug, Default)]
pub(super) struct Usage(Mutex<Option<ApiUsage>>);

impl Usage {
    /// Reads the figures from a response, if it has them.
    pub(super) fn record(&self, response: &HttpResponse, at: Timestamp) {
        if let Some((used, allowed)) = response.header("sforce-limit-info").and_then(parse) {
            let usage = ApiUsage { used, allowed, at };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(usage);
        }
    }

    pub(super) fn get(&self) -> Option<ApiUsage> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(header: &str) -> Option<(u64, u64)> {
    let figures = header
        .split([',', ';'])
        .find_map(|part| part.trim().strip_prefix("api-usage="))?;
    let (used, limit) = figures.split_once('/')?;
    Some((used.trim().parse().ok()?, limit.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usage_header_is_read_with_and_without_per_app_values() {
        assert_eq!(parse("api-usage=18/100000"), Some((18, 100_000)));
        assert_eq!(
            parse("api-usage=25/5000, per-app-api-usage=17/250(appName=sample)"),
            Some((25, 5000))
        );
        assert_eq!(parse("api-usage=many"), None);
    }
}
