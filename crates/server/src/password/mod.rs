//! Passwords: which are refused, what a hash costs, and how many are computed at the same time.

mod permits;

use std::borrow::Cow;

use api::ErrorCode;
use api::server::Role;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use domain::credentials::{Email, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, Password, PasswordContext, PersonName};
use zxcvbn::Score;

use permits::Permits;

/// Characters that the estimate looks at; its cost grows with the square of them.
const ESTIMATED_CHARS: usize = 100;
/// Bounds of stored parameters: a row that was tampered with must not take all memory.
const MAX_MEMORY_KIB: u32 = 256 * 1024;
const MAX_PASSES: u32 = 10;

/// What a hash costs: memory in KiB, passes. One lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    memory_kib: u32,
    passes: u32,
}

/// Argon2id for customers, and a dearer one for operators.
const fn cost(role: Role) -> Cost {
    match role {
        Role::Customer => Cost { memory_kib: 47_104, passes: 1 },
        Role::Fulfilment | Role::Treasury | Role::Administrator => Cost { memory_kib: 65_536, passes: 3 },
    }
}

/// Computes hashes, a few at a time.
pub struct Passwords {
    permits: Permits,
    /// Of a password that nobody knows: checking a name without an account costs as much as one with.
    nobody: String,
}

impl Passwords {
    /// As many at a time as there are cores, one left for everything else.
    ///
    /// # Errors
    /// `Internal` when the system gives no randomness.
    pub fn new() -> Result<Self, ErrorCode> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut unknown = [0u8; 32];
        getrandom::fill(&mut unknown).map_err(|_| ErrorCode::Internal)?;
        let nobody = hash(&unknown, cost(Role::Customer))?;
        Ok(Self { permits: Permits::new(cores.saturating_sub(1).max(1)), nobody })
    }

    /// Judges a password that is being chosen and hashes it.
    ///
    /// # Errors
    /// `FieldRefused` with `field` and a short reason, `Busy`.
    pub fn choose(
        &self,
        role: Role,
        field: &str,
        text: &str,
        email: &Email,
        names: &[&PersonName],
    ) -> Result<String, ErrorCode> {
        let refused = |reason: &str| ErrorCode::FieldRefused { field: field.to_owned(), reason: reason.to_owned() };
        let fitted = fitted(text);
        let password =
            Password::choose(&fitted, &PasswordContext { email, names }).map_err(|error| refused(error.reason()))?;
        let _permit = self.permits.take()?;
        if is_guessable(password.reveal(), email, names) {
            return Err(refused("common"));
        }
        hash(password.reveal().as_bytes(), cost(role))
    }

    /// Checks a password against a stored hash; against nobody's, at the same cost, when there is none.
    ///
    /// # Errors
    /// `Busy`.
    pub fn verify(&self, password: &Password, stored: Option<&str>) -> Result<bool, ErrorCode> {
        let _permit = self.permits.take()?;
        let fits = verify(password.reveal().as_bytes(), stored.unwrap_or(&self.nobody))?;
        Ok(fits && stored.is_some())
    }

    /// A hash at today's cost, when the stored one is of another.
    ///
    /// # Errors
    /// `Busy`.
    pub fn rehash(&self, role: Role, password: &Password, stored: &str) -> Result<Option<String>, ErrorCode> {
        if stored_cost(stored) == Some(cost(role)) {
            return Ok(None);
        }
        let _permit = self.permits.take()?;
        hash(password.reveal().as_bytes(), cost(role)).map(Some)
    }
}

/// The text itself; with the fault planted, at a length that is taken.
fn fitted(text: &str) -> Cow<'_, str> {
    if !faults::planted(faults::PASSWORD_LENGTH_UNCHECKED) {
        return Cow::Borrowed(text);
    }
    let length = text.chars().count().clamp(MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS);
    Cow::Owned(text.chars().chain(std::iter::repeat('~')).take(length).collect())
}

