//! Short codes of the domain's refusals, for the window's sentences.

use domain::access::PublicKeyRefused;
use domain::credentials::{PasswordRefused, Weakness};

/// Why a password is refused.
pub(crate) const fn password(refused: &PasswordRefused) -> &'static str {
    match refused {
        PasswordRefused::TooShort { .. } => "too_short",
        PasswordRefused::TooLong => "too_long",
        PasswordRefused::Weak(Weakness::FewCharacters) => "few_characters",
        PasswordRefused::Weak(Weakness::Repeated) => "repeated",
        PasswordRefused::Weak(Weakness::Account) => "account",
        PasswordRefused::Weak(Weakness::Product) => "product",
        PasswordRefused::Weak(Weakness::Common) => "common",
        PasswordRefused::Weak(Weakness::Run) => "run",
    }
}

/// Why a text is no public key.
pub(crate) const fn public_key(refused: PublicKeyRefused) -> &'static str {
    match refused {
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
