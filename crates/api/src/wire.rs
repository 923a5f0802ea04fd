//! The wire forms of the domain's values: strings that the domain reads exactly.

use std::borrow::Cow;

use domain::{Cents, Timestamp};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use ts_rs::TS;

/// A USD amount as a decimal string with two places: `"2780.00"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, TS)]
#[ts(type = "string")]
pub struct Usd(pub Cents);

/// An instant as microseconds since the Unix epoch, in a decimal string: `"1796131863123456"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, TS)]
#[ts(type = "string")]
pub struct Instant(pub Timestamp);

impl From<Cents> for Usd {
    fn from(cents: Cents) -> Self {
        Self(cents)
    }
}

impl From<Timestamp> for Instant {
    fn from(at: Timestamp) -> Self {
        Self(at)
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Cents::parse(&text).map(Usd).map_err(D::Error::custom)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.micros())
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map(|micros| Instant(Timestamp::from_micros(micros))).map_err(D::Error::custom)
    }
}

impl JsonSchema for Usd {
    fn schema_name() -> Cow<'static, str> {
        "Usd".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,2})?$", "description": "USD, exact decimal"})
    }
}

impl JsonSchema for Instant {
    fn schema_name() -> Cow<'static, str> {
        "Instant".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^-?[0-9]{1,19}$", "description": "microseconds since the Unix epoch, UTC"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_travels_as_text_and_a_json_number_is_refused() {
        assert_eq!(serde_json::to_string(&Usd(Cents::new(278_000))).unwrap(), "\"2780.00\"");
        assert_eq!(serde_json::from_str::<Usd>("\"2780\"").unwrap(), Usd(Cents::new(278_000)));
        for bad in ["2780.00", "\"2780,00\"", "\"2.78e3\"", "null", "\"\""] {
            assert!(serde_json::from_str::<Usd>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn instants_keep_every_microsecond() {
        let at = Instant(Timestamp::from_micros(9_007_199_254_740_993));
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(text, "\"9007199254740993\"");
        assert_eq!(serde_json::from_str::<Instant>(&text).unwrap(), at);
    }
}
