//! Text columns that can be read whatever bytes they hold: a damaged row must not prevent reading
//! the others.

use serde::{Serialize, Serializer};
use sqlx::{
    Decode, Postgres, Sqlite, Type, error::BoxDynError, postgres::PgValueRef,
    sqlite::SqliteValueRef,
};

/// A text column. Invalid UTF-8 becomes U+FFFD, so that a hash over the text no longer matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LossyText(pub(crate) String);

impl std::ops::Deref for LossyText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<LossyText> for String {
    fn from(text: LossyText) -> Self {
        text.0
    }
}

impl Serialize for LossyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Type<Sqlite> for LossyText {
    fn type_info() -> <Sqlite as sqlx::Database>::TypeInfo {
        <String as Type<Sqlite>>::type_info()
    }

    fn compatible(_ty: &<Sqlite as sqlx::Database>::TypeInfo) -> bool {
        true
    }
}

impl<'r> Decode<'r, Sqlite> for LossyText {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        let bytes = <&[u8] as Decode<'r, Sqlite>>::decode(value)?;
        Ok(Self(String::from_utf8_lossy(bytes).into_owned()))
    }
}

impl Type<Postgres> for LossyText {
    fn type_info() -> <Postgres as sqlx::Database>::TypeInfo {
        <String as Type<Postgres>>::type_info()
    }

    fn compatible(ty: &<Postgres as sqlx::Database>::TypeInfo) -> bool {
        <String as Type<Postgres>>::compatible(ty)
    }
}

impl<'r> Decode<'r, Postgres> for LossyText {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(
            String::from_utf8_lossy(value.as_bytes()?).into_owned(),
        ))
    }
}
