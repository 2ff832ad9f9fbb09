//! Rows as structs, read by column name, on both databases alike.

/// Declares a struct and reads it from a row with a column for each field. Replaces sqlx's derive,
/// whose macros build a second sqlx for the compiler's own use.
macro_rules! columns {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$about:meta])* $field_vis:vis $column:ident: $of:ty,)* }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$about])* $field_vis $column: $of,)* }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($of: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> sqlx::Result<Self> {
                Ok(Self { $($column: row.try_get(stringify!($column))?,)* })
            }
        }
    };
}

pub(crate) use columns;
