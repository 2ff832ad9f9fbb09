//! Reads everything the three systems know about the payments of a range of days. Every list has a
//! limit; reaching one truncates the result.

use std::collections::{BTreeMap, BTreeSet};

use dewy_domain::{
    paid_folio::{PaidFolio, PaidFolioQuery},
    payment::Payment,
    payment_intent_id::PaymentIntentId,
    stay::{Line, LineKind},
    upstream_request::Fault,
    vocabulary::FaultCode,
};
use dewy_saga::{
    ExecutionId, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};
use jiff::Timestamp;

use crate::{
    hotel::hotel_service::Hotel, saga_parts::payment_owner::Installations,
    sagas::check_out::CHECK_OUT,
};

/// Maximum number of payments, folios or executions to read.
const MAX_RECORDS: usize = 500;
/// Maximum payments per query: a URL may have 16 KB.
const MAX_PAYMENTS_PER_QUERY: usize = 150;
/// Maximum number of payments outside Stripe's list of the days that are read one by one.
const MAX_SINGLE_READS: usize = 40;
const CONCURRENCY: usize = 8;
/// Label that holds an execution's payment intent.
pub(super) const PAYMENT: &str = "payment_intent_id";

/// Why reconciliation failed.
#[derive(Debug)]
pub(super) enum ReadError {
    Upstream(Fault),
    Store(StoreError),
}

