//! Public rooms of the double: three, of which one is taken in December.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    money::Cents,
    nights::Nights,
    ports::{PublicInventory, PublicRoom, PublicRooms},
};

use super::{House, USD};

fn room(number: &str, kind: &str, rate: i64, sleeps: i64) -> PublicRoom {
    PublicRoom {
        number: number.to_owned(),
        kind: kind.to_owned(),
        beds: Some("1 King".to_owned()),
        view: Some("Ocean".to_owned()),
        sleeps,
        accessible: number == "101",
        square_feet: Some(300),
        rate: Cents(rate),
    }
}

impl House {
    /// Makes the booking system silent for visitors.
    pub fn hide_rooms(&self, why: ErrorCode) {
        self.state().no_rooms = Some(why);
    }

    fn public(&self, rooms: Vec<PublicRoom>) -> Result<Arc<PublicRooms>, ErrorCode> {
        match self.state().no_rooms {
            Some(why) => Err(why),
            None => Ok(Arc::new(PublicRooms {
                rooms,
                currency: USD,
            })),
        }
    }
}

#[async_trait]
impl PublicInventory for House {
    async fn rooms(&self) -> Result<Arc<PublicRooms>, ErrorCode> {
        self.public(vec![
            room("101", "Standard", 12_500, 2),
            room("102", "Standard", 13_950, 4),
            room("109", "Suite", 29_999, 4),
        ])
    }

    async fn free(&self, nights: Nights) -> Result<Arc<PublicRooms>, ErrorCode> {
        let all = PublicInventory::rooms(self).await?;
        let mut rooms = all.rooms.clone();
        rooms.retain(|room| nights.from.month() != 12 || room.kind != "Suite");
        self.public(rooms)
    }
}
