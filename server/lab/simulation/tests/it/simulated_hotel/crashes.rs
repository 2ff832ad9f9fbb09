//! Crash points of workers.

use std::sync::{Arc, Mutex, atomic::AtomicBool, atomic::Ordering};

use dewy_saga::{
    Direction,
    crash_points::{CrashPoint, CrashPoints},
};

/// Crashes the worker the first `times` times it reaches a point of a step.
#[derive(Debug)]
pub struct Crash {
    pub point: CrashPoint,
    pub step: &'static str,
    pub direction: Direction,
    /// Number of passes to skip first.
    pub skip: Mutex<u32>,
    pub times: Mutex<u32>,
}

impl Crash {
    /// The first time that the worker reaches this point.
    pub fn once(point: CrashPoint, step: &'static str, direction: Direction) -> Self {
        Self {
            point,
            step,
            direction,
            skip: 0.into(),
            times: 1.into(),
        }
    }
}

/// Several crashes.
#[derive(Debug, Default)]
pub struct Crashes {
    pub crashes: Mutex<Vec<Crash>>,
    pub ended: Mutex<u32>,
    /// Whether the worker panics instead, and its process lives on.
    pub panics: bool,
    /// The process that dies with its worker: set when it does.
    pub process: Mutex<Option<Arc<AtomicBool>>>,
}

impl Crashes {
    pub fn add(&self, crash: Crash) {
        self.crashes.lock().unwrap().push(crash);
    }
}

impl CrashPoints for Crashes {
    fn ends(&self, point: CrashPoint, step: &str, direction: Direction) -> bool {
        let ends = self.reached(point, step, direction);
        assert!(!(ends && self.panics), "planted");
        if ends && let Some(dead) = self.process.lock().unwrap().as_ref() {
            dead.store(true, Ordering::SeqCst);
        }
        ends
    }
}

impl Crashes {
    fn reached(&self, point: CrashPoint, step: &str, direction: Direction) -> bool {
        for crash in self.crashes.lock().unwrap().iter() {
            if crash.point == point && crash.step == step && crash.direction == direction {
                let mut skip = crash.skip.lock().unwrap();
                if *skip > 0 {
                    *skip -= 1;
                    continue;
                }
                let mut times = crash.times.lock().unwrap();
                if *times > 0 {
                    *times -= 1;
                    *self.ended.lock().unwrap() += 1;
                    return true;
                }
            }
        }
        false
    }
}
