//! The chosen records, from what is known without a call of Salesforce per record.

use dewy_domain::vocabulary::Resolution;

use super::BulkAct;
use crate::pages::{
    prelude::*,
    staff::board::{case_subject, room},
};

#[derive(Clone, Debug)]
pub struct Item {
    pub id: String,
    /// Name: `Room 206`.
    pub title: String,
    /// What helps to recognize it.
    pub more: String,
    pub href: String,
    /// Reason why it can't be done with it.
    pub why: Option<String>,
}

pub async fn items(ctx: &PageContext, user: &SignedIn, act: BulkAct, ids: &[String]) -> Vec<Item> {
    let mut items = Vec::new();
    if act == BulkAct::Retry {
        for id in ids {
            items.push(compensation(ctx, user, id).await);
        }
        return items;
    }
    let snapshot = ctx.board.snapshot(&user.caller).await.ok();
    for id in ids {
        items.push(match (act, &snapshot) {
            (BulkAct::Clean, snapshot) => {
                let facts = snapshot.as_ref().and_then(|snapshot| room(snapshot, id));
                let status = facts.map(|facts| facts.room.status.clone());
                Item {
                    id: id.clone(),
                    title: format!("Room {id}"),
                    more: facts.map(|facts| facts.kind.clone()).unwrap_or_default(),
                    href: page_url::room(id),
                    why: match status {
                        Some(RoomStatus::Cleaning) => None,
                        Some(status) => Some(format!("It is {status} now.")),
                        None => Some("There is no such room.".to_owned()),
                    },
                }
            }
            (_, snapshot) => {
                let case = snapshot
                    .as_ref()
                    .and_then(|snapshot| snapshot.cases.iter().find(|case| case.number == *id));
                let room = case.and_then(|case| case.room_number.as_ref());
                let place = room
                    .map(|room| format!(", room {room}"))
                    .unwrap_or_default();
                Item {
                    id: id.clone(),
                    title: case
                        .map_or_else(|| format!("Case {id}"), |case| case_subject(&case.subject)),
                    more: format!("{id}{place}"),
                    href: page_url::case(id),
                    why: case
                        .is_none()
                        .then(|| "It is not open any more.".to_owned()),
                }
            }
        });
    }
    items
}

async fn compensation(ctx: &PageContext, user: &SignedIn, id: &str) -> Item {
    let view = ctx.execution(&user.caller, id).await;
    let act = view.as_ref().and_then(|view| {
        view.acts
            .iter()
            .find(|act| act.resolution == Resolution::RetryNow)
    });
    let why = match act {
        Some(act) => act.barred.clone(),
        None => Some("It is no longer waiting for a retry.".to_owned()),
    };
    let place = view.as_ref().map(|view| {
        let room = view.room_number.as_ref().map(|room| format!("room {room}"));
        let parts = [
            view.guest_email.as_deref(),
            view.booking_number.as_deref(),
            room.as_deref(),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    Item {
        id: id.to_owned(),
        title: view.map_or_else(|| id.to_owned(), |view| view.title),
        more: place.unwrap_or_default(),
        href: format!("/staff/executions/{id}"),
        why,
    }
}
