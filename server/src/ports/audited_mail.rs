//! Records every message handed to the mail server in the audit log, like tool calls: guests appear
//! by ID, never by address.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Interface},
    error_code::ErrorCode,
    ports::{Clock, Email, Mail},
    upstream_request::{Call, Outcome},
};
use dewy_orchestrators::{AuditLog, CallRecord, SEND_EMAIL};
use jiff::Timestamp;

/// A mail server whose messages are recorded.
#[derive(Clone, Debug)]
pub struct AuditedMail {
    /// The mail server.
    pub inner: Arc<dyn Mail>,
    pub log: Arc<dyn AuditLog>,
    /// Time of the records.
    pub clock: Arc<dyn Clock>,
}

#[async_trait]
impl Mail for AuditedMail {
    fn message(&self, email: &Email, id: &str, at: Timestamp) -> Option<Call> {
        self.inner.message(email, id, at)
    }

    fn refuses_us(&self) -> bool {
        self.inner.refuses_us()
    }

    async fn send(&self, call: &Call) -> Outcome<()> {
        let entry = self.log.open().await;
        let reply = self.inner.send(call).await;
        let (status, outcome) = match &reply {
            Outcome::Done(()) => (200, "OK"),
            Outcome::Refused(_) => of(ErrorCode::UpstreamRefused),
            _ => of(ErrorCode::UpstreamUnavailable),
        };
        let execution = execution(&call.body).map(str::to_owned);
        entry.fill(CallRecord {
            at: self.clock.now(),
            by: Caller::guest(&call.path, Interface::Clock),
            on_behalf_of: None,
            tool: SEND_EMAIL.to_owned(),
            status,
            outcome,
            // Anybody may ask for a code to any address
            proven: execution.is_some(),
            execution,
        });
        reply
    }
}

const fn of(code: ErrorCode) -> (u16, &'static str) {
    (code.status(), code.code())
}

/// The execution whose message it is, by its `Message-ID`.
fn execution(message: &str) -> Option<&str> {
    let id = message
        .lines()
        .take_while(|line| !line.is_empty())
        .find_map(|line| line.strip_prefix("Message-ID: <"))?;
    let (id, _) = id.split_once('@')?;
    id.starts_with("exe_").then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_its_execution() {
        let message =
            |id: &str| format!("To: a@b.example\r\nMessage-ID: <{id}@c.example>\r\n\r\nexe_");
        assert_eq!(execution(&message("exe_1")), Some("exe_1"));
        assert_eq!(execution(&message("code_1")), None);
        assert_eq!(
            execution("To: a@b.example\r\n\r\nMessage-ID: <exe_1@c>"),
            None
        );
    }
}
