//! What a password may be: its length, and that it is not one of those that are tried first (A1).

use std::fmt;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use super::weak::{Weakness, weakness};
use super::{Email, PersonName};

/// Fewest Unicode code points of a password, before and after NFKC.
pub const MIN_PASSWORD_CHARS: usize = 15;
/// Most Unicode code points of a password, before and after NFKC.
pub const MAX_PASSWORD_CHARS: usize = 128;
/// Most bytes that so many code points have in UTF-8. More is refused before anything is computed.
const MAX_PASSWORD_BYTES: usize = 4 * MAX_PASSWORD_CHARS;

/// Why a password is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PasswordRefused {
    /// Too short, as typed or once normalised.
    #[error("{chars} characters, at least {MIN_PASSWORD_CHARS} are needed")]
    TooShort {
        /// Code points counted.
        chars: usize,
    },
    /// Too long, as typed or once normalised.
    #[error("more than {MAX_PASSWORD_CHARS} characters")]
    TooLong,
    /// Among those that are tried first.
    #[error("too easy to guess: {0}")]
    Weak(#[from] Weakness),
}

impl PasswordRefused {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(&self) -> &'static str {
        match self {
            PasswordRefused::TooShort { .. } => "too_short",
            PasswordRefused::TooLong => "too_long",
            PasswordRefused::Weak(weakness) => weakness.reason(),
        }
    }
}

/// What an attacker knows of the account.
#[derive(Clone, Copy, Debug)]
pub struct PasswordContext<'a> {
    /// Its email.
    pub email: &'a Email,
    /// Its owner's names.
    pub names: &'a [&'a PersonName],
}

/// A password in NFKC, ready to be hashed. It is not printed for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Checks a password that is being chosen.
    ///
    /// # Errors
    /// See [`PasswordRefused`].
    pub fn choose(text: &str, context: &PasswordContext<'_>) -> Result<Self, PasswordRefused> {
        let password = Self::enter(text)?;
        match weakness(&password.0, context) {
            Some(weakness) => Err(PasswordRefused::Weak(weakness)),
            None => Ok(password),
        }
    }

    /// Normalises a password that is typed to sign in. Only its length is looked at: what was chosen once is not judged again.
    ///
    /// # Errors
    /// Refuses what no chosen password can be by its length.
    pub fn enter(text: &str) -> Result<Self, PasswordRefused> {
        if text.len() > MAX_PASSWORD_BYTES {
            return Err(PasswordRefused::TooLong);
        }
        check_chars(text.chars().count())?;
        let normalised: String = text.nfkc().collect();
        check_chars(normalised.chars().count())?;
        Ok(Self(normalised))
    }

    /// The secret itself, in NFKC.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

fn check_chars(chars: usize) -> Result<(), PasswordRefused> {
    match chars {
        0..MIN_PASSWORD_CHARS => Err(PasswordRefused::TooShort { chars }),
        MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS => Ok(()),
        _ => Err(PasswordRefused::TooLong),
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Password(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(text: &str) -> Result<String, PasswordRefused> {
        let email = Email::parse("maria.oliveira@example.com").unwrap();
        let name = PersonName::parse("Maria").unwrap();
        let context = PasswordContext { email: &email, names: &[&name] };
        Password::choose(text, &context).map(|password| password.reveal().to_owned())
    }

    /// Neither a repetition nor a sequence: what a password manager makes.
    fn random_like(chars: usize) -> String {
        (0u32..).map(|index| char::from(b'!' + u8::try_from(index * index * 31 % 89).unwrap())).take(chars).collect()
    }

    #[test]
    fn fourteen_is_too_short_fifteen_to_128_are_good_129_is_too_long() {
        assert_eq!(choose(&random_like(14)), Err(PasswordRefused::TooShort { chars: 14 }));
        assert!(choose(&random_like(15)).is_ok());
        assert!(choose(&random_like(128)).is_ok());
        assert_eq!(choose(&random_like(129)), Err(PasswordRefused::TooLong));
    }

    #[test]
    fn code_points_are_counted_not_bytes() {
        let turkish = "çığlıköşüağaçış";
        assert_eq!(turkish.chars().count(), 15);
        assert_eq!(choose(turkish), Ok(turkish.into()));
        let emoji: String = (0u32..128).map(|index| char::from_u32(0x1f400 + index * 7 % 128).unwrap()).collect();
        assert_eq!(emoji.len(), 512);
        assert!(choose(&emoji).is_ok());
    }

    #[test]
    fn the_limits_hold_before_and_after_normalising() {
        // 14 characters of which NFKC makes 28.
        let grows = "\u{fb01}".repeat(14);
        assert_eq!(choose(&grows), Err(PasswordRefused::TooShort { chars: 14 }));
        // 16 characters of which NFKC makes 8.
        let shrinks = "e\u{301}o\u{308}a\u{300}u\u{30a}i\u{302}n\u{303}c\u{327}s\u{30c}";
        assert_eq!(choose(shrinks), Err(PasswordRefused::TooShort { chars: 8 }));
        // 20 characters of which NFKC makes 360.
        assert_eq!(choose(&"\u{fdfa}".repeat(20)), Err(PasswordRefused::TooLong));
        assert_eq!(choose(&"a".repeat(50_000_000)), Err(PasswordRefused::TooLong));
    }

    #[test]
    fn the_same_keys_on_another_keyboard_give_the_same_password() {
        let composed = choose("caf\u{e9} com le\u{e3}o azul").unwrap();
        let decomposed = choose("cafe\u{301} com lea\u{303}o azul").unwrap();
        assert_eq!(composed, decomposed);
        assert_eq!(Password::enter("ｃafé com leão azul").unwrap().reveal(), composed);
    }

    #[test]
    fn spaces_and_every_kind_of_character_are_welcome() {
        for text in
            ["seven purple otters", "onlysmallletterstogether ok", "Доброе утро, Анкара", " leading and trailing "]
        {
            assert_eq!(choose(text), Ok(text.into()));
        }
    }

    #[test]
    fn a_password_is_not_printed() {
        assert_eq!(format!("{:?}", Password::enter("seven purple otters").unwrap()), "Password(…)");
    }
}
