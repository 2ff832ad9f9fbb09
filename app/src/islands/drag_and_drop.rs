//! Drag and drop on the tape chart: a booking can be dragged to another room or day, and its end to
//! another night. Dropping writes nothing: it opens the page that shows what that would do, the same
//! page as *Move to…* or *Change dates or people*, which work without a mouse.
//!
//! ```text
//! td[data-move] ──over──► another tr, another th[data-day] ──dropped──► GET /staff/stays/BK-…/move?room=…&later=…
//! [data-grip]   ──over──► th[data-day] ──dropped──► GET /staff/stays/BK-…/change?last_night=…
//! ```

use leptos::prelude::*;

/// Handles drag events on the chart's page. Renders nothing.
#[island]
pub fn DragAndDrop() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(listen::begin);
    view! { <span hidden class="drag"></span> }
}

#[cfg(feature = "hydrate")]
mod listen {
    use std::cell::RefCell;

    use leptos::prelude::*;
    use wasm_bindgen::JsCast;
    use web_sys::{DragEvent, Element, js_sys::encode_uri_component};

    use crate::islands::dom::{find_all, on};

    /// Data type of a dragged booking, so that nothing else is taken for one.
    const KIND: &str = "application/x-dewy-booking";

    thread_local! {
        static DRAGGED: RefCell<Option<Dragged>> = const { RefCell::new(None) };
    }

    #[derive(Clone)]
    struct Dragged {
        booking: String,
        room: String,
        /// Its end alone.
        end: bool,
        /// Only to another room: a checked-in guest has arrived.
        room_only: bool,
        /// Day at which it was grabbed, as a column.
        column: i32,
    }

    struct DropTarget {
        row: Option<Element>,
        head: Option<Element>,
        room: String,
        /// Shift in days; negative for earlier.
        later: i32,
        /// Night under the mouse.
        night: String,
    }

    pub fn begin() {
        on("dragstart", start);
        on("dragover", over);
        on("drop", drop_on);
        on("dragend", |_: &DragEvent| unmark());
        if let Some(root) = document().document_element() {
            // Marks the page only now that bookings can be dragged
            let _ = root.set_attribute("data-drag", "");
        }
    }

    /// The bar can be dragged by its link, which browsers make draggable.
    fn start(event: &DragEvent) {
        let end = under(event, ".tape [data-grip]").is_some();
        let selector = if end {
            ".tape td[data-booking]"
        } else {
            ".tape td[data-move]"
        };
        let held = under(event, selector).and_then(|bar| {
            Some(Dragged {
                booking: bar.get_attribute("data-booking")?,
                room: bar.get_attribute("data-room")?,
                end,
                room_only: bar.get_attribute("data-move").as_deref() == Some("room"),
                column: day(event)?.0,
            })
        });
        if let (Some(held), Some(data)) = (&held, event.data_transfer()) {
            let _ = data.set_data(KIND, &held.booking);
            data.set_effect_allowed("move");
        }
        DRAGGED.set(held);
    }

    fn over(event: &DragEvent) {
        unmark();
        let Some((_, place)) = place(event) else {
            return;
        };
        event.prevent_default();
        for element in [place.row, place.head].into_iter().flatten() {
            let _ = element.set_attribute("data-over", "");
        }
    }

    fn drop_on(event: &DragEvent) {
        unmark();
        let Some((held, place)) = place(event) else {
            return;
        };
        event.prevent_default();
        if held.end {
            let page = format!(
                "/staff/stays/{}/change?last_night={}",
                encode_uri_component(&held.booking),
                place.night
            );
            let _ = window().location().set_href(&page);
            return;
        }
        let later = if place.later == 0 {
            String::new()
        } else {
            format!("&later={}", place.later)
        };
        let page = format!(
            "/staff/stays/{}/move?room={}{later}",
            encode_uri_component(&held.booking),
            encode_uri_component(&place.room)
        );
        let _ = window().location().set_href(&page);
    }

    /// Target of the dragged booking, if it differs from its present place.
    fn place(event: &DragEvent) -> Option<(Dragged, DropTarget)> {
        let ours = event.data_transfer()?.types().includes(&KIND.into(), 0);
        let held = DRAGGED.with_borrow(Clone::clone).filter(|_| ours)?;
        let room = under(event, ".tape td[data-room]")?.get_attribute("data-room")?;
        let (column, head) = day(event)?;
        let night = head.get_attribute("data-day")?;
        if held.end {
            let moved = column != held.column;
            let place = DropTarget {
                row: None,
                head: Some(head),
                room,
                later: 0,
                night,
            };
            return moved.then_some((held, place));
        }
        let later = if held.room_only {
            0
        } else {
            column - held.column
        };
        let row = under(event, "tr")?;
        let head = (!held.room_only).then_some(head);
        (room != held.room || later != 0).then_some((
            held,
            DropTarget {
                row: Some(row),
                head,
                room,
                later,
                night,
            },
        ))
    }

    fn under(event: &DragEvent, selector: &str) -> Option<Element> {
        let node = event.target()?.dyn_into::<web_sys::Node>().ok()?;
        // Some browsers report the text node under the mouse, not its element
        let element = node
            .dyn_ref::<Element>()
            .cloned()
            .or_else(|| node.parent_element())?;
        element.closest(selector).ok().flatten()
    }

    /// Day under the mouse, by the column heads: a bar is wider than a day.
    fn day(event: &DragEvent) -> Option<(i32, Element)> {
        let x = f64::from(event.client_x());
        (0..)
            .zip(find_all(".tape thead th[data-day]"))
            .find(|(_, head)| {
                let place = head.get_bounding_client_rect();
                (place.left()..place.right()).contains(&x)
            })
    }

    fn unmark() {
        for element in find_all("[data-over]") {
            let _ = element.remove_attribute("data-over");
        }
    }
}
