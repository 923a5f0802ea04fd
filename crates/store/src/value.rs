//! The values that travel to and from both engines: no floats, no dates, no booleans of the engine's own.

/// One value of a row or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// INTEGER on SQLite, BIGINT on PostgreSQL; booleans are 0 and 1.
    Int(i64),
    /// TEXT; must hold no NUL character.
    Text(String),
    /// BLOB on SQLite, BYTEA on PostgreSQL.
    Blob(Vec<u8>),
}

impl Value {
    /// Name of the value's type, for errors.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Int(_) => "integer",
            Self::Text(_) => "text",
            Self::Blob(_) => "bytes",
        }
    }
}

/// Values for a statement's `$1 … $n`: `params![id, cents, None::<i64>]`.
#[macro_export]
macro_rules! params {
    () => { &[] as &[$crate::Value] };
    ($($value:expr),+ $(,)?) => { &[$($crate::Value::from($value)),+] as &[$crate::Value] };
}

macro_rules! from {
    ($($type:ty => |$it:ident| $value:expr;)+) => {$(
        impl From<$type> for Value {
            fn from($it: $type) -> Self {
                $value
            }
        }
    )+};
}

from! {
    i64 => |it| Value::Int(it);
    i32 => |it| Value::Int(it.into());
    u32 => |it| Value::Int(it.into());
    u16 => |it| Value::Int(it.into());
    u8 => |it| Value::Int(it.into());
    bool => |it| Value::Int(it.into());
    &str => |it| Value::Text(it.to_owned());
    String => |it| Value::Text(it);
    &String => |it| Value::Text(it.clone());
    Vec<u8> => |it| Value::Blob(it);
    &Vec<u8> => |it| Value::Blob(it.clone());
    &[u8] => |it| Value::Blob(it.to_vec());
    domain::Timestamp => |it| Value::Int(it.micros());
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(bytes: [u8; N]) -> Self {
        Value::Blob(bytes.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for Value {
    fn from(bytes: &[u8; N]) -> Self {
        Value::Blob(bytes.to_vec())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
