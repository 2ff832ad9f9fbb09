use super::prelude::*;

every_sql_store!(
    notes_are_written_once_and_listed_newest_first,
    notes_are_erased_by_stay
);

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

async fn notes_of(s: &Subject, booking: &str) -> Vec<(String, String, i64)> {
    let notes = s.store.as_ref().unwrap().stay_notes(booking).await.unwrap();
    notes
        .into_iter()
        .map(|note| (note.by, note.body, note.at.as_second()))
        .collect()
}

async fn notes_are_written_once_and_listed_newest_first(s: Subject) {
    let store = s.store.as_ref().unwrap();
    let add = |booking: &'static str,
               by: &'static str,
               token: &'static str,
               second: i64,
               body: &'static str| async move {
        store
            .add_stay_note(booking, by, token, at(second), body)
            .await
    };
    assert_eq!(
        add("BK-0042", "a@dewy.example", "t1", 1, "Late breakfast").await,
        Ok(true)
    );
    assert_eq!(
        add("BK-0042", "a@dewy.example", "t1", 5, "Something else").await,
        Ok(false),
        "the same form again"
    );
    assert_eq!(
        add(
            "BK-0042",
            "b@dewy.example",
            "t1",
            2,
            "It's \u{1f6cf}\nquiet"
        )
        .await,
        Ok(true),
        "somebody else's token"
    );
    assert_eq!(
        add("BK-0042", "a@dewy.example", "t2", 3, "Twin beds").await,
        Ok(true)
    );
    assert_eq!(
        add("BK-0043", "a@dewy.example", "t1", 4, "Another stay").await,
        Ok(true)
    );
    let a = |body: &str, second| ("a@dewy.example".to_owned(), body.to_owned(), second);
    let b = (
        "b@dewy.example".to_owned(),
        "It's \u{1f6cf}\nquiet".to_owned(),
        2,
    );
    assert_eq!(
        notes_of(&s, "BK-0042").await,
        [a("Twin beds", 3), b, a("Late breakfast", 1)]
    );
    assert_eq!(notes_of(&s, "BK-0044").await, []);
}

async fn notes_are_erased_by_stay(s: Subject) {
    let store = s.store.as_ref().unwrap();
    for (booking, token) in [("BK-0042", "1"), ("BK-0042", "2"), ("BK-0043", "1")] {
        assert_eq!(
            store
                .add_stay_note(booking, "a@dewy.example", token, at(1), "x")
                .await,
            Ok::<_, StoreError>(true)
        );
    }
    assert_eq!(store.erase_stay_notes("BK-0042").await, Ok(2));
    assert_eq!(store.erase_stay_notes("BK-0042").await, Ok(0));
    assert_eq!(
        (
            notes_of(&s, "BK-0042").await.len(),
            notes_of(&s, "BK-0043").await.len()
        ),
        (0, 1)
    );
}