impl From<Fault> for ReadError {
    fn from(error: Fault) -> Self {
        Self::Upstream(error)
    }
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

#[derive(Debug)]
pub(super) struct SystemRecords {
    /// Payments by id; `None` if Stripe does not have it.
    pub payments: BTreeMap<PaymentIntentId, Option<Payment>>,
    /// Folios, with lines of any date.
    pub folios: Vec<PaidFolio>,
    /// Executions, with their journals.
    pub records: Vec<ExecutionRecord>,
    /// Installations whose payments belong to us.
    pub installations: Installations,
    /// Number of payments of others, which are not listed.
    pub foreign: u32,
    /// Payments that could not be read; they are not compared.
    pub unreadable: BTreeSet<PaymentIntentId>,
    /// The result is truncated.
    pub cut: bool,
}

pub(super) async fn read_systems(
    hotel: &Hotel,
    from: Timestamp,
    to: Timestamp,
) -> Result<SystemRecords, ReadError> {
    let journal = hotel.engine.journal();
    let begun = ExecutionFilter {
        saga: Some(CHECK_OUT.to_owned()),
        from: Some(from),
        to: Some(to),
        limit: MAX_RECORDS,
        ..ExecutionFilter::default()
    };
    let (listed, begun) = tokio::join!(
        hotel.payments.payments_between(from, to, MAX_RECORDS),
        journal.list(&begun)
    );
    let (listed, begun) = (listed.answered()?, begun?);
    let mut found = SystemRecords {
        payments: BTreeMap::new(),
        folios: Vec::new(),
        records: Vec::new(),
        installations: hotel.installations().await?,
        foreign: 0,
        unreadable: listed
            .unreadable
            .iter()
            .filter_map(|row| row.id.parse().ok())
            .collect(),
        cut: listed.items.len() >= MAX_RECORDS || begun.len() >= MAX_RECORDS,
    };
    let (listed, others): (Vec<_>, Vec<_>) = listed.items.into_iter().partition(|payment| {
        found
            .installations
            .owner(&payment.metadata)
            .execution()
            .is_some()
    });
    let mut names: BTreeSet<PaymentIntentId> = begun.iter().filter_map(named).collect();
    let mut ids: BTreeSet<ExecutionId> = begun
        .iter()
        .filter(|r| named(r).is_some())
        .map(|r| r.id)
        .collect();
    for payment in listed
        .into_iter()
        .filter(|payment| payment.currency == hotel.settings.currency)
    {
        names.insert(payment.id.clone());
        found.payments.insert(payment.id.clone(), Some(payment));
    }
    folios(hotel, from, to, &names, &mut found).await?;
    let dated = |line: &Line| line.at.is_some_and(|at| from <= at && at < to);
    for line in found.folios.iter().flat_map(|folio| &folio.lines) {
        if let Some(id) = intent(line).filter(|id| dated(line) || names.contains(id)) {
            names.insert(id);
            ids.extend(written_by(line));
        }
    }
    // Payments of others are only counted, unless a folio or an execution of ours names them.
    for payment in others {
        if names.contains(&payment.id) {
            found.payments.insert(payment.id.clone(), Some(payment));
        } else {
            found.foreign += 1;
        }
    }
    singles(hotel, &mut names, &mut found).await?;
    let by_metadata = found
        .payments
        .values()
        .flatten()
        .filter_map(|payment| made_by(payment, &found.installations));
    ids.extend(by_metadata);
    let names: Vec<String> = names.into_iter().map(String::from).collect();
    ids.extend(
        journal
            .labelled(PAYMENT, &names)
            .await?
            .into_iter()
            .map(|(_, id)| id),
    );
    let ids: Vec<ExecutionId> = ids.into_iter().collect();
    found.records = journal.load_all(&ids).await?;
    Ok(found)
}

async fn folios(
    hotel: &Hotel,
    from: Timestamp,
    to: Timestamp,
    names: &BTreeSet<PaymentIntentId>,
    found: &mut SystemRecords,
) -> Result<(), ReadError> {
    let names: Vec<PaymentIntentId> = names.iter().cloned().collect();
    let mut parts = names.chunks(MAX_PAYMENTS_PER_QUERY);
    let mut seen = BTreeSet::new();
    let mut some = Some(parts.next().unwrap_or_default());
    while let Some(payment_intents) = some {
        let payment_intents = payment_intents.to_vec();
        let limit = u32::try_from(MAX_RECORDS).unwrap_or(u32::MAX);
        let query = PaidFolioQuery {
            from,
            to,
            payment_intents,
            limit,
        };
        let folios = hotel.crm.paid_folios(&query).await.answered()?;
        found.cut |= folios.len() >= MAX_RECORDS;
        found.folios.extend(
            folios
                .into_iter()
                .filter(|folio| seen.insert(folio.id.clone())),
        );
        some = parts.next();
    }
    Ok(())
}

/// Payments of other days that a folio or an execution of these days names.
async fn singles(
    hotel: &Hotel,
    names: &mut BTreeSet<PaymentIntentId>,
    found: &mut SystemRecords,
) -> Result<(), ReadError> {
    let missing: Vec<PaymentIntentId> = names
        .iter()
        .filter(|id| !found.payments.contains_key(*id) && !found.unreadable.contains(*id))
        .cloned()
        .collect();
    let (asked, left) = missing.split_at(missing.len().min(MAX_SINGLE_READS));
    // Payments that are not read are not compared.
    found.cut |= !left.is_empty();
    names.retain(|id| !left.contains(id));
    for some in asked.chunks(CONCURRENCY) {
        let answers =
            futures::future::join_all(some.iter().map(|id| hotel.payments.payment(id))).await;
        for (id, answer) in some.iter().zip(answers) {
            match answer.answered() {
                Ok(payment) => drop(found.payments.insert(id.clone(), payment)),
                Err(error) if error.code == FaultCode::UnreadableResponse => {
                    found.unreadable.insert(id.clone());
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

fn named(record: &ExecutionRecord) -> Option<PaymentIntentId> {
    record.label(PAYMENT)?.parse().ok()
}

/// The payment intent a folio line names.
pub(super) fn intent(line: &Line) -> Option<PaymentIntentId> {
    let id = line.stripe_id.as_deref();
    id.filter(|_| line.kind == LineKind::Payment)?.parse().ok()
}

/// Execution that wrote a line: `exe_…`, or `exe_…#refund` for a compensation's.
pub(super) fn written_by(line: &Line) -> Option<ExecutionId> {
    line.external_id.as_deref()?.split('#').next()?.parse().ok()
}

/// Execution that created a payment, by its metadata.
pub(super) fn made_by(payment: &Payment, installations: &Installations) -> Option<ExecutionId> {
    installations.owner(&payment.metadata).execution()
}
