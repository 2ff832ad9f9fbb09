//! The contact saga: finds a contact by email or creates it; an existing one is never overwritten.

use async_trait::async_trait;
use dewy_domain::{
    email_address::EmailAddress,
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    ports::Crm,
    reservation::NewGuest,
    tool_catalog::CreateContactIfNotFound,
    tool_output::GuestResult,
    upstream_request::{Call, Outcome},
};
use dewy_saga::{Context, Fault, Plan, PrerequisitesResult, Saga, StepId};
use futures::FutureExt;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, finished, label, ready},
    presentation,
    reconciled_write::{Lookup, LookupResult, Precondition, ReconciledWrite, Write},
    tool_answer,
};

const MAKE: StepId = StepId::new("make");

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let make = ReconciledWrite::new(parts, CreateContact);
    Saga::new(CreateContactIfNotFound::NAME, 1, "Find or create a contact")
        .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()))
        .pivot(MAKE, "Create the contact", make)
        .no_undo("an unused contact is harmless and is reused next time")
        .until_known()
        .answer(tool_answer::of_result(result))
}

pub(crate) static PRESENTATION: presentation::Labels<GuestResult> = presentation::Labels {
    done: |guest| {
        let (first, last) = (guest.first_name, guest.last_name);
        let what = if guest.created {
            "was added"
        } else {
            "was there already"
        };
        format!("{first} {last} {what}.").into()
    },
    doing: || "Adding the contact.".into(),
    not_done: || "The contact was not added.".into(),
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

async fn find(crm: &dyn Crm, email: EmailAddress) -> Result<Option<Guest>, Fault> {
    let query = GuestQuery::Email(GuestIdentity::whoever_has(email));
    let guests = crm.guests(&query, 1).await.answered()?;
    Ok(guests.into_iter().next())
}

async fn read(
    parts: &HotelDependencies,
    _: Context<'_>,
    input: CreateContactIfNotFound,
) -> Result<PrerequisitesResult, NotReady> {
    let wanted = wanted(input);
    let labels = vec![label("guest_email", &wanted.email)];
    if let Some(guest) = find(parts.crm.as_ref(), wanted.email.clone()).await? {
        let found = GuestResult {
            email: guest.email,
            first_name: guest.first_name,
            last_name: guest.last_name,
            phone: guest.phone,
            created: false,
        };
        return finished(found, labels);
    }
    ready(&json!({}), vec![format!("guest:{}", wanted.email)], labels)
}

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
struct CreateContact;

#[async_trait]
impl Write for CreateContact {
    type Facts = NewGuest;
    type Found = ();
    type Output = Value;

    fn facts(&self, cx: &Context<'_>) -> Result<NewGuest, Plan> {
        let input = engine_conversions::input(cx);
        input.map(wanted).map_err(Plan::Refuse)
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        wanted: NewGuest,
        _: Option<()>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        Ok((crm.create_contact(&wanted), None))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<Value> {
        let sent = crm.send_create_contact(call).await;
        sent.map(|()| json!({ "made": true }))
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        wanted: NewGuest,
    ) -> Result<Lookup<Self>, Fault> {
        Ok(match find(crm, wanted.email).await? {
            Some(guest) => LookupResult::Applied(json!({ "made": true, "id": guest.id })),
            None => LookupResult::NotApplied {
                found: (),
                precondition: Precondition::Unique,
            },
        })
    }
}
