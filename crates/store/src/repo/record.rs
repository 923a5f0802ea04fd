//! A record: the struct of a table's row, read by column name and written in column order.

/// Declares a struct whose fields are the columns of a table, with `from_row` and `values` (in field order).
macro_rules! record {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)+
        }

        impl $name {
            /// Reads the row.
            pub fn from_row(row: &$crate::Row) -> Result<Self, $crate::StoreError> {
                Ok(Self { $($field: row.get(stringify!($field))?,)+ })
            }

            /// The values in column order, for an insert.
            #[allow(dead_code)]
            fn values(&self) -> Vec<$crate::Value> {
                vec![$($crate::Value::from(self.$field.clone()),)+]
            }
        }
    };
}
pub(crate) use record;

use crate::{Row, StoreError};

/// Maps every row.
pub(crate) fn all<T>(rows: &[Row], map: impl Fn(&Row) -> Result<T, StoreError>) -> Result<Vec<T>, StoreError> {
    rows.iter().map(map).collect()
}
