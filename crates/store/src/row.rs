//! Rows as the engines return them, and how a column becomes a Rust value.

use std::sync::Arc;

use crate::{StoreError, Value};

/// One row of an answer. Read it by column name or by index from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    columns: Arc<[String]>,
    values: Vec<Value>,
}

impl Row {
    pub(crate) fn new(columns: Arc<[String]>, values: Vec<Value>) -> Self {
        Self { columns, values }
    }

    /// The column as `T`. `Type` if it holds something else (a NULL is only an `Option`), `NoColumn` if it isn't there.
    pub fn get<T: FromValue>(&self, column: impl Column) -> Result<T, StoreError> {
        let index = column.index(&self.columns);
        let value =
            index.and_then(|at| self.values.get(at)).ok_or_else(|| StoreError::NoColumn { column: column.label() })?;
        T::from_value(value).ok_or_else(|| StoreError::Type {
            what: format!("column {}", column.label()),
            wanted: T::WANTED,
            found: value.type_name().to_owned(),
        })
    }

    /// All values, in the order of the statement's columns.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }
}

/// A way to point at a column.
pub trait Column {
    /// Place of the column among the names of the row.
    fn index(&self, columns: &[String]) -> Option<usize>;
    /// How errors call it.
    fn label(&self) -> String;
}

impl Column for usize {
    fn index(&self, _: &[String]) -> Option<usize> {
        Some(*self)
    }
    fn label(&self) -> String {
        self.to_string()
    }
}

impl Column for &str {
    fn index(&self, columns: &[String]) -> Option<usize> {
        columns.iter().position(|name| name == self)
    }
    fn label(&self) -> String {
        (*self).to_owned()
    }
}

/// A Rust type that a column can be read as.
pub trait FromValue: Sized {
    /// Name of the type, for errors.
    const WANTED: &'static str;
    /// The value as this type; `None` when it is another type or out of range.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! from_value {
    ($($type:ty, $wanted:literal, $pattern:pat => $value:expr;)+) => {$(
        impl FromValue for $type {
            const WANTED: &'static str = $wanted;
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    $pattern => $value,
                    _ => None,
                }
            }
        }
    )+};
}

from_value! {
    i64, "integer", Value::Int(it) => Some(*it);
    i32, "32-bit integer", Value::Int(it) => i32::try_from(*it).ok();
    u64, "integer from 0", Value::Int(it) => u64::try_from(*it).ok();
    u32, "32-bit integer from 0", Value::Int(it) => u32::try_from(*it).ok();
    u16, "16-bit integer from 0", Value::Int(it) => u16::try_from(*it).ok();
    u8, "8-bit integer from 0", Value::Int(it) => u8::try_from(*it).ok();
    bool, "0 or 1", Value::Int(it @ (0 | 1)) => Some(*it == 1);
    String, "text", Value::Text(it) => Some(it.clone());
    Vec<u8>, "bytes", Value::Blob(it) => Some(it.clone());
    domain::Timestamp, "microseconds", Value::Int(it) => Some(domain::Timestamp::from_micros(*it));
}

impl FromValue for Value {
    const WANTED: &'static str = "anything";
    fn from_value(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl<const N: usize> FromValue for [u8; N] {
    const WANTED: &'static str = "bytes of a fixed length";
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Blob(bytes) => bytes.as_slice().try_into().ok(),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const WANTED: &'static str = T::WANTED;
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            other => T::from_value(other).map(Some),
        }
    }
}
