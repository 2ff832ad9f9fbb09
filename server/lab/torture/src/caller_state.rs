//! State shared by the callers: remaining stays, payments that staff were asked about, and all
//! answers.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use dewy_test_kit::{CallerAnswer, Expectations, Subject, injected_payments::InjectedPayment};
use fastrand::Rng;
use serde_json::Value;

use crate::seed_stays::Stay;

/// Front desk of one installation.
#[derive(Debug, Default)]
pub struct CallerState {
    expected: Mutex<Expectations>,
    stays: Mutex<VecDeque<Stay>>,
    payments: Mutex<Vec<(String, String)>>,
    planted: Mutex<Vec<InjectedPayment>>,
    answers: Mutex<Vec<CallerAnswer>>,
    closing: AtomicBool,
    waiting: AtomicU32,
    broken: AtomicU32,
    interrupted: AtomicU32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CallerState {
    pub fn add(&self, stays: Vec<Stay>) {
        lock(&self.stays).extend(stays);
    }

    /// Number of remaining stays.
    pub fn remaining_stays(&self) -> usize {
        lock(&self.stays).len()
    }

    /// Next stay; none when the front desk closes.
    pub fn next_stay(&self) -> Option<Stay> {
        if self.closing() {
            None
        } else {
            lock(&self.stays).pop_front()
        }
    }

    /// Records that a guest asks about this payment.
    pub fn record_payment(&self, payment: &str, email: &str) {
        lock(&self.payments).push((payment.to_owned(), email.to_owned()));
    }

    /// A payment that guests ask about, with the guest's email.
    pub fn random_payment(&self, rng: &mut Rng) -> Option<(String, String)> {
        rng.choice(lock(&self.payments).iter()).cloned()
    }

    pub fn record_injected(&self, planted: InjectedPayment) {
        lock(&self.planted).push(planted);
    }

    pub fn injected_payments(&self) -> Vec<InjectedPayment> {
        lock(&self.planted).clone()
    }

    /// Records an expected state, after a successful answer.
    pub fn expect(&self, subject: Subject, name: &str, fields: Value) {
        lock(&self.expected).insert((subject, name.to_owned()), fields);
    }

    /// Drops an expectation, after an unknown outcome.
    pub fn drop_expectation(&self, subject: Subject, name: &str) {
        lock(&self.expected).remove(&(subject, name.to_owned()));
    }

    pub fn expectations(&self) -> Expectations {
        lock(&self.expected).clone()
    }

    pub fn answered(&self, answer: CallerAnswer) {
        lock(&self.answers).push(answer);
    }

    pub fn answers(&self) -> Vec<CallerAnswer> {
        lock(&self.answers).clone()
    }

    /// Stops new work.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    pub fn closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// Counts a request in progress until the guard is dropped.
    pub fn begin_request(&self) -> RequestGuard<'_> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        RequestGuard(self)
    }

    /// Number of requests in progress.
    pub fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::SeqCst)
    }

    /// Records the number of requests in progress at a kill.
    pub fn record_interrupted(&self, requests: u32) {
        self.interrupted.fetch_add(requests, Ordering::SeqCst);
    }

    /// Records a request without an answer.
    pub fn record_unanswered(&self) {
        self.broken.fetch_add(1, Ordering::SeqCst);
    }

    /// Requests in progress at kills, and requests without an answer.
    pub fn interrupted_requests(&self) -> (u32, u32) {
        (
            self.interrupted.load(Ordering::SeqCst),
            self.broken.load(Ordering::SeqCst),
        )
    }
}

/// A request in progress, until this is dropped.
#[derive(Debug)]
pub struct RequestGuard<'a>(&'a CallerState);

impl Drop for RequestGuard<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
