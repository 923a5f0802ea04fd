//! The customer's SSH public key, as OpenSSH writes it in one line. Each mistake that people make gets its own answer.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

/// Longest text that is looked at: an RSA key of 16384 bits has some 2800 characters.
const MAX_TEXT: usize = 8192;
/// The shortest RSA modulus that is still taken (OpenSSH refuses less than 1024; 2048 is today's floor).
const MIN_RSA_BITS: usize = 2048;

/// The kinds of key that are taken, by the names of OpenSSH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// `ssh-ed25519`.
    Ed25519,
    /// `ssh-rsa`, from 2048 bits.
    Rsa,
    /// `ecdsa-sha2-nistp256`.
    EcdsaP256,
    /// `ecdsa-sha2-nistp384`.
    EcdsaP384,
    /// `ecdsa-sha2-nistp521`.
    EcdsaP521,
    /// `sk-ssh-ed25519@openssh.com`, on a security key.
    SkEd25519,
    /// `sk-ecdsa-sha2-nistp256@openssh.com`, on a security key.
    SkEcdsaP256,
}

impl KeyKind {
    /// Every kind.
    pub const ALL: [KeyKind; 7] = [
        KeyKind::Ed25519,
        KeyKind::Rsa,
        KeyKind::EcdsaP256,
        KeyKind::EcdsaP384,
        KeyKind::EcdsaP521,
        KeyKind::SkEd25519,
        KeyKind::SkEcdsaP256,
    ];

    /// OpenSSH's name.
    pub const fn name(self) -> &'static str {
        match self {
            KeyKind::Ed25519 => "ssh-ed25519",
            KeyKind::Rsa => "ssh-rsa",
            KeyKind::EcdsaP256 => "ecdsa-sha2-nistp256",
            KeyKind::EcdsaP384 => "ecdsa-sha2-nistp384",
            KeyKind::EcdsaP521 => "ecdsa-sha2-nistp521",
            KeyKind::SkEd25519 => "sk-ssh-ed25519@openssh.com",
            KeyKind::SkEcdsaP256 => "sk-ecdsa-sha2-nistp256@openssh.com",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Why a text is no public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PublicKeyRefused {
    /// Nothing entered.
    #[error("nothing entered")]
    Empty,
    /// Much longer than a key.
    #[error("far longer than a key")]
    TooLong,
    /// The word `null`, `undefined` or `none`: some program wrote it in place of a key.
    #[error("the word for nothing in place of a key")]
    WordForNothing,
    /// A fingerprint, which names a key but is none.
    #[error("a fingerprint, not the key")]
    Fingerprint,
    /// A private key. It is compromised now: it was pasted into a form.
    #[error("a private key, which must not leave its owner: make a new one")]
    PrivateKey,
    /// PuTTY's file, or the RFC 4716 form that it exports.
    #[error("PuTTY's form: copy the one line from its key generator's window")]
    PuttyForm,
    /// More than one key.
    #[error("more than one key")]
    SeveralKeys,
    /// The key without its type before it.
    #[error("the type before the key is missing")]
    TypeMissing,
    /// Options before the type, as in `authorized_keys`.
    #[error("options before the key are not taken")]
    Options,
    /// Not a kind of key that is taken.
    #[error("an unknown or outdated type of key")]
    UnknownType,
    /// The type without a key after it.
    #[error("the key after the type is missing")]
    KeyMissing,
    /// A key that was cut or changed.
    #[error("the key is damaged or cut off")]
    Damaged,
    /// The key is of another type than it says.
    #[error("the key is not of the type that stands before it")]
    TypeMismatch,
    /// An RSA key that is too short.
    #[error("an RSA key of {bits} bits, at least {MIN_RSA_BITS} are needed")]
    RsaTooShort {
        /// Its bits.
        bits: usize,
    },
}

impl PublicKeyRefused {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(self) -> &'static str {
        match self {
            PublicKeyRefused::Empty => "empty",
            PublicKeyRefused::TooLong => "too_long",
            PublicKeyRefused::WordForNothing => "word_for_nothing",
            PublicKeyRefused::Fingerprint => "fingerprint",
            PublicKeyRefused::PrivateKey => "private_key",
            PublicKeyRefused::PuttyForm => "putty_form",
            PublicKeyRefused::SeveralKeys => "several_keys",
            PublicKeyRefused::TypeMissing => "type_missing",
            PublicKeyRefused::Options => "options",
            PublicKeyRefused::UnknownType => "unknown_type",
            PublicKeyRefused::KeyMissing => "key_missing",
            PublicKeyRefused::Damaged => "damaged",
            PublicKeyRefused::TypeMismatch => "type_mismatch",
            PublicKeyRefused::RsaTooShort { .. } => "rsa_too_short",
        }
    }
}

/// A checked public key. Its comment is dropped: it often holds a person's name or address (A5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    kind: KeyKind,
    base64: String,
}

