//! Passwords that are tried first. They are recognised by what they are made of: take away what an attacker knows or
//! generates anyway, and look at what is left.

use thiserror::Error;

use super::PasswordContext;
use super::password::MIN_PASSWORD_CHARS;

/// Fewest characters that must be left once everything easy is taken away.
const MIN_LEFT: usize = 6;
/// Fewest different characters of a password.
const MIN_DISTINCT: usize = 5;
/// Shortest run of a keyboard, an alphabet or one character that counts.
const MIN_RUN: usize = 3;
/// Shortest word of the account or the product that counts.
const MIN_WORD: usize = 3;

/// Words of the product and its trade.
const PRODUCT_WORDS: &[&str] =
    &["kernodeck", "kerno", "deck", "cuda", "rocm", "nvidia", "pytorch", "bitcoin", "litecoin", "ethereum", "crypto"];

/// Words and phrases that lead every list of leaked passwords, in our three languages.
const COMMON_WORDS: &[&str] = &[
    "password",
    "passw0rd",
    "p@ssword",
    "p@ssw0rd",
    "passphrase",
    "letmein",
    "welcome",
    "iloveyou",
    "admin",
    "administrator",
    "root",
    "login",
    "master",
    "dragon",
    "monkey",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "superman",
    "batman",
    "trustno1",
    "changeme",
    "secret",
    "whatever",
    "computer",
    "internet",
    "correct",
    "horse",
    "battery",
    "staple",
    "senha",
    "mudar",
    "brasil",
    "flamengo",
    "corinthians",
    "eusoudejesus",
    "teamo",
    "parola",
    "sifre",
    "şifre",
    "galatasaray",
    "fenerbahce",
    "fenerbahçe",
    "besiktas",
    "beşiktaş",
    "istanbul",
    "turkiye",
    "türkiye",
    "the",
    "and",
    "my",
    "is",
    "pass",
    "word",
    "test",
    "user",
    "guest",
    "hello",
    "qwerty",
    "abc",
    "money",
    "bank",
    "wallet",
];

/// Rows and columns of keyboards: Q, QWERTZ, AZERTY and the Turkish Q and F layouts.
const KEYBOARDS: &[&str] = &[
    "1234567890-=",
    "qwertyuiop[]",
    "asdfghjkl;'",
    "zxcvbnm,./",
    "qwertzuiopü",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
    "qwertyuıopğü",
    "asdfghjklşi",
    "zxcvbnmöç",
    "fgğıodrnhpqw",
    "uieaütkmlyşx",
    "jövcçzsb",
    "1qaz",
    "2wsx",
    "3edc",
    "4rfv",
    "5tgb",
    "6yhn",
    "7ujm",
    "8ik,",
    "9ol.",
    "0p;/",
    "!@#$%^&*()_+",
    "zaq1",
    "xsw2",
    "cde3",
    "vfr4",
    "147",
    "258",
    "369",
    "159",
    "753",
];

/// Why a password is easy to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Weakness {
    /// Very few different characters.
    #[error("very few different characters")]
    FewCharacters,
    /// The same part over and over.
    #[error("the same part repeated")]
    Repeated,
    /// Mostly the account's own email or names.
    #[error("mostly the account's own email or name")]
    Account,
    /// Mostly the product's own words.
    #[error("mostly words of this product")]
    Product,
    /// Mostly words that everyone uses.
    #[error("mostly words that lead every list")]
    Common,
    /// Mostly keys beside one another, letters or digits in order, or one character repeated.
    #[error("mostly keyboard rows, alphabets or repeats")]
    Run,
}

impl Weakness {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(self) -> &'static str {
        match self {
            Weakness::FewCharacters => "few_characters",
            Weakness::Repeated => "repeated",
            Weakness::Account => "account",
            Weakness::Product => "product",
            Weakness::Common => "common",
            Weakness::Run => "run",
        }
    }
}

/// Why the password would be guessed early, if it would.
pub(super) fn weakness(password: &str, context: &PasswordContext<'_>) -> Option<Weakness> {
    let lower: Vec<char> = password.chars().flat_map(char::to_lowercase).collect();
    let mut distinct = lower.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < MIN_DISTINCT {
        return Some(Weakness::FewCharacters);
    }
    if is_repeated(&lower) {
        return Some(Weakness::Repeated);
    }
    let mut left = Left::of(&lower);
    let account = account_words(context);
    let product = PRODUCT_WORDS.iter().copied();
    let steps: [(Weakness, Vec<&str>); 3] = [
        (Weakness::Account, account.iter().map(String::as_str).collect()),
        (Weakness::Product, product.collect()),
        (Weakness::Common, COMMON_WORDS.to_vec()),
    ];
    for (weakness, words) in steps {
        left.take_words(words);
        if left.too_little() {
            return Some(weakness);
        }
    }
    left.take_runs();
    left.too_little().then_some(Weakness::Run)
}

/// Whether the whole is one part, shorter than a password, said at least twice; the last time may be cut off.
fn is_repeated(chars: &[char]) -> bool {
    let longest = (chars.len() / 2).min(MIN_PASSWORD_CHARS - 1);
    (1..=longest).any(|period| chars.iter().zip(chars.iter().skip(period)).all(|(one, next)| one == next))
}

/// The email whole and in its parts, and the names.
fn account_words(context: &PasswordContext<'_>) -> Vec<String> {
    let email = context.email.as_str();
    let parts = email.split(|symbol: char| !symbol.is_alphanumeric());
    let names = context.names.iter().flat_map(|name| name.as_str().split_whitespace());
    let lower = |word: &str| word.chars().flat_map(char::to_lowercase).collect::<String>();
    let mut words: Vec<String> = parts.chain(names).map(lower).collect();
    words.extend([email.to_owned(), email.split('@').next().unwrap_or_default().to_owned()]);
    words.retain(|word| word.chars().count() >= MIN_WORD);
    words
}

