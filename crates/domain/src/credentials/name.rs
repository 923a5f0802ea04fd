//! First and last names: whatever people are called.

use std::fmt;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::text::is_hidden;

/// Longest name in characters.
const MAX_CHARS: usize = 100;
/// Nothing longer is looked at.
const MAX_INPUT_BYTES: usize = 1024;

/// A text that is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameRefused {
    /// Nothing but spaces.
    #[error("nothing entered")]
    Empty,
    /// Too long.
    #[error("longer than {MAX_CHARS} characters")]
    TooLong,
    /// A control or an invisible character.
    #[error("holds a control or an invisible character")]
    Hidden,
}

impl NameRefused {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(self) -> &'static str {
        match self {
            NameRefused::Empty => "empty",
            NameRefused::TooLong => "too_long",
            NameRefused::Hidden => "hidden",
        }
    }
}

/// A person's first or last name, trimmed. Composed (NFC), otherwise as typed.
#[derive(Clone, PartialEq, Eq)]
pub struct PersonName(String);

impl PersonName {
    /// Reads a name of 1 to 100 characters.
    ///
    /// # Errors
    /// See [`NameRefused`].
    pub fn parse(text: &str) -> Result<Self, NameRefused> {
        if text.len() > MAX_INPUT_BYTES {
            return Err(NameRefused::TooLong);
        }
        let name: String = text.trim().nfc().collect();
        if name.chars().any(is_hidden) {
            return Err(NameRefused::Hidden);
        }
        match name.chars().count() {
            0 => Err(NameRefused::Empty),
            1..=MAX_CHARS => Ok(Self(name)),
            _ => Err(NameRefused::TooLong),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Not printed for debugging: it is contact data.
impl fmt::Debug for PersonName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PersonName(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_real_people_are_taken_as_they_are() {
        for name in ["Maria", "José da Silva", "Işıl", "O'Neill", "X Æ", "李", "van der Berg-Müller", "Nguyễn"]
        {
            assert_eq!(PersonName::parse(&format!("  {name} ")).unwrap().as_str(), name);
        }
    }

    #[test]
    fn a_name_can_not_break_a_line_or_hide_anything() {
        assert_eq!(PersonName::parse(" \t "), Err(NameRefused::Empty));
        for name in ["a\nb", "a\u{202e}b", "a\u{200b}", "a\0", "a\u{1b}[2J"] {
            assert_eq!(PersonName::parse(name), Err(NameRefused::Hidden), "{name:?}");
        }
        assert!(PersonName::parse(&"é".repeat(100)).is_ok());
        assert_eq!(PersonName::parse(&"é".repeat(101)), Err(NameRefused::TooLong));
        assert_eq!(PersonName::parse(&"a".repeat(100_000)), Err(NameRefused::TooLong));
    }
}
