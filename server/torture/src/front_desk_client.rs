//! What the callers share: the stays still to be seen to, the payments that staff were asked about,
//! and every answer anybody got.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use serde_json::Value;

use crate::{orphans::Planted, rng::Rng, stays::Stay};

/// What somebody was answered in the end.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which tool.
    pub tool: &'static str,
    /// The token it was asked with.
    pub token: String,
    /// Which execution did it.
    pub execution: Option<String>,
    /// The error's code; none for success.
    pub code: Option<String>,
    /// The whole result.
    pub body: Value,
}

/// What one caller alone worked on, by its number or its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Booking,
    Case,
    Comment,
    Room,
}

/// What Salesforce must hold at the end, as the last successful answer told it.
pub type Expectations = BTreeMap<(Subject, String), Value>;

/// The desk.
#[derive(Debug, Default)]
pub struct FrontDeskClient {
    expected: Mutex<Expectations>,
    stays: Mutex<VecDeque<Stay>>,
    payments: Mutex<Vec<(String, String)>>,
    planted: Mutex<Vec<Planted>>,
    answers: Mutex<Vec<Answer>>,
    closing: AtomicBool,
    waiting: AtomicU32,
    broken: AtomicU32,
    interrupted: AtomicU32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FrontDeskClient {
    /// More stays to see to.
    pub fn add(&self, stays: Vec<Stay>) {
        lock(&self.stays).extend(stays);
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        lock(&self.stays).len()
    }

    /// The next one; none when the desk closes.
    pub fn next(&self) -> Option<Stay> {
        if self.closing() {
            None
        } else {
            lock(&self.stays).pop_front()
        }
    }

    /// A guest stands at the desk and asks about this payment.
    pub fn known(&self, payment: &str, email: &str) {
        lock(&self.payments).push((payment.to_owned(), email.to_owned()));
    }

    /// One of the payments that guests ask about, with the guest's email.
    pub fn asked_about(&self, rng: &mut Rng) -> Option<(String, String)> {
        rng.pick(&lock(&self.payments)).cloned()
    }

    /// Remembers what was planted.
    pub fn planted(&self, planted: Planted) {
        lock(&self.planted).push(planted);
    }

    /// Everything that was planted.
    pub fn all_planted(&self) -> Vec<Planted> {
        lock(&self.planted).clone()
    }

    /// Whoever worked on it was told that it is so now.
    pub fn expect(&self, subject: Subject, name: &str, fields: Value) {
        lock(&self.expected).insert((subject, name.to_owned()), fields);
    }

    /// Nobody knows how it is.
    pub fn doubt(&self, subject: Subject, name: &str) {
        lock(&self.expected).remove(&(subject, name.to_owned()));
    }

    /// Everything that is expected.
    pub fn expectations(&self) -> Expectations {
        lock(&self.expected).clone()
    }

    /// Keeps an answer.
    pub fn answered(&self, answer: Answer) {
        lock(&self.answers).push(answer);
    }

    /// All answers so far.
    pub fn answers(&self) -> Vec<Answer> {
        lock(&self.answers).clone()
    }

    /// Nobody begins anything new.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    /// Whether it closes.
    pub fn closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// A request is under way until the guard is dropped.
    pub fn asks(&self) -> Asking<'_> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        Asking(self)
    }

    /// How many requests are under way.
    pub fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::SeqCst)
    }

    /// A kill found so many requests under way.
    pub fn interrupted(&self, requests: u32) {
        self.interrupted.fetch_add(requests, Ordering::SeqCst);
    }

    /// A request got no answer.
    pub fn broke(&self) {
        self.broken.fetch_add(1, Ordering::SeqCst);
    }

    /// Requests under way at the kills, and requests that got no answer.
    pub fn hardships(&self) -> (u32, u32) {
        (
            self.interrupted.load(Ordering::SeqCst),
            self.broken.load(Ordering::SeqCst),
        )
    }
}

/// See [`FrontDeskClient::asks`].
#[derive(Debug)]
pub struct Asking<'a>(&'a FrontDeskClient);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
