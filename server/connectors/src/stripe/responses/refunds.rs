//! Listed refunds. Stripe lists what a hold released as a refund of its charge, although no money
//! moved; the charge tells which one that is.

use std::collections::BTreeMap;

use dewy_domain::{
    money::Cents,
    payment::{Refund, RefundStatus, WithPaymentMetadata},
};
use jiff::Timestamp;
use serde::Deserialize;

use super::objects::{ChargeRow, Linked, MarkedRow, Unread, marks, status};

#[derive(Debug, Deserialize)]
pub(in crate::stripe) struct RefundRow {
    id: String,
    status: Option<String>,
    amount: i64,
    payment_intent: Option<Linked<MarkedRow>>,
    charge: Option<Linked<ChargeRow>>,
    created: Option<i64>,
    reason: Option<String>,
    metadata: Option<BTreeMap<String, String>>,
}

/// A refund or a release, with the sums of its charge.
#[derive(Debug)]
pub(in crate::stripe) struct ListedRefund {
    pub(in crate::stripe) refund: WithPaymentMetadata<Refund>,
    charge: Option<ChargeRow>,
}

impl RefundRow {
    /// A refund of a bare charge doesn't belong to this hotel.
    pub(super) fn listed(self) -> Result<ListedRefund, Unread> {
        let (payment_intent, payment_metadata) = marks(self.payment_intent)?;
        let item = Refund {
            id: self.id,
            status: status(
                self.status.as_deref().unwrap_or_default(),
                RefundStatus::Other,
            ),
            amount: Cents(self.amount),
            payment_intent,
            created: self.created.and_then(|at| Timestamp::from_second(at).ok()),
            reason: self.reason,
            metadata: self.metadata.unwrap_or_default(),
        };
        let charge = match self.charge {
            Some(Linked::Full(charge)) => Some(*charge),
            _ => None,
        };
        Ok(ListedRefund {
            refund: WithPaymentMetadata {
                item,
                payment_metadata,
            },
            charge,
        })
    }
}

/// The refunds of a list, newest first, without the releases. A release is the oldest refund of its
/// charge: if the list has more than what was refunded of the captured amount, it has the release.
pub(in crate::stripe) fn without_releases(
    listed: Vec<ListedRefund>,
) -> Vec<WithPaymentMetadata<Refund>> {
    let mut surplus: BTreeMap<String, i64> = BTreeMap::new();
    for ListedRefund { refund, charge } in &listed {
        let Some(charge) = charge.as_ref().filter(|charge| charge.released() > 0) else {
            continue;
        };
        let more = surplus
            .entry(charge.id.clone())
            .or_insert_with(|| -charge.refunded());
        if refund.item.status.is_effective() {
            *more += refund.item.amount.0;
        }
    }
    let is_refund = |ListedRefund { refund, charge }: &ListedRefund| {
        let Some(charge) = charge else { return true };
        let (item, released) = (&refund.item, charge.released());
        let release = item.status.is_effective() && item.amount.0 == released;
        // Once: a refund of the captured amount may be of the same size
        match surplus.get_mut(&charge.id) {
            Some(more) if release && *more > 0 => {
                *more -= released;
                false
            }
            _ => true,
        }
    };
    let mut oldest_first: Vec<_> = listed.into_iter().rev().collect();
    oldest_first.retain(is_refund);
    let refunds = oldest_first.into_iter().rev();
    refunds.map(|listed| listed.refund).collect()
}
