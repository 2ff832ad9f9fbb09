//! Who started an execution, as the dispatcher stores it with the input: it outlives the request.

use dewy_domain::{
    caller::{Caller, Role},
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
};
use dewy_saga::Context;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StartedBy<'a> {
    /// The caller's key: `guest:…`, `staff:…`.
    pub key: &'a str,
    /// Role of staff; `clock` for a scheduled job.
    role: Option<&'a str>,
    /// Whether a scheduled job did.
    pub clock: bool,
}

/// Field `_by` of the input. What a person may decide depends on their role, even when another
/// process takes the execution over; the origin outlives the audit log.
pub(crate) fn input_field(caller: &Caller) -> Value {
    let origin = &caller.origin;
    json!({ "key": caller.key(), "role": caller.role.map(Role::name), "credential": origin.credential,
        "request": origin.request })
}

/// The same field of an execution that one of the hotel's own jobs starts.
pub(crate) fn clock(key: &str) -> Value {
    json!({ "key": key, "role": "clock", "clock": true })
}

impl<'a> StartedBy<'a> {
    /// Who started this execution.
    pub(crate) fn of(cx: &Context<'a>) -> Self {
        #[derive(Deserialize)]
        struct Started<'a> {
            #[serde(borrow, rename = "_by")]
            by: StartedBy<'a>,
        }
        Started::deserialize(cx.input).map_or_else(|_| Self::default(), |input| input.by)
    }

    /// The guest who did; staff may act for any guest.
    pub(crate) fn guest(&self) -> Option<GuestIdentity> {
        self.key.strip_prefix("guest:").map(GuestIdentity::from)
    }

    /// The guest whose records are meant, as [`Caller::guest_meant`].
    pub(crate) fn guest_meant(&self, named: Option<EmailAddress>) -> Option<GuestIdentity> {
        self.guest()
            .or_else(|| named.map(GuestIdentity::whoever_has))
    }

    pub(crate) fn role(&self) -> Option<Role> {
        self.role.and_then(Role::from_name)
    }
}
