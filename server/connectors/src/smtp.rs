//! Email, over SMTP.
//!
//! ```text
//! email ── one MIME message, text and HTML, perhaps an event, with a Message-ID that its sender chooses
//! send ──── connect, sign in, say hello: whatever fails here was not sent
//!           MAIL, RCPT, DATA: 4xx later, 5xx refused, no answer unknown
//! ```

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    access_refusal::MAIL_SENDER_REFUSED,
    ports::{Clock, Email, Mail},
    upstream_request::{Call, Fault, Outcome, System},
};
use jiff::Timestamp;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    address::Envelope,
    message::{Attachment, Mailbox, MultiPart},
    transport::smtp::Error,
};

use crate::{
    access_alarms, exchange_log::ExchangeLog, health_stats::HealthStats, request_counters::Count,
};

/// Name of the only operation, in metrics.
const SEND: &str = "message_send";

/// Number of failures in a row after which the server counts as down. Nothing is held back: the
/// engine has pauses of its own.
const DOWN_AFTER: u32 = 3;

/// File name of an attached event.
const EVENT: &str = "booking.ics";

const DEADLINE: Duration = Duration::from_secs(20);

/// Client of one mail server.
pub struct Smtp {
    server: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    clock: Arc<dyn Clock>,
    log: ExchangeLog,
}

impl Smtp {
    /// Creates a client; connects to nothing yet. The URL is `smtps://user:password@host`,
    /// `smtp://user:password@host:587?tls=required`, or `smtp://host:25`; the sender is an address,
    /// with or without a name.
    ///
    /// # Errors
    /// What is wrong, without the URL, which contains a password.
    pub fn new(
        url: &str,
        from: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, (&'static str, String)> {
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| ("SMTP_URL", error.to_string()))?
            .timeout(Some(DEADLINE))
            .build();
        let from = from.parse().map_err(|_| {
            let expected = "must be an address, such as Dewy Resort <stay@dewy.example>";
            ("SMTP_FROM", expected.to_owned())
        })?;
        let log = ExchangeLog::new(System::Smtp, DOWN_AFTER, DEADLINE, Arc::clone(&clock));
        Ok(Self {
            server,
            from,
            clock,
            log,
        })
    }

    /// Messages so far, by outcome.
    pub fn counts(&self) -> Vec<Count> {
        self.log.counts()
    }

    /// Recent health of the server.
    pub fn health_stats(&self) -> HealthStats {
        HealthStats {
            circuit_open_until: None,
            ..self.log.health_stats()
        }
    }

    /// Connects, signs in, and disconnects.
    pub async fn check(&self) -> Outcome<()> {
        match self.server.test_connection().await {
            Ok(true) => Outcome::Done(()),
            Ok(false) => Outcome::TryLater(Fault::new(
                "smtp_unreachable",
                "the mail server does not answer",
            )),
            Err(error) => Outcome::TryLater(smtp_error(&error)),
        }
    }
}

/// Whether an answer is about the sender, by its enhanced status code (RFC 3463, 7372): a sender's
/// address that is not taken, or a domain that may not send from there. 553 5.7.1 is what Postfix
/// answers for a sender that the user doesn't own, 5.7.60 Exchange.
fn refuses_sender(code: &str, answer: &str) -> bool {
    let enhanced = answer
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .find(|word| word.starts_with("5.") && word.matches('.').count() == 2);
    match enhanced {
        Some("5.7.1") => code == "553",
        Some(status) => {
            const SENDER: [&str; 9] = [
                "5.1.7", "5.1.8", "5.7.20", "5.7.21", "5.7.22", "5.7.23", "5.7.25", "5.7.26",
                "5.7.60",
            ];
            SENDER.contains(&status)
        }
        None => false,
    }
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").finish_non_exhaustive()
    }
}

#[async_trait]
impl Mail for Smtp {
    fn message(&self, email: &Email, id: &str, at: Timestamp) -> Option<Call> {
        let to: Address = email.to.parse().ok()?;
        let body = MultiPart::alternative_plain_html(email.text.clone(), email.html.clone());
        let body = match &email.calendar {
            None => body,
            Some(calendar) => {
                let kind = "text/calendar; charset=utf-8; method=PUBLISH"
                    .parse()
                    .ok()?;
                let event = Attachment::new(EVENT.to_owned()).body(calendar.clone(), kind);
                MultiPart::mixed().multipart(body).singlepart(event)
            }
        };
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to.clone()))
            .subject(email.subject.as_str())
            .date(at.into())
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .multipart(body)
            .ok()?;
        Some(Call {
            system: System::Smtp,
            operation: SEND.to_owned(),
            method: "DATA".to_owned(),
            path: to.to_string(),
            headers: Vec::new(),
            body: String::from_utf8(message.formatted()).ok()?,
            idempotency_key: None,
        })
    }

    fn refuses_us(&self) -> bool {
        self.health_stats().refuses_everything()
    }

    async fn send(&self, call: &Call) -> Outcome<()> {
        let envelope = call
            .path
            .parse()
            .ok()
            .and_then(|to| Envelope::new(Some(self.from.email.clone()), vec![to]).ok());
        let Some(envelope) = envelope else {
            return Outcome::Refused(Fault::new("smtp_address", "no mail address"));
        };
        let began = self.clock.uptime();
        let reply = self.exchange(&envelope, call.body.as_bytes()).await;
        self.log.note(SEND, &reply);
        if matches!(reply, Outcome::Done(()) | Outcome::Refused(_)) {
            self.log
                .record_duration(self.clock.uptime().saturating_sub(began));
        }
        reply
    }
}

impl Smtp {
    async fn exchange(&self, envelope: &Envelope, message: &[u8]) -> Outcome<()> {
        // What fails here was not sent; later, a missing answer says nothing
        match self.check().await {
            Outcome::Done(()) => {}
            other => return other,
        }
        match self.server.send_raw(envelope, message).await {
            Ok(_) => Outcome::Done(()),
            Err(error) if error.is_permanent() => {
                access_alarms::refusal(System::Smtp, smtp_error(&error))
            }
            Err(error) if error.is_transient() => Outcome::TryLater(smtp_error(&error)),
            Err(error) => Outcome::Unknown(smtp_error(&error)),
        }
    }
}

/// The server's own words are left out: they repeat the address.
fn smtp_error(error: &Error) -> Fault {
    match error.status() {
        Some(code) if refuses_sender(&code.to_string(), &error.to_string()) => Fault::new(
            MAIL_SENDER_REFUSED,
            format!("the mail server answered {code}: it does not send for our sender"),
        ),
        Some(code) => Fault::new(
            format!("smtp_{code}"),
            format!("the mail server answered {code}"),
        ),
        None if error.is_timeout() => {
            Fault::new("timeout", "the mail server did not answer in time")
        }
        None => Fault::new(
            "smtp_unreachable",
            "the connection to the mail server failed",
        ),
    }
}
