//! How values are written inside files: codes of the domain's names, and hex in exactly one spelling.

/// Reads exactly `2 N` lower-case hex digits. Upper case is refused: one value has one spelling.
pub fn bytes_from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let mut bytes = [0; N];
    (plain && hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}

/// A serde adapter that writes a domain value as its code.
macro_rules! coded {
    ($name:ident, $kind:ty) => {
        pub mod $name {
            use serde::{Deserialize, Deserializer, Serializer};

            pub fn serialize<S: Serializer>(value: &$kind, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(value.code())
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                let code = String::deserialize(deserializer)?;
                <$kind>::from_code(&code)
                    .ok_or_else(|| serde::de::Error::custom(concat!("no such ", stringify!($name))))
            }
        }
    };
}

coded!(environment, domain::Environment);
coded!(network, domain::Network);
coded!(method, domain::Method);
