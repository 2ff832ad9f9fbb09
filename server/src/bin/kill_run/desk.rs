//! What the callers share: the stays still to be checked out, and every answer anybody got.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use serde_json::Value;

use crate::stays::Stay;

/// What somebody was answered in the end.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The token it was asked with.
    pub token: String,
    /// Which execution did it.
    pub execution: Option<String>,
    /// The error's code; none for success.
    pub code: Option<String>,
    /// The whole result.
    pub body: Value,
}

/// The desk.
#[derive(Debug, Default)]
pub struct Desk {
    stays: Mutex<VecDeque<Stay>>,
    answers: Mutex<Vec<Answer>>,
    closing: AtomicBool,
    waiting: AtomicU32,
    broken: AtomicU32,
    interrupted: AtomicU32,
}

impl Desk {
    /// More stays to check out.
    pub fn add(&self, stays: Vec<Stay>) {
        self.stays.lock().unwrap_or_else(PoisonError::into_inner).extend(stays);
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.stays.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The next one; none when the desk closes.
    pub fn next(&self) -> Option<Stay> {
        if self.closing() { None } else { self.stays.lock().unwrap_or_else(PoisonError::into_inner).pop_front() }
    }

    /// Keeps an answer.
    pub fn answered(&self, answer: Answer) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
    }

    /// All answers so far.
    pub fn answers(&self) -> Vec<Answer> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
        (self.interrupted.load(Ordering::SeqCst), self.broken.load(Ordering::SeqCst))
    }
}

/// See [`Desk::asks`].
#[derive(Debug)]
pub struct Asking<'a>(&'a Desk);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
