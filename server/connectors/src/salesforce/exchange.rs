//! One exchange with the org: its session renewed once, and all pages of a list.

use std::time::Duration;

use dewy_domain::{
    ports::TransportError,
    upstream_request::{Call, Fault, Outcome},
};

use super::{Salesforce, query_pages, requests::Requests, responses, session::Session};
use crate::{
    client_policy::{Priority, http_request},
    exchange_result::Response,
};

const WRITES: [&str; 4] = ["composite", "create", "update", "upsert"];

/// Error code for a list longer than the limit.
const TOO_MANY: &str = "too_many_rows";

impl Salesforce {
    pub(super) async fn exchange<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        match self.try_exchange(priority, call, until).await {
            Ok(response) => {
                let reply = match self.whole(priority, response, until).await {
                    Ok(response) => self.hidden_field(read(&response)),
                    Err(error) if call.method == "GET" && error.code == TOO_MANY => {
                        Outcome::Refused(error)
                    }
                    // A read can be retried; the effect of a write is unknown.
                    Err(error) if call.method == "GET" => Outcome::TryLater(error),
                    Err(error) => Outcome::Unknown(error),
                };
                self.policy.note(&call.operation, &reply);
                reply
            }
            Err(not_sent) => not_sent
                .and_then(|()| Outcome::TryLater(Fault::new("not_sent", "nothing was sent"))),
        }
    }

    /// Response with all pages of its lists.
    async fn whole(
        &self,
        priority: Priority,
        response: Response,
        until: Duration,
    ) -> Result<Response, Fault> {
        let Ok(mut response) = response else {
            return Ok(response);
        };
        if response.status != 200 || !query_pages::may_be_cut(&response.body) {
            return Ok(Ok(response));
        }
        let cut_off = |words: &str| Fault::new(TOO_MANY, words);
        let mut body =
            String::from_utf8(response.body).map_err(|_| cut_off("a page is not UTF-8"))?;
        let mut fetched = 0;
        while let Some(cut) = query_pages::first_truncated_list(&body) {
            fetched += 1;
            if fetched > query_pages::MAX_PAGES {
                return Err(cut_off("the result has more pages than the limit"));
            }
            if !cut.next.starts_with("/services/data/") {
                return Err(cut_off("the next page's address is not part of this API"));
            }
            let call = Requests::page(&cut.next);
            let response = self.try_exchange(priority, &call, until).await;
            let response = response.map_err(|_| cut_off("a further page was not requested"))?;
            let page = responses::object::<query_pages::Page>(&response);
            self.policy.note(&call.operation, &page);
            let page = page.answered()?;
            body = query_pages::joined(&body, &cut, &page)
                .ok_or_else(|| cut_off("a further page does not match its list"))?;
        }
        response.body = body.into_bytes();
        Ok(Ok(response))
    }

    /// `Err` when the call itself was not sent.
    async fn try_exchange(
        &self,
        priority: Priority,
        call: &Call,
        until: Duration,
    ) -> Result<Response, Outcome<()>> {
        let _place = self
            .policy
            .enter(priority, until)
            .await
            .map_err(Outcome::TryLater)?;
        let session = self
            .sessions
            .get(None, &self.config, &self.policy, until)
            .await?;
        let response = self.send(&session, call, until).await?;
        let again = match &response {
            Ok(response) if response.status == 401 => Some("expired_session"),
            // The org may have moved to another host
            other if is_elsewhere(other) && self.sessions.may_drop(self.policy.uptime()) => {
                Some(if other.is_err() { "connect" } else { "moved" })
            }
            _ => None,
        };
        let Some(why) = again else {
            return Ok(response);
        };
        let renewed = self
            .sessions
            .get(Some(&session), &self.config, &self.policy, until)
            .await;
        // What somebody else made of a write is not known: it is looked up at the new host
        if why == "moved" && WRITES.contains(&call.operation.as_str()) {
            return Ok(response);
        }
        self.policy.count_aside(&call.operation, why);
        let session = renewed?;
        self.send(&session, call, until).await
    }

    async fn send(
        &self,
        session: &Session,
        call: &Call,
        until: Duration,
    ) -> Result<Response, Outcome<()>> {
        let request = http_request(&session.base, session.bearer(), call);
        let response = self
            .policy
            .send(&call.operation, request, session.secret(), until)
            .await
            .map_err(Outcome::TryLater)?;
        if let Ok(response) = &response {
            self.usage.record(response, self.policy.now());
        }
        Ok(response)
    }
}

/// Whether the host that a session names is not the org's any more: it can't be reached, or something
/// else answers there, such as a page about the move.
fn is_elsewhere(response: &Response) -> bool {
    match response {
        Err(TransportError::Connect(_)) => true,
        Err(_) => false,
        Ok(response) => {
            let own = response
                .body
                .iter()
                .find(|byte| !byte.is_ascii_whitespace())
                .is_some_and(|first| matches!(first, b'[' | b'{'));
            let moved =
                str::from_utf8(&response.body).is_ok_and(|body| body.contains("\"URL_NOT_RESET\""));
            match response.status {
                200 => !own,
                300..400 | 404 | 410 | 421 => !own || moved,
                400..500 => moved,
                _ => false,
            }
        }
    }
}