/// The password with what was taken away marked.
struct Left<'a> {
    chars: &'a [char],
    taken: Vec<bool>,
}

impl<'a> Left<'a> {
    fn of(chars: &'a [char]) -> Self {
        Self { chars, taken: vec![false; chars.len()] }
    }

    fn take(&mut self, start: usize, length: usize) {
        self.taken.iter_mut().skip(start).take(length).for_each(|taken| *taken = true);
    }

    /// Takes every word wherever it stands, also where it overlaps another.
    fn take_words(&mut self, words: Vec<&str>) {
        for word in words {
            let word: Vec<char> = word.chars().collect();
            for start in 0..self.chars.len() {
                if self.chars[start..].starts_with(&word) {
                    self.take(start, word.len());
                }
            }
        }
    }

    /// Takes runs: one character repeated, an alphabet or digits in order, or keys beside one another, either way round.
    fn take_runs(&mut self) {
        for start in 0..self.chars.len() {
            let rest = &self.chars[start..];
            let by = |step: fn(char, char) -> bool| {
                1 + rest.iter().zip(rest.iter().skip(1)).take_while(|(one, next)| step(**one, **next)).count()
            };
            let ordered = [
                by(|one, next| one == next),
                by(|one, next| u32::from(one) + 1 == u32::from(next)),
                by(|one, next| u32::from(next) + 1 == u32::from(one)),
            ];
            let longest = ordered.into_iter().chain([longest_walk(rest)]).max().unwrap_or(0);
            if longest >= MIN_RUN {
                self.take(start, longest);
            }
        }
    }

    /// Whether hardly anything remains to be guessed. Spaces and signs between easy words do not count.
    fn too_little(&self) -> bool {
        let counts = |(symbol, taken): &(&char, &bool)| !**taken && symbol.is_alphanumeric();
        let left = self.chars.iter().zip(&self.taken);
        // Signs count when there are many: `#%?!&*` is hard to guess, ` - ` is not.
        let signs = left.clone().filter(|(symbol, taken)| !**taken && !symbol.is_alphanumeric()).count();
        left.filter(counts).count() + signs / 2 < MIN_LEFT
    }
}

/// How many of the first characters are keys beside one another on some keyboard, in one direction.
fn longest_walk(chars: &[char]) -> usize {
    let common = |row: &[char]| row.iter().zip(chars).take_while(|(key, typed)| key == typed).count();
    let mut longest = 0;
    for row in KEYBOARDS {
        let forward: Vec<char> = row.chars().collect();
        let backward: Vec<char> = row.chars().rev().collect();
        for start in 0..forward.len() {
            longest = longest.max(common(&forward[start..])).max(common(&backward[start..]));
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credentials::{Email, PersonName};

    fn judged(password: &str) -> Option<Weakness> {
        let email = Email::parse("maria.oliveira@example.com").unwrap();
        let (first, last) = (PersonName::parse("Maria").unwrap(), PersonName::parse("Işıl Oliveira").unwrap());
        weakness(password, &PasswordContext { email: &email, names: &[&first, &last] })
    }

    #[test]
    fn passwords_that_are_tried_first_are_refused_with_their_reason() {
        let table = [
            ("aaaaaaaaaaaaaaa", Weakness::FewCharacters),
            ("121212121212121", Weakness::FewCharacters),
            ("abcdeabcdeabcde", Weakness::Repeated),
            ("x7Kq-x7Kq-x7Kq-", Weakness::Repeated),
            ("Tr0ub4dorTr0ub4dor", Weakness::Repeated),
            ("tr0ub4dorTR0UB4DOR", Weakness::Repeated),
            ("maria.oliveira@example.com", Weakness::Account),
            ("Maria-Oliveira-2026", Weakness::Account),
            ("IşılOliveiraMaria!", Weakness::Account),
            ("KernodeckKernodeck1", Weakness::Product),
            ("kernodeck bitcoin cuda", Weakness::Product),
            ("password and password", Weakness::Common),
            ("correct horse battery staple", Weakness::Common),
            ("CorrectHorseBatteryStaple", Weakness::Common),
            ("P@ssw0rd-welcome-admin", Weakness::Common),
            ("qwertyuiopasdfgh", Weakness::Run),
            ("poiuytrewqlkjhgf", Weakness::Run),
            ("1qaz2wsx3edc4rfv", Weakness::Run),
            ("abcdefghijklmnop", Weakness::Run),
            ("zyxwvutsrqponmlk", Weakness::Run),
            ("123456789012345", Weakness::Run),
            ("password12345678", Weakness::Run),
            ("Kernodeck12345!!!", Weakness::Run),
            ("asdfghjklşiqwertyuıopğü", Weakness::Run),
        ];
        for (password, expected) in table {
            assert_eq!(judged(password), Some(expected), "{password}");
        }
    }

    #[test]
    fn passwords_that_are_good_are_not_refused_for_holding_a_common_word() {
        let good = [
            "seven purple otters",
            "my kernodeck otter swims",
            "the password of maria is blue",
            "kV3#pQ9!zR7@mW2",
            "uzun bir yolun sonu deniz",
            "o gato subiu no telhado",
            "#%?!&*^~+={}[]<>:;",
            "xkqjvbzwpfhgtdm",
            "Доброе утро, Анкара",
        ];
        for password in good {
            assert_eq!(judged(password), None, "{password}");
        }
    }
}
