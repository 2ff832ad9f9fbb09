//! Simulated mail server, and the receipts that it is given.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use dewy_domain::{
    error_code::ErrorCode,
    ports::{Email, EmailWriter, ExecutionFeed, Mail, SignedIn},
    upstream_request::{Call, Fault, Outcome, System},
    vocabulary::ExecutionState,
};
use dewy_orchestrators::Hotel;
use jiff::Timestamp;

/// What happens to an email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailFault {
    /// No connection: it was not sent.
    Unreachable,
    /// Not delivered, and no error is reported.
    Lost,
    /// Delivered, but the confirmation is lost.
    AnswerLost,
    /// It is not delivered to this address.
    Refused,
}

/// The server, and everything it has delivered: address and message.
#[derive(Clone, Debug, Default)]
pub struct MailServer {
    delivered: Arc<Mutex<Vec<(String, String)>>>,
    faults: Arc<Mutex<VecDeque<MailFault>>>,
    dead: Arc<AtomicBool>,
    unwritable: Unwritable,
}

/// Guests whose receipts can't be written now.
pub type Unwritable = Arc<Mutex<Vec<String>>>;

impl MailServer {
    pub fn of_process(&self, dead: &Arc<AtomicBool>) -> Self {
        Self {
            dead: Arc::clone(dead),
            ..self.clone()
        }
    }

    /// Breaks the next emails, in this order.
    pub fn break_next(&self, faults: impl IntoIterator<Item = MailFault>) {
        self.faults.lock().unwrap().extend(faults);
    }

    /// Guests whose receipts can't be written now.
    pub fn unwritable(&self) -> Unwritable {
        Arc::clone(&self.unwritable)
    }

    /// Emails in the mailboxes, and how often each is there.
    pub fn delivered(&self) -> Vec<(String, String)> {
        self.delivered.lock().unwrap().clone()
    }
}

#[async_trait::async_trait]
impl Mail for MailServer {
    fn message(&self, email: &Email, id: &str, _: Timestamp) -> Option<Call> {
        Some(Call {
            system: System::Smtp,
            operation: "message_send".to_owned(),
            method: "DATA".to_owned(),
            path: email.to.clone(),
            headers: Vec::new(),
            body: format!(
                "Message-ID: {id}\nSubject: {}\n\n{}",
                email.subject, email.text
            ),
            idempotency_key: None,
        })
    }

    async fn send(&self, call: &Call) -> Outcome<()> {
        if self.dead.load(Ordering::SeqCst) {
            return std::future::pending().await;
        }
        let fault = self.faults.lock().unwrap().pop_front();
        let error = |code: &str| Fault::new(code, "planted");
        if matches!(fault, None | Some(MailFault::AnswerLost)) {
            let one = (call.path.clone(), call.body.clone());
            self.delivered.lock().unwrap().push(one);
        }
        match fault {
            None => Outcome::Done(()),
            Some(MailFault::Unreachable) => Outcome::TryLater(error("smtp_unreachable")),
            Some(MailFault::Refused) => Outcome::Refused(error("smtp_550")),
            Some(MailFault::Lost | MailFault::AnswerLost) => Outcome::Unknown(error("timeout")),
        }
    }
}

/// Writes receipts from the execution alone; pages are not simulated.
#[derive(Debug)]
pub struct SimulatedEmailWriter(pub Arc<Hotel>, pub Option<Unwritable>);

#[async_trait::async_trait]
impl EmailWriter for SimulatedEmailWriter {
    async fn write(
        &self,
        guest: &SignedIn,
        execution: &str,
        language: Option<&str>,
    ) -> Result<Option<Email>, ErrorCode> {
        let email = &guest.caller.email;
        let not_now = |list: &Unwritable| list.lock().unwrap().iter().any(|one| email == one);
        if self.1.as_ref().is_some_and(not_now) {
            return Err(ErrorCode::UpstreamUnavailable);
        }
        let found = self.0.execution(&guest.caller, execution).await;
        let completed = found.filter(|view| view.state == ExecutionState::Completed);
        Ok(completed.map(|view| Email {
            to: guest.caller.email.to_string(),
            subject: format!("{} {}", language.unwrap_or("hotel"), guest.last_name),
            text: view.summary.to_string(),
            html: String::new(),
            calendar: None,
        }))
    }
}
