//! Places for event streams, shared by all tabs of a browser: it opens six connections to a host
//! over HTTP/1.1, and each stream occupies one for as long as it lives.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::js_sys::{Function, Object, Promise, Reflect};

/// Number of streams that the tabs of a browser share; the other connections load pages.
const SLOTS: u32 = 3;

/// Place of one stream, free again when this is dropped.
pub struct StreamSlot {
    release: Option<Function>,
    /// Whether a hidden tab may keep it: one tab always listens, for alarms.
    pub for_alarms: bool,
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        if let Some(release) = self.release.take() {
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// Takes a free place now. Without locks (over plain HTTP on a network) there is always one.
pub fn take(taken: impl FnOnce(Option<StreamSlot>) + 'static) {
    take_from(1, Box::new(taken));
}

type Taken = Box<dyn FnOnce(Option<StreamSlot>)>;

fn take_from(number: u32, taken: Taken) {
    if locks().is_none() {
        return taken(Some(StreamSlot {
            release: None,
            for_alarms: false,
        }));
    }
    if number > SLOTS {
        return taken(None);
    }
    request(number, false, move |slot| match slot {
        Some(slot) => taken(Some(slot)),
        None => take_from(number + 1, taken),
    });
}

/// Waits for the place that a hidden tab may keep.
pub fn wait_for_alarms(taken: impl FnOnce(StreamSlot) + 'static) {
    if locks().is_some() {
        request(0, true, move |slot| {
            if let Some(slot) = slot {
                taken(slot);
            }
        });
    }
}

fn locks() -> Option<JsValue> {
    let locks = Reflect::get(&window().navigator(), &"locks".into()).ok()?;
    locks.is_object().then_some(locks)
}

fn request(number: u32, wait: bool, granted: impl FnOnce(Option<StreamSlot>) + 'static) {
    let Some(locks) = locks() else { return };
    let Ok(request) = Reflect::get(&locks, &"request".into()) else {
        return;
    };
    let options = Object::new();
    let _ = Reflect::set(&options, &"ifAvailable".into(), &(!wait).into());
    // The lock is held until the promise that this returns is resolved
    let held = Closure::once_into_js(move |lock: JsValue| -> JsValue {
        if lock.is_null() {
            granted(None);
            return JsValue::UNDEFINED;
        }
        let mut release = None;
        let until = Promise::new(&mut |resolve, _| release = Some(resolve));
        granted(Some(StreamSlot {
            release,
            for_alarms: number == 0,
        }));
        until.into()
    });
    if let Ok(request) = request.dyn_into::<Function>() {
        let name = format!("dewy-stream-{number}");
        let _ = request.call3(&locks, &name.into(), &options, &held);
    }
}
