//! Emails, in the one form under which an account is found (A4).

use std::fmt;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::text::is_hidden;

/// Longest email in bytes (RFC 5321, as corrected by erratum 1690).
const MAX_BYTES: usize = 254;
/// Normalising can make a text many times longer: anything past this is refused unread.
const MAX_INPUT_BYTES: usize = 1024;

/// A text that is no email.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EmailRefused {
    /// Too long.
    #[error("longer than {MAX_BYTES} bytes")]
    TooLong,
    /// A space, a control or an invisible character.
    #[error("holds a space, a control or an invisible character")]
    SpaceOrHidden,
    /// Not exactly one `@`.
    #[error("has {found} @ signs")]
    AtSigns {
        /// How many.
        found: usize,
    },
    /// Nothing before or after the `@`, or an empty part between dots after it.
    #[error("has nothing before or after its @")]
    EmptyPart,
}

impl EmailRefused {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(self) -> &'static str {
        match self {
            EmailRefused::TooLong => "too_long",
            EmailRefused::SpaceOrHidden => "space_or_hidden",
            EmailRefused::AtSigns { .. } => "at_signs",
            EmailRefused::EmptyPart => "empty_part",
        }
    }
}

/// An email in canonical form: NFKC, lower case by Unicode and by no country's rules. Nobody checks that it can be reached.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// Reads an email. Two spellings of one email give the same value.
    ///
    /// # Errors
    /// See [`EmailRefused`].
    pub fn parse(text: &str) -> Result<Self, EmailRefused> {
        if text.len() > MAX_INPUT_BYTES {
            return Err(EmailRefused::TooLong);
        }
        let canonical = canonical(text);
        if canonical.len() > MAX_BYTES {
            return Err(EmailRefused::TooLong);
        }
        if text.chars().chain(canonical.chars()).any(|symbol| symbol.is_whitespace() || is_hidden(symbol)) {
            return Err(EmailRefused::SpaceOrHidden);
        }
        let found = canonical.matches('@').count();
        match canonical.split_once('@') {
            Some((local, domain)) if found == 1 => {
                let good = !local.is_empty() && domain.split('.').all(|label| !label.is_empty());
                if good { Ok(Self(canonical)) } else { Err(EmailRefused::EmptyPart) }
            }
            _ => Err(EmailRefused::AtSigns { found }),
        }
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// NFKC and lower case, until neither changes anything: some letters decompose once they are lower case. Letter by
/// letter, so that no letter depends on its neighbours (the Greek final sigma) or on a locale (the Turkish dotless i).
fn canonical(text: &str) -> String {
    let once = |text: &str| text.nfkc().flat_map(char::to_lowercase).nfkc().collect::<String>();
    let first = once(text);
    once(&first)
}

/// Not printed for debugging: it is contact data.
impl fmt::Debug for Email {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Email(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<String, EmailRefused> {
        Email::parse(text).map(|email| email.as_str().to_owned())
    }

    #[test]
    fn one_email_has_one_account_however_it_is_typed() {
        let table = [
            ("Maria@Example.COM", "maria@example.com"),
            ("ISTANBUL@EXAMPLE.COM", "istanbul@example.com"),
            ("\u{130}stanbul@example.com", "i\u{307}stanbul@example.com"),
            ("\u{131}@example.com", "\u{131}@example.com"),
            ("ｍａｒｉａ＠example.com", "maria@example.com"),
            ("ma\u{212a}i@example.com", "maki@example.com"),
            ("ΟΔΟΣ@example.com", "οδοσ@example.com"),
            ("cafe\u{301}@example.com", "caf\u{e9}@example.com"),
            ("a+b.c@localhost", "a+b.c@localhost"),
        ];
        for (typed, canonical) in table {
            assert_eq!(read(typed), Ok(canonical.into()), "{typed}");
        }
    }

    #[test]
    fn what_looks_like_another_persons_email_by_hidden_characters_is_refused() {
        for text in [
            " a@b",
            "a@b ",
            "a b@c",
            "a\u{a0}b@c",
            "a\u{200b}@b",
            "a\u{202e}@b",
            "a@b\n",
            "a\0@b",
            "\u{3000}a@b",
            "a\u{ad}@b",
        ] {
            assert_eq!(read(text), Err(EmailRefused::SpaceOrHidden), "{text:?}");
        }
        for (text, found) in [("a", 0), ("", 0), ("a@b@c", 2), ("a＠b@c", 2)] {
            assert_eq!(read(text), Err(EmailRefused::AtSigns { found }), "{text:?}");
        }
        for text in ["@b", "a@", "a@.b", "a@b.", "a@b..c"] {
            assert_eq!(read(text), Err(EmailRefused::EmptyPart), "{text:?}");
        }
    }

    #[test]
    fn lengths_are_counted_after_normalising_and_capped_before() {
        let of = |bytes: usize| format!("{}@b", "a".repeat(bytes - 2));
        assert!(read(&of(254)).is_ok());
        assert_eq!(read(&of(255)), Err(EmailRefused::TooLong));
        assert_eq!(read(&of(2_000_000)), Err(EmailRefused::TooLong));
        // 60 bytes of which NFKC makes more than 254.
        assert_eq!(read(&format!("{}@b", "\u{fdfb}".repeat(20))), Err(EmailRefused::TooLong));
    }

    proptest! {
        #[test]
        fn the_canonical_form_is_its_own_canonical_form(text in "\\PC{0,20}@\\PC{0,20}") {
            if let Ok(email) = Email::parse(&text) {
                prop_assert_eq!(Email::parse(email.as_str()), Ok(email));
            }
        }
    }
}
