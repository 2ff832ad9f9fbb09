//! Presentation of a renewed hold, for staff.

use dewy_domain::sentence::Sentence;
use dewy_saga::{Progress, State};

use super::{Facts, HOLD};
use crate::saga_parts::{
    not_ready::label,
    presentation::{Presentation, Presented},
};

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let Some(facts) = of.progress.facts::<Facts>() else {
            return "Reading a hold on a guest’s card.".into();
        };
        let sum = |cents| of.settings.money(cents, facts.currency);
        let (old, stay) = (sum(facts.reserved), &facts.stay.booking.number);
        let new = of.progress.output(HOLD);
        let new = new.and_then(|new| new.payment);
        match (of.record.state, new) {
            (State::Completed, Some(new)) => {
                let new = sum(new.amount);
                format!(
                    "A card reserves {new} for {stay} from now on; the older hold was released."
                )
            }
            (State::Completed | State::Compensated, _) => {
                format!("The {old} reserved for {stay} could not be renewed. Nothing was charged.")
            }
            (State::NeedsAttention, _) => {
                format!("The {old} reserved for {stay} could not be renewed.")
            }
            _ => format!("Renewing the {old} that a card reserves for {stay}."),
        }
        .into()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let old = progress.facts::<Facts>().map(|facts| facts.old);
        let new = progress.output(HOLD).and_then(|new| new.payment);
        let all = [old, new.map(|payment| payment.id)];
        let ids = all.into_iter().flatten();
        ids.map(|id| label("Stripe payment", id)).collect()
    }
}
