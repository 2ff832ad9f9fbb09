//! Transactions that are the same on both databases.

/// Runs a transaction on the store's database. The work commits or rolls back.
macro_rules! in_transaction {
    ($store:expr, |$transaction:ident| $work:expr) => {
        match &$store.backend {
            $crate::backend::Backend::Sqlite(s) => $crate::sqlite::transaction!(s, |begun| {
                let mut $transaction = begun;
                $work
            }),
            $crate::backend::Backend::Postgres(p) => $crate::postgres::transaction!(p, |begun| {
                let mut $transaction = begun;
                $work
            }),
        }
    };
}

/// Runs one statement of a transaction; returns the number of affected rows.
macro_rules! affected {
    ($transaction:ident, $sql:expr $(, $bind:expr)* $(,)?) => {
        sqlx::query($sql)$(.bind($bind))*
            .execute(&mut *$transaction)
            .await
            .map_err(|e| $crate::error::read_error(&e))?
            .rows_affected()
    };
}

/// Reads all rows of a statement of a transaction.
macro_rules! read {
    ($transaction:ident, $type:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        sqlx::query_as::<_, $type>($sql)$(.bind($bind))*
            .fetch_all(&mut *$transaction)
            .await
            .map_err(|e| $crate::error::read_error(&e))?
    };
}

/// Commits if the condition holds, and rolls back otherwise.
macro_rules! commit_if {
    ($condition:expr, $transaction:ident) => {
        if $condition {
            let done = $transaction.commit().await;
            done.map_err(|e| $crate::error::write_error(&e))?;
        } else {
            let done = $transaction.rollback().await;
            done.map_err(|e| $crate::error::read_error(&e))?;
        }
    };
}

pub(crate) use {affected, commit_if, in_transaction, read};