/// Whether a guesser who knows the account gets there early, by the first characters.
fn is_guessable(password: &str, email: &Email, names: &[&PersonName]) -> bool {
    let start: String = password.chars().take(ESTIMATED_CHARS).collect();
    let known: Vec<&str> = names.iter().map(|name| name.as_str()).chain([email.as_str(), "kernodeck"]).collect();
    zxcvbn::zxcvbn(&start, &known).score() < Score::Three
}

fn argon2(cost: Cost) -> Result<Argon2<'static>, ErrorCode> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None).map_err(|_| ErrorCode::Internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &[u8], cost: Cost) -> Result<String, ErrorCode> {
    let hashed = argon2(cost)?.hash_password(password).map_err(|error| {
        tracing::error!(%error, "a password could not be hashed");
        ErrorCode::Internal
    })?;
    Ok(hashed.to_string())
}

fn stored_cost(stored: &str) -> Option<Cost> {
    let hash = PasswordHash::new(stored).ok()?;
    let params = Params::try_from(&hash).ok()?;
    (hash.algorithm.as_str() == "argon2id" && params.p_cost() == 1)
        .then(|| Cost { memory_kib: params.m_cost(), passes: params.t_cost() })
}

fn verify(password: &[u8], stored: &str) -> Result<bool, ErrorCode> {
    let bounded =
        stored_cost(stored).is_some_and(|cost| cost.memory_kib <= MAX_MEMORY_KIB && cost.passes <= MAX_PASSES);
    let parsed = PasswordHash::new(stored).ok().filter(|_| bounded);
    let Some(parsed) = parsed else {
        tracing::error!("a stored password hash can't be read, or costs more than it may");
        return Err(ErrorCode::Internal);
    };
    Ok(Argon2::default().verify_password(password, &parsed).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(text: &str) -> Password {
        Password::enter(text).unwrap()
    }

    #[test]
    fn a_password_fits_its_own_hash_only_and_a_name_without_account_fits_none() {
        let passwords = Passwords::new().unwrap();
        let email = Email::parse("maria@example.com").unwrap();
        let stored = passwords.choose(Role::Customer, "password", "seven purple otters", &email, &[]).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{stored}");
        assert!(passwords.verify(&entered("seven purple otters"), Some(&stored)).unwrap());
        assert!(!passwords.verify(&entered("seven purple otter5"), Some(&stored)).unwrap());
        assert!(!passwords.verify(&entered("seven purple otters"), None).unwrap());
    }

    #[test]
    fn a_hash_of_another_cost_is_renewed_and_one_beyond_all_bounds_is_not_computed() {
        let passwords = Passwords::new().unwrap();
        let stored = hash(b"seven purple otters", Cost { memory_kib: 8, passes: 1 }).unwrap();
        assert!(passwords.verify(&entered("seven purple otters"), Some(&stored)).unwrap());
        let renewed = passwords.rehash(Role::Customer, &entered("seven purple otters"), &stored).unwrap().unwrap();
        assert_eq!(stored_cost(&renewed), Some(cost(Role::Customer)));
        assert_eq!(passwords.rehash(Role::Customer, &entered("seven purple otters"), &renewed).unwrap(), None);
        let greedy = stored.replace("m=8,", "m=4194304,");
        assert_eq!(passwords.verify(&entered("seven purple otters"), Some(&greedy)), Err(ErrorCode::Internal));
    }

    /// What the word lists of the domain let through, an estimate of the guesses may not.
    #[test]
    fn what_is_guessed_early_is_refused() {
        let email = Email::parse("maria@example.com").unwrap();
        for text in ["michelleashley1", "liverpoolchelsea", "responsibilities", "elizabethmichael"] {
            assert!(Password::choose(text, &PasswordContext { email: &email, names: &[] }).is_ok(), "{text}");
            assert!(is_guessable(text, &email, &[]), "{text}");
        }
        assert!(!is_guessable("seven purple otters", &email, &[]));
    }
}
