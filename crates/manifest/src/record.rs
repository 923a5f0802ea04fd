//! What a file says: one signed header, and records that are each signed and bound to it.

use domain::{Environment, Method, Network};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::codes::{self, bytes_from_hex};
use crate::day::Day;
use crate::keys::Fingerprint;
use crate::refusal::Refusal;

/// The longest text of a [`SignedRecord`], in bytes.
pub const MAX_RECORD_BYTES: usize = 8 * 1024;

/// A token's contract, signed so that no server can put another in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The asset on its network.
    #[serde(with = "codes::method")]
    pub method: Method,
    /// The contract's address as the network writes it.
    pub contract: String,
    /// Decimal places of the token.
    pub decimals: u32,
}

/// What holds for every record of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format's version; this build reads [`crate::FORMAT`].
    pub format: u32,
    /// Where these addresses are valid.
    #[serde(with = "codes::environment")]
    pub environment: Environment,
    /// The network.
    #[serde(with = "codes::network")]
    pub network: Network,
    /// Which chain of that name: see [`crate::chain_id`].
    pub chain_id: String,
    /// Counts up per environment and network. Raising it withdraws every record of a lower one.
    pub epoch: u32,
    /// The UTC day of signing, by the offline machine's clock.
    pub signed_on: Day,
    /// The last UTC day on which a record may be shown; at most 90 days after signing.
    pub last_day: Day,
    /// Derivation index of the first record.
    pub first_index: u32,
    /// Number of records: the indexes run from `first_index` without a gap.
    pub count: u32,
    /// Token contracts on this network; empty for Bitcoin and Litecoin.
    pub tokens: Vec<Token>,
    /// The signing key.
    pub key: Fingerprint,
}

/// One address and its derivation index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Derivation index.
    pub index: u32,
    /// The address in the network's one spelling.
    pub address: String,
}

/// An Ed25519 signature: 64 bytes, written as 128 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(pub(crate) [u8; 64]);

impl Signature {
    /// From its bytes.
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bytes_from_hex(&String::deserialize(deserializer)?)
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("expected 128 lower-case hex digits"))
    }
}

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedHeader {
    /// What is signed.
    pub header: Header,
    /// Over [`crate::canonical::header_bytes`].
    pub signature: Signature,
}

/// Every further line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedEntry {
    /// What is signed.
    pub record: Record,
    /// Over [`crate::canonical::record_bytes`].
    pub signature: Signature,
}

/// One address with all that is needed to check it: what the server hands out with each payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedRecord {
    /// The header of the file that it came in.
    pub header: Header,
    /// Over [`crate::canonical::header_bytes`].
    pub header_signature: Signature,
    /// The address.
    pub record: Record,
    /// Over [`crate::canonical::record_bytes`].
    pub signature: Signature,
}

impl SignedRecord {
    /// Reads the one-line wire form.
    ///
    /// # Errors
    /// [`Refusal::UnknownFormat`] for another version, [`Refusal::BadFormat`] for anything else than exactly these fields.
    pub fn from_line(line: &str) -> Result<Self, Refusal> {
        if line.len() > MAX_RECORD_BYTES {
            return Err(Refusal::BadFormat { detail: format!("longer than {MAX_RECORD_BYTES} bytes") });
        }
        read_line(line)
    }

    /// The one-line wire form: JSON without spaces or line breaks.
    ///
    /// # Errors
    /// [`Refusal::BadFormat`] should the text not be writable, which no value of these types causes.
    pub fn to_line(&self) -> Result<String, Refusal> {
        write_line(self)
    }
}

/// Reads one line strictly; a line of another format version is told apart from a damaged one.
pub(crate) fn read_line<T: for<'de> Deserialize<'de>>(line: &str) -> Result<T, Refusal> {
    #[derive(Deserialize)]
    struct Probe {
        header: Version,
    }
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    if let Ok(Probe { header: Version { format } }) = serde_json::from_str(line)
        && format != crate::FORMAT
    {
        return Err(Refusal::UnknownFormat { found: format });
    }
    serde_json::from_str(line).map_err(|error| Refusal::BadFormat { detail: error.to_string() })
}

/// Writes one line without its line break.
pub(crate) fn write_line<T: Serialize>(value: &T) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|error| Refusal::BadFormat { detail: error.to_string() })
}
