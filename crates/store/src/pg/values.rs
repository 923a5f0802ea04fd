//! Values to and from PostgreSQL's types.

use std::error::Error;
use std::sync::Arc;

use ::postgres::Statement;
use ::postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use bytes::BytesMut;

use crate::{Row, StoreError, Value};

type Failure = Box<dyn Error + Sync + Send>;

fn is_int(ty: &Type) -> bool {
    matches!(*ty, Type::INT8 | Type::INT4 | Type::INT2)
}

fn is_text(ty: &Type) -> bool {
    matches!(*ty, Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN)
}

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) if *ty == Type::INT8 => number.to_sql(ty, out),
            Value::Int(number) if *ty == Type::INT4 => i32::try_from(*number)?.to_sql(ty, out),
            Value::Int(number) if *ty == Type::INT2 => i16::try_from(*number)?.to_sql(ty, out),
            Value::Text(text) if is_text(ty) => text.to_sql(ty, out),
            Value::Blob(bytes) if *ty == Type::BYTEA => bytes.to_sql(ty, out),
            other => Err(format!("{} given where the statement takes {ty}", other.type_name()).into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true // each value decides: the same parameter may be null or not
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Failure> {
        Ok(match *ty {
            Type::INT8 => Value::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Value::Int(i32::from_sql(ty, raw)?.into()),
            Type::INT2 => Value::Int(i16::from_sql(ty, raw)?.into()),
            Type::BOOL => Value::Int(bool::from_sql(ty, raw)?.into()),
            Type::BYTEA => Value::Blob(Vec::from_sql(ty, raw)?),
            _ => Value::Text(String::from_sql(ty, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Failure> {
        Ok(Value::Null)
    }

    fn accepts(ty: &Type) -> bool {
        is_int(ty) || is_text(ty) || matches!(*ty, Type::BOOL | Type::BYTEA)
    }
}

/// A row in the store's terms.
pub(super) fn row(row: &::postgres::Row, columns: &Arc<[String]>) -> Result<Row, StoreError> {
    let values = (0..columns.len()).map(|at| {
        row.try_get::<_, Value>(at)
            .map_err(|_| wrong_type(format!("column {}", columns[at]), row.columns()[at].type_()))
    });
    Ok(Row::new(Arc::clone(columns), values.collect::<Result<_, _>>()?))
}

/// Whether both engines know every type that a statement takes and returns.
pub(super) fn check(statement: &Statement) -> Result<(), StoreError> {
    let known = |ty: &Type| <Value as FromSql>::accepts(ty);
    if let Some(column) = statement.columns().iter().find(|column| !known(column.type_())) {
        return Err(wrong_type(format!("column {}", column.name()), column.type_()));
    }
    // A boolean parameter has no equal on SQLite.
    let params = statement.params().iter().enumerate();
    match params.into_iter().find(|(_, ty)| !known(ty) || **ty == Type::BOOL) {
        Some((at, ty)) => Err(wrong_type(format!("parameter ${}", at + 1), ty)),
        None => Ok(()),
    }
}

fn wrong_type(what: String, ty: &Type) -> StoreError {
    StoreError::Type { what, wanted: "BIGINT, TEXT or BYTEA (CAST a sum)", found: ty.to_string() }
}
