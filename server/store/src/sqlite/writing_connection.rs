//! The single writing connection while it is in use.

use std::sync::Arc;

use dewy_saga::StoreError;
use sqlx::SqliteConnection;

use super::connection_pool::{ConnectionPool, LentConnection};
use crate::error::{Stage, read_error, store_error};

/// The writing connection. After a disk failure it is closed, and the next writer gets a new one:
/// SQLite has then rolled back by itself, and a connection unaware of that would never begin
/// another transaction.
#[derive(Debug)]
pub(crate) struct Writing(LentConnection);

impl Writing {
    pub(super) async fn begin(pool: &Arc<ConnectionPool>) -> Result<Self, StoreError> {
        pool.acquire().await.map(Self).map_err(|e| read_error(&e))
    }

    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.0
    }

    /// Classifies the result of an auto-committing statement.
    pub(crate) fn settle<T>(&mut self, done: Result<T, sqlx::Error>) -> Result<T, StoreError> {
        let done = done.map_err(|e| store_error(&e, Stage::Commit));
        self.settle_transaction(done)
    }

    /// Classifies the result of a transaction.
    pub(crate) fn settle_transaction<T>(
        &mut self,
        done: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if done.is_err() {
            self.abandon();
        }
        done
    }

    /// Closes the connection, whose state is unknown.
    pub(super) fn abandon(&mut self) {
        self.0.discard();
    }
}

/// One statement on the writing connection.
macro_rules! writing {
    ($sqlite:expr, |$connection:ident| $work:expr) => {
        async {
            let mut writing = $sqlite.writing().await?;
            let done = {
                let $connection: &mut sqlx::SqliteConnection = writing.connection();
                $work.await
            };
            writing.settle(done)
        }
        .await
    };
}

/// One transaction on the writing connection.
macro_rules! transaction {
    ($sqlite:expr, |$transaction:ident| $work:expr) => {
        async {
            let mut writing = $sqlite.writing().await?;
            let done = async {
                let begun =
                    sqlx::Connection::begin_with(writing.connection(), "begin immediate").await;
                let $transaction = begun.map_err(|e| $crate::error::read_error(&e))?;
                $work
            }
            .await;
            writing.settle_transaction(done)
        }
        .await
    };
}

pub(crate) use {transaction, writing};