impl PublicKey {
    /// Reads one line: type, key, and a comment that is dropped.
    ///
    /// # Errors
    /// Names the mistake.
    pub fn parse(text: &str) -> Result<Self, PublicKeyRefused> {
        if text.len() > MAX_TEXT {
            return Err(PublicKeyRefused::TooLong);
        }
        let text = text.trim();
        mistaken_for_a_key(text)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let first = words.first().copied().ok_or(PublicKeyRefused::Empty)?;
        if text.lines().filter(|line| !line.trim().is_empty()).count() > 1 {
            return Err(if keys_in(&words) > 1 { PublicKeyRefused::SeveralKeys } else { PublicKeyRefused::Damaged });
        }
        if keys_in(&words) > 1 {
            return Err(PublicKeyRefused::SeveralKeys);
        }
        let kind = KeyKind::from_name(first).ok_or_else(|| not_a_type(first, &words))?;
        let base64 = words.get(1).copied().ok_or(PublicKeyRefused::KeyMissing)?;
        check_blob(kind, base64)?;
        Ok(Self { kind, base64: base64.to_owned() })
    }

    /// Its kind.
    pub const fn kind(&self) -> KeyKind {
        self.kind
    }
}

/// Prints type and key, the line for `authorized_keys`.
impl fmt::Display for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.kind.name(), self.base64)
    }
}

/// Recognises what people paste in place of a public key.
fn mistaken_for_a_key(text: &str) -> Result<(), PublicKeyRefused> {
    let has = |part: &str| text.contains(part);
    if text.is_empty() {
        Err(PublicKeyRefused::Empty)
    } else if has("PRIVATE KEY-----") || has("Private-Lines:") {
        Err(PublicKeyRefused::PrivateKey)
    } else if has("PuTTY-User-Key-File") || has("BEGIN SSH2 PUBLIC KEY") {
        Err(PublicKeyRefused::PuttyForm)
    } else if ["null", "undefined", "none", "nil"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        Err(PublicKeyRefused::WordForNothing)
    } else if is_fingerprint(text) {
        Err(PublicKeyRefused::Fingerprint)
    } else {
        Ok(())
    }
}

/// `SHA256:…`, `MD5:…`, bare hex pairs, or the line that `ssh-keygen -l` prints around them.
fn is_fingerprint(text: &str) -> bool {
    let pairs = |word: &str| word.len() == 47 && word.split(':').all(|pair| pair.len() == 2);
    text.split_whitespace().take(3).any(|word| word.starts_with("SHA256:") || word.starts_with("MD5:") || pairs(word))
}

/// How many keys seem to stand in these words: types, or bodies without one. Only whole words count, as a comment
/// may hold anything.
fn keys_in(words: &[&str]) -> usize {
    let types = words.iter().filter(|word| KeyKind::from_name(word).is_some()).count();
    let bodies = words.iter().filter(|word| word.starts_with("AAAA") && word.len() > 40).count();
    types.max(bodies)
}

fn not_a_type(first: &str, words: &[&str]) -> PublicKeyRefused {
    if first.starts_with("AAAA") {
        PublicKeyRefused::TypeMissing
    } else if words.iter().any(|word| KeyKind::from_name(word).is_some()) {
        PublicKeyRefused::Options
    } else {
        PublicKeyRefused::UnknownType
    }
}

/// Checks the key's own bytes: length-prefixed fields (RFC 4253 6.6, RFC 5656 3.1, RFC 8709 4), the first of which is the type.
fn check_blob(kind: KeyKind, base64: &str) -> Result<(), PublicKeyRefused> {
    let bytes = STANDARD.decode(base64).map_err(|_| PublicKeyRefused::Damaged)?;
    let fields = fields_of(&bytes).ok_or(PublicKeyRefused::Damaged)?;
    if fields.first().copied() != Some(kind.name().as_bytes()) {
        return Err(PublicKeyRefused::TypeMismatch);
    }
    let good = match (kind, fields.get(1..).unwrap_or_default()) {
        (KeyKind::Ed25519, [key]) => key.len() == 32,
        (KeyKind::SkEd25519, [key, application]) => key.len() == 32 && !application.is_empty(),
        (KeyKind::EcdsaP256, [curve, point]) => is_point(curve, b"nistp256", point, 32),
        (KeyKind::EcdsaP384, [curve, point]) => is_point(curve, b"nistp384", point, 48),
        (KeyKind::EcdsaP521, [curve, point]) => is_point(curve, b"nistp521", point, 66),
        (KeyKind::SkEcdsaP256, [curve, point, application]) => {
            is_point(curve, b"nistp256", point, 32) && !application.is_empty()
        }
        (KeyKind::Rsa, [exponent, modulus]) => {
            let bits = bits_of(modulus);
            if bits < MIN_RSA_BITS {
                return Err(PublicKeyRefused::RsaTooShort { bits });
            }
            bits_of(exponent) > 1
        }
        _ => false,
    };
    if good { Ok(()) } else { Err(PublicKeyRefused::Damaged) }
}

fn fields_of(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (field, rest) = rest.split_at_checked(length)?;
        fields.push(field);
        bytes = rest;
    }
    Some(fields)
}

/// An uncompressed point: a 4, then two coordinates.
fn is_point(curve: &[u8], expected: &[u8], point: &[u8], coordinate_len: usize) -> bool {
    curve == expected && point.len() == 1 + 2 * coordinate_len && point.first() == Some(&4)
}

/// Bits of a positive number with its sign byte.
fn bits_of(number: &[u8]) -> usize {
    let significant: &[u8] = match number.iter().position(|byte| *byte != 0) {
        Some(start) => &number[start..],
        None => return 0,
    };
    let leading = significant.first().map_or(0, |byte| byte.leading_zeros() as usize);
    significant.len() * 8 - leading
}
