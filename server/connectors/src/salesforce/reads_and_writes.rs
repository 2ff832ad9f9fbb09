//! Reads, which may be repeated, and writes, which are sent once; both are built again without a field
//! that Salesforce hides, if they can do without it.

use dewy_domain::{
    upstream_request::{Call, Fault, Outcome},
    vocabulary::FaultCode,
};

use serde::de::DeserializeOwned;

use super::{
    OrgVocabulary, Salesforce,
    field_access::{self, Lesson},
    responses,
};
use crate::{client_policy::Priority, exchange_result::Response};

/// Error code of a request that named a field which is left out from now on.
const LEFT_OUT: &str = "field_left_out";
/// The same for a field that only reads can leave out.
const READS_LEAVE_OUT: &str = "field_left_out_of_reads";
/// Error code of a request that followed a hidden lookup.
const RELATIONSHIP: &str = "relationship_hidden";

impl Salesforce {
    pub(super) async fn read<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        self.read_built(priority, || self.requests.visible(call), read)
            .await
    }

    /// Read whose request is built again when a field turns out to be hidden that it can do without.
    pub(super) async fn read_built<T: Send>(
        &self,
        priority: Priority,
        build: impl Fn() -> Call + Send + Sync,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        let until = self.policy.until(self.config.deadline);
        let mut call = build();
        // Salesforce names one hidden field at a time
        loop {
            let built = self.policy.uptime();
            let once = || self.exchange(priority, &call, until, read);
            let reply = self.policy.retried_once(until, once).await;
            let error = match reply {
                Outcome::TryLater(error) if is_left_out(&error) => error,
                other => return other,
            };
            if error.code == RELATIONSHIP {
                self.relearn(built).await;
            }
            let again = build();
            if again == call {
                return Outcome::TryLater(self.needed(&call, error));
            }
            call = again;
        }
    }

    pub(super) async fn rows<T: DeserializeOwned + Send>(
        &self,
        priority: Priority,
        call: &Call,
    ) -> Outcome<Vec<T>> {
        self.read(priority, call, responses::query).await
    }

    /// What a composite wrote, as its own parts tell.
    pub(super) async fn write_composite<T>(
        &self,
        call: &Call,
        written: fn(Vec<responses::Part>, &OrgVocabulary) -> Outcome<T>,
    ) -> Outcome<T> {
        let parts = self
            .write(Priority::Normal, call, responses::composite)
            .await;
        parts.and_then(|parts| written(parts, &self.config.vocabulary))
    }

    /// Write: sent once.
    pub(super) async fn write<T: Send>(
        &self,
        priority: Priority,
        call: &Call,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        let built = self.policy.uptime();
        let until = self.policy.until(self.config.deadline);
        match self.exchange(priority, call, until, read).await {
            Outcome::TryLater(error) if is_left_out(&error) => {
                let rebuild = match error.code.as_str() {
                    RELATIONSHIP => self.relearn(built).await,
                    code => code == LEFT_OUT,
                };
                if !rebuild {
                    return Outcome::TryLater(self.needed(call, error));
                }
                // Nothing was written: to be looked up, and built anew without the field
                Outcome::Refused(Fault {
                    code: FaultCode::GuardFailed.to_string(),
                    ..error
                })
            }
            other => other,
        }
    }

    /// What a refusal means that names a field: with one that we can do without, the request is built
    /// anew; without one that we need, nothing is possible until an operator shows it to our user.
    pub(super) fn hidden_field<T>(&self, reply: Outcome<T>) -> Outcome<T> {
        let Outcome::Refused(error) = reply else {
            return reply;
        };
        let again = |code: &str, error| {
            let code = code.to_owned();
            Outcome::TryLater(Fault { code, ..error })
        };
        match self.requests.access.learn(&error) {
            Lesson::Nothing => Outcome::Refused(error),
            Lesson::LeftOut { rebuild: true } => again(LEFT_OUT, error),
            Lesson::LeftOut { rebuild: false } => again(READS_LEAVE_OUT, error),
            Lesson::Relationship => again(RELATIONSHIP, error),
            Lesson::Needed(field) => Outcome::TryLater(field_access::needed(&field, error)),
        }
    }
}

/// Whether the request may be built anew, without a field that it named.
fn is_left_out(error: &Fault) -> bool {
    [LEFT_OUT, READS_LEAVE_OUT, RELATIONSHIP].contains(&error.code.as_str())
}
