use dewy_store::StaffAccount;

use super::stores_under_test::Subject;

every_sql_store!(staff_accounts_round_trip);

async fn staff_accounts_round_trip(s: Subject) {
    let store = s.store();
    let mut ann = StaffAccount {
        email: "Ann@Dewy.test".into(),
        role: "desk".to_owned(),
        password_hash: "$a$".to_owned(),
        disabled: false,
    };
    store.upsert_staff(&ann).await.unwrap();
    (ann.role, ann.disabled) = ("manager".to_owned(), true);
    store.upsert_staff(&ann).await.unwrap();
    assert_eq!(
        store.staff_by_email(&"ANN@dewy.test".into()).await.unwrap(),
        Some(ann.clone())
    );
    assert_eq!(
        store.staff_by_email(&"bob@dewy.test".into()).await.unwrap(),
        None
    );
    assert!(!format!("{ann:?}").contains("$a$"));
}
