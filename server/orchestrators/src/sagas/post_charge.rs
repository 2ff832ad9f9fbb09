//! The charge saga: posts or voids a charge on a folio in one composite, identified by our
//! reference.
//!
//! ```text
//! read   the stay in the room (one SOQL) ── rules ──► facts
//! post   + the line, and the booking touched under its stamp   (a void is a separate call)
//! ```

mod facts;
mod presentation;
mod rules;
mod write_line;

use dewy_domain::tool_catalog::PostCharge;
use dewy_saga::{Context, Saga, journal::Projection};
use futures::FutureExt;
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, reconciled_write::ReconciledWrite,
};

pub(crate) use facts::Facts as Charged;
pub(crate) use presentation::Labels;
pub(crate) use write_line::WriteLine;

use facts::{POST, journaled};

/// Kind of the projections that hold the charges' descriptions; no org has a field for them.
pub(crate) const DESCRIPTIONS: &str = "charge";

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let currency = parts.settings.currency;
    Saga::new(PostCharge::NAME, 1, "Post a charge")
        .prepare(parts.prerequisites(|parts, cx, input| {
            rules::read(parts, cx, input).map(Ok).boxed()
        }))
        .pivot(
            POST,
            "Write the line on the folio",
            ReconciledWrite::new(parts, WriteLine(journaled)),
        )
        .no_undo("this is the only effect, and an unknown outcome is retried until it is resolved; a void takes it back")
        .until_known()
        .projection(description)
        .answer(move |cx, end, reason| presentation::answer(cx, end, reason, currency))
}

/// Charge description on the guest's bill, as stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChargeDescription {
    pub description: String,
}

/// Charge description on the guest's bill.
fn description(cx: Context<'_>) -> Option<Projection> {
    let description = engine_conversions::input::<PostCharge>(&cx)
        .ok()?
        .description?;
    let posted = cx.progress.is_done(POST) && cx.facts::<Charged>()?.void.is_none();
    posted.then(|| Projection {
        kind: DESCRIPTIONS.to_owned(),
        key: cx.id.to_string(),
        body: engine_conversions::value(&ChargeDescription {
            description: description.into(),
        }),
    })
}
