//! Key-value store for facts about stays.

use dewy_domain::{
    ports::{MAX_NOTE_LENGTH, MAX_VIEW_NAME_LENGTH, SavedView, SavedViews, StayNotes},
    stored_token::TokenKey,
};
use dewy_server::ports::{saved_views::SavedViewsService, stay_notes::StayNotesService};

use crate::prelude::*;

fn staff(role: Role) -> Caller {
    Caller::staff(
        &format!("{}@dewy.example", role.name()),
        role,
        Interface::Form,
    )
}

#[tokio::test]
async fn stay_notes_are_for_the_front_desk() {
    let hotel = TestHotel::open().await;
    let notes = StayNotesService {
        store: hotel.server.store.clone(),
        token_key: TokenKey::default(),
        clock: Arc::new(RealClock),
    };
    let (desk, manager) = (staff(Role::FrontDesk), staff(Role::Manager));
    notes
        .add(
            &desk,
            &"BK-0042".into(),
            "form-1",
            " Arrives after midnight \r\n",
        )
        .await
        .unwrap();
    notes
        .add(&desk, &"BK-0042".into(), "form-1", "Sent twice")
        .await
        .unwrap();
    notes
        .add(
            &manager,
            &"bk-0042".into(),
            "form-1",
            "Offer a late breakfast",
        )
        .await
        .unwrap();
    let read = notes.notes(&manager, &"BK-0042".into()).await.unwrap();
    let read: Vec<_> = read
        .iter()
        .map(|note| (note.by.as_str(), note.body.as_str()))
        .collect();
    let ours = [
        ("manager@dewy.example", "Offer a late breakfast"),
        ("front_desk@dewy.example", "Arrives after midnight"),
    ];
    assert_eq!(read, ours);
    assert_eq!(notes.notes(&desk, &"BK-0043".into()).await, Ok(Vec::new()));

    for body in [
        "",
        "  \r\n ",
        &"x".repeat(MAX_NOTE_LENGTH + 1),
        "4242 4242 4242 4242",
    ] {
        assert_eq!(
            notes.add(&desk, &"BK-0042".into(), "form-2", body).await,
            Err(ErrorCode::ValidationFailed)
        );
    }
    assert_eq!(
        notes.add(&desk, &"BK-0042".into(), "", "No token").await,
        Err(ErrorCode::ValidationFailed)
    );
    assert_eq!(
        notes.add(&desk, &" ".into(), "form-2", "No booking").await,
        Err(ErrorCode::ValidationFailed)
    );
    let guest = Caller::guest("beth.gibbs@email.com", Interface::Form);
    let reader = staff(Role::Manager).reading_only(true);
    for caller in [staff(Role::Housekeeping), staff(Role::Maintenance), guest] {
        assert_eq!(
            notes.notes(&caller, &"BK-0042".into()).await,
            Err(ErrorCode::UnknownTool)
        );
        assert_eq!(
            notes
                .add(&caller, &"BK-0042".into(), "form-3", "Me too")
                .await,
            Err(ErrorCode::UnknownTool)
        );
    }
    assert_eq!(
        notes
            .add(&reader, &"BK-0042".into(), "form-3", "Me too")
            .await,
        Err(ErrorCode::UnknownTool)
    );
    assert_eq!(
        notes
            .notes(&reader, &"BK-0042".into())
            .await
            .map(|notes| notes.len()),
        Ok(2)
    );
}

#[tokio::test]
async fn saved_views_are_personal() {
    let hotel = TestHotel::open().await;
    let views = SavedViewsService {
        store: hotel.server.store.clone(),
    };
    let (desk, manager) = (staff(Role::FrontDesk), staff(Role::Manager));
    let view = |name: &str, query: &str| SavedView {
        page: "/staff/executions".to_owned(),
        name: name.to_owned(),
        query: query.to_owned(),
    };
    views
        .save(&desk, view(" Slow ", "state=retrying"))
        .await
        .unwrap();
    views
        .save(&desk, view("Mine", "tool=check_in_guest"))
        .await
        .unwrap();
    views
        .save(&desk, view("Slow", "state=waiting"))
        .await
        .unwrap();
    let kept = [
        view("Mine", "tool=check_in_guest"),
        view("Slow", "state=waiting"),
    ];
    assert_eq!(views.views(&desk).await.unwrap(), kept);
    assert_eq!(views.views(&manager).await, Ok(Vec::new()));
    for name in [
        "",
        " \u{200b} ",
        "a\nb",
        "4242 4242 4242 4242",
        &"x".repeat(MAX_VIEW_NAME_LENGTH + 1),
    ] {
        assert_eq!(
            views.save(&desk, view(name, "a=b")).await,
            Err(ErrorCode::ValidationFailed),
            "{name:?}"
        );
    }
    let query = view("Card", "q=4242+4242%204242-4242");
    assert_eq!(
        views.save(&desk, query).await,
        Err(ErrorCode::ValidationFailed)
    );
    views
        .delete(&desk, "/staff/executions", "Slow")
        .await
        .unwrap();
    assert_eq!(views.views(&desk).await.unwrap(), kept[..1]);
    let guest = Caller::guest("beth.gibbs@email.com", Interface::Form);
    assert_eq!(views.views(&guest).await, Err(ErrorCode::UnknownTool));
}
