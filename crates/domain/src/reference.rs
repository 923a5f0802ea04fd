//! Order references: short enough to read aloud, with a check symbol, and never a number or a date to a spreadsheet (O1).
//!
//! A reference is `LDLL-LDLL`, where L is one of 19 consonants and D a digit. What follows from that shape:
//! - Each half starts with a letter, so neither the whole, nor a half, nor the whole without its dash is a number, a
//!   number with an exponent, or a date or time that starts with a figure.
//! - A date that starts with a name needs three letters in a row at the start (months and weekdays in every Latin
//!   script calendar, also those without vowels such as Polish `wrz`); here the second symbol is always a digit.
//! - Words such as `TRUE` or `NULL` have letters only; every half has a digit.
//!
//! The last letter makes the weighted sum of all eight symbols divisible by 19. 19 is prime, every weight is not
//! zero and no two are equal, so replacing one symbol, or swapping any two of the same kind, always shows;
//! swapping a letter and a digit breaks the shape.

use std::fmt;

use thiserror::Error;

/// Consonants without those that look like a digit (I, L, O are gone with the vowels). The index is the value.
const LETTERS: &[u8; 19] = b"BCDFGHJKMNPQRSTVWXZ";
/// Number of letters, a prime: the modulus of the check.
const MODULUS: u32 = 19;
/// Weights of the eight symbols: distinct and not zero modulo 19. The last is -1, so the check letter is the sum of the rest.
const WEIGHTS: [u32; 8] = [1, 2, 3, 4, 5, 6, 7, 18];
/// Positions that hold a digit.
const DIGITS_AT: [usize; 2] = [1, 5];
/// Symbols of a reference.
const SYMBOLS: usize = 8;
/// How many references there are.
pub const REFERENCE_COUNT: u64 = 19 * 19 * 19 * 19 * 19 * 10 * 10;

/// A text that is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReferenceError {
    /// Not eight symbols.
    #[error("a reference has 8 letters and digits, not {found}")]
    Length {
        /// Symbols found; counting stops soon after eight.
        found: usize,
    },
    /// A symbol that no reference has at that place.
    #[error("symbol {position} of the reference is wrong")]
    Symbol {
        /// Which one, counted from 1.
        position: usize,
    },
    /// Every symbol is possible, but together they are not: something was misread.
    #[error("the reference does not add up: one of its symbols was misread")]
    Check,
}

/// An order's reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference([u8; SYMBOLS]);

impl Reference {
    /// Makes a reference from random bytes. Two draws can meet: whoever stores them keeps them unique and draws again.
    pub fn from_random(bytes: [u8; 8]) -> Self {
        let mut rest = u64::from_le_bytes(bytes) % REFERENCE_COUNT;
        let mut symbols = [0; SYMBOLS];
        for (position, symbol) in symbols.iter_mut().enumerate().take(SYMBOLS - 1) {
            let choices: &[u8] = if DIGITS_AT.contains(&position) { b"0123456789" } else { LETTERS };
            let count = choices.len() as u64;
            *symbol = choices[usize::try_from(rest % count).unwrap_or(0)];
            rest /= count;
        }
        let check = symbols.iter().zip(WEIGHTS).take(SYMBOLS - 1).map(|(symbol, weight)| value(*symbol) * weight);
        let index = check.sum::<u32>() % MODULUS;
        symbols[SYMBOLS - 1] = LETTERS[index as usize];
        Self(symbols)
    }

    /// Reads a reference as people type it: any case, spaces and dashes anywhere, `O` for 0, `I` or `L` for 1.
    ///
    /// # Errors
    /// Says which symbol is impossible, or that a symbol was misread.
    pub fn parse(text: &str) -> Result<Self, ReferenceError> {
        let ignored =
            |symbol: &char| symbol.is_whitespace() || matches!(symbol, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}');
        let typed: Vec<char> = text.chars().filter(|symbol| !ignored(symbol)).take(2 * SYMBOLS).collect();
        if typed.len() != SYMBOLS {
            return Err(ReferenceError::Length { found: typed.len() });
        }
        let mut symbols = [0; SYMBOLS];
        for (index, (symbol, read)) in symbols.iter_mut().zip(typed).enumerate() {
            *symbol = symbol_at(index, read).ok_or(ReferenceError::Symbol { position: index + 1 })?;
        }
        let sum: u32 = symbols.iter().zip(WEIGHTS).map(|(symbol, weight)| value(*symbol) * weight).sum();
        if sum.is_multiple_of(MODULUS) { Ok(Self(symbols)) } else { Err(ReferenceError::Check) }
    }
}

/// The symbol that was meant at that place, if a reference can have it there.
fn symbol_at(index: usize, read: char) -> Option<u8> {
    let meant = match read.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    let symbol = u8::try_from(meant).ok()?;
    let possible = if DIGITS_AT.contains(&index) { symbol.is_ascii_digit() } else { LETTERS.contains(&symbol) };
    possible.then_some(symbol)
}

/// What a symbol counts in the check: a digit itself, a letter its index.
fn value(symbol: u8) -> u32 {
    match symbol {
        b'0'..=b'9' => u32::from(symbol - b'0'),
        letter => LETTERS.iter().zip(0..).find(|(known, _)| **known == letter).map_or(0, |(_, index)| index),
    }
}

/// Prints `K4RM-X7TP`.
impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, symbol) in self.0.iter().enumerate() {
            if index == SYMBOLS / 2 {
                formatter.write_str("-")?;
            }
            write!(formatter, "{}", char::from(*symbol))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
