//! The contact saga: finds a contact by email or creates it; an existing one is never overwritten.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    email_address::EmailAddress,
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    ports::Crm,
    reservation::NewGuest,
    tool_catalog::CreateContactIfNotFound,
    tool_input::ToolInput,
    tool_output::GuestResult,
    upstream_request::{Call, Reply},
};
use dewy_saga::{Context, Fault, PrerequisitesResult, Saga, StepId};
use futures::FutureExt;
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    presentation,
    reconciled_write::{LookupResult, Precondition, ReconciledWrite, Write, WriteRequest},
    tool_answer::{self, prerequisites_unavailable, succeeded},
};

const MAKE: StepId = StepId::new("make");

/// The contact saga.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let make = ReconciledWrite::new(CreateContact(Arc::clone(&parts.crm)), &parts.settings);
    Saga::new(CreateContactIfNotFound::NAME, 1, "Find or create a contact")
        .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()))
        .pivot(MAKE, "Create the contact", make)
        .no_undo("an unused contact is harmless and is reused next time")
        .until_known()
        .answer(tool_answer::of_result(result))
}

/// Presentation of the contact saga.
pub(crate) static PRESENTATION: presentation::Labels<GuestResult> = presentation::Labels {
    done: |guest| {
        let (first, last) = (guest.first_name, guest.last_name);
        let what = if guest.created {
            "was added"
        } else {
            "was there already"
        };
        format!("{first} {last} {what}.")
    },
    doing: "Adding the contact.",
    not_done: "The contact was not added.",
};

fn wanted(input: CreateContactIfNotFound) -> NewGuest {
    NewGuest {
        email: input.email,
        without_email: false,
        first_name: input.first_name.into(),
        last_name: input.last_name.into(),
        phone: input.phone,
        kind: input.contact_type,
    }
}

async fn find(crm: &dyn Crm, email: EmailAddress) -> Reply<Option<Guest>> {
    crm.guests(&GuestQuery::Email(GuestIdentity::whoever_has(email)), 1)
        .await
        .map(|guests| guests.into_iter().next())
}

async fn read(
    parts: &HotelDependencies,
    _: Context<'_>,
    input: CreateContactIfNotFound,
) -> PrerequisitesResult {
    let wanted = wanted(input);
    let labels = vec![("guest_email".to_owned(), wanted.email.to_string())];
    match find(parts.crm.as_ref(), wanted.email.clone())
        .await
        .answered()
    {
        Ok(Some(guest)) => {
            let found = GuestResult {
                email: guest.email,
                first_name: guest.first_name,
                last_name: guest.last_name,
                phone: guest.phone,
                created: false,
            };
            PrerequisitesResult::Finished {
                answer: succeeded(found),
                labels,
            }
        }
        Ok(None) => {
            let claims = vec![format!("guest:{}", wanted.email)];
            PrerequisitesResult::Ready {
                facts: json!({}),
                claims,
                labels,
            }
        }
        Err(error) => prerequisites_unavailable(error),
    }
}

/// The new contact.
fn result(cx: Context<'_>) -> Option<(GuestResult, bool)> {
    let wanted = engine_conversions::input(&cx).map(wanted).ok()?;
    let created = GuestResult {
        email: Some(wanted.email),
        first_name: wanted.first_name,
        last_name: wanted.last_name,
        phone: wanted.phone,
        created: true,
    };
    cx.progress.is_done(MAKE).then_some((created, true))
}

/// Write of the step. The email is unique, so resending creates the contact only once.
struct CreateContact(Arc<dyn Crm>);

#[async_trait]
impl Write for CreateContact {
    fn build_request(&self, cx: &Context<'_>, _: Option<&Value>) -> Result<WriteRequest, Fault> {
        let wanted = engine_conversions::input(cx).map(wanted)?;
        Ok(WriteRequest::Send(self.0.create_contact(&wanted), None))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_create_contact(call)
            .await
            .map(|()| json!({ "made": true }))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let wanted = match engine_conversions::input(cx).map(wanted) {
            Ok(wanted) => wanted,
            Err(fault) => return Reply::Done(LookupResult::Refused(fault)),
        };
        let found = find(self.0.as_ref(), wanted.email).await;
        found.map(|found| match found {
            Some(guest) => LookupResult::Applied(json!({ "made": true, "id": guest.id })),
            None => LookupResult::NotApplied {
                found: Value::Null,
                precondition: Precondition::Unique,
            },
        })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
