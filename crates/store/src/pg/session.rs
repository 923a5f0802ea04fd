//! One connection with its prepared statements.

use std::collections::HashMap;
use std::sync::Arc;

use ::postgres::types::ToSql;
use ::postgres::{Client, Statement};

use super::errors::{from_commit, from_postgres};
use crate::{Row, StoreError, Value};

/// One connection with its prepared statements.
pub(crate) struct Session {
    client: Client,
    statements: HashMap<String, Prepared>,
    /// Advisory locks of the session.
    locks: Vec<i64>,
    broken: bool,
}

#[derive(Clone)]
struct Prepared {
    statement: Statement,
    columns: Arc<[String]>,
}

impl Session {
    pub fn new(client: Client) -> Self {
        Self { client, statements: HashMap::new(), locks: Vec::new(), broken: false }
    }

    /// Whether the connection must not be used again.
    pub fn is_broken(&self) -> bool {
        self.broken || self.client.is_closed()
    }

    pub fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, StoreError> {
        let prepared = self.prepare(sql, params.len())?;
        let outcome = self.client.execute(&prepared.statement, &by_reference(params));
        self.noticing(outcome)
    }

    pub fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError> {
        let prepared = self.prepare(sql, params.len())?;
        let outcome = self.client.query(&prepared.statement, &by_reference(params));
        let rows = self.noticing(outcome)?;
        rows.iter().map(|row| super::values::row(row, &prepared.columns)).collect()
    }

    /// Statements without parameters or answer: transaction control.
    pub fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        let outcome = self.client.batch_execute(sql);
        self.noticing(outcome)
    }

    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.client.batch_execute("COMMIT").map_err(|error| {
            let fault = from_commit(&error);
            self.broken |= matches!(fault, StoreError::CommitUnknown { .. });
            fault
        })
    }

    /// Undoes the open transaction; a connection that cannot is thrown away, which undoes it as well.
    pub fn rollback(&mut self) {
        self.broken |= self.client.batch_execute("ROLLBACK").is_err();
    }

    /// Takes advisory locks of the session, in the order of their keys, so that two sessions never wait in a circle.
    pub fn lock(&mut self, keys: &[i64]) -> Result<(), StoreError> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let taken = self.batch(&format!("SELECT pg_advisory_lock({key})"));
            if taken.is_err() {
                // Ends the session and with it the locks taken so far.
                self.broken = true;
                return taken;
            }
            self.locks.push(key);
        }
        Ok(())
    }

    /// Whether the session holds that lock.
    pub fn holds(&self, key: i64) -> bool {
        self.locks.contains(&key)
    }

    /// Gives the locks back.
    pub fn unlock(&mut self) {
        if !std::mem::take(&mut self.locks).is_empty() && !self.is_broken() {
            self.broken |= self.client.batch_execute("SELECT pg_advisory_unlock_all()").is_err();
        }
    }

    /// Checks that a statement can be prepared, and that it takes and returns only what both engines know.
    pub fn check(&mut self, sql: &str) -> Result<(), StoreError> {
        let prepared = self.prepare_any(sql)?;
        super::values::check(&prepared.statement)
    }

    fn prepare(&mut self, sql: &str, given: usize) -> Result<Prepared, StoreError> {
        let prepared = self.prepare_any(sql)?;
        let wanted = prepared.statement.params().len();
        if wanted == given { Ok(prepared) } else { Err(StoreError::ParameterCount { wanted, given }) }
    }

    fn prepare_any(&mut self, sql: &str) -> Result<Prepared, StoreError> {
        if let Some(prepared) = self.statements.get(sql) {
            return Ok(prepared.clone());
        }
        let outcome = self.client.prepare(sql);
        let statement = self.noticing(outcome)?;
        let columns = statement.columns().iter().map(|column| column.name().to_owned()).collect();
        let prepared = Prepared { statement, columns };
        self.statements.insert(sql.to_owned(), prepared.clone());
        Ok(prepared)
    }

    fn noticing<T>(&mut self, outcome: Result<T, ::postgres::Error>) -> Result<T, StoreError> {
        outcome.map_err(|error| {
            let fault = from_postgres(&error);
            self.broken |= matches!(fault, StoreError::Disconnected { .. });
            fault
        })
    }
}

fn by_reference(params: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}
