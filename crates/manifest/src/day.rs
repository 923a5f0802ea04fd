//! Calendar days in UTC, written `YYYY-MM-DD`.

use std::fmt;
use std::str::FromStr;

use domain::Timestamp;
use domain::time::DAY_MICROS;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A text that names no day between 1970-01-01 and 9999-12-31 in the form `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a day written YYYY-MM-DD between 1970 and 9999")]
pub struct DayError;

/// A calendar day in UTC, from 1970-01-01 to 9999-12-31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

/// Days from 1970-01-01 to 9999-12-31.
const LAST: i32 = 2_932_896;
/// Days in 400 years, after which the calendar repeats.
const ERA_DAYS: i32 = 146_097;
/// Days from 0000-03-01, where the arithmetic starts, to 1970-01-01.
const EPOCH_SHIFT: i32 = 719_468;

impl Day {
    /// The day that many days after 1970-01-01, or `None` outside the range.
    pub const fn from_days(days: i32) -> Option<Self> {
        if days < 0 || days > LAST { None } else { Some(Self(days)) }
    }

    /// Days since 1970-01-01.
    pub const fn days(self) -> i32 {
        self.0
    }

    /// The UTC day that holds the instant; instants outside the range give its first or last day.
    pub fn of(instant: Timestamp) -> Self {
        let days = instant.micros().div_euclid(DAY_MICROS).clamp(0, i64::from(LAST));
        Self(i32::try_from(days).unwrap_or(LAST))
    }

    /// The day so many days later, held at the last day of the range.
    pub const fn plus_days(self, days: u16) -> Self {
        let sum = self.0 + days as i32;
        if sum > LAST { Self(LAST) } else { Self(sum) }
    }

    /// From a calendar date, or `None` when the calendar has no such day.
    /// Years are counted from March, so that the leap day comes last (Hinnant, «chrono-compatible low-level date algorithms»).
    fn from_civil(year: i32, month: i32, day: i32) -> Option<Self> {
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let shifted_year = if month <= 2 { year - 1 } else { year };
        let month_from_march = (month + 9) % 12;
        let year_of_era = shifted_year % 400;
        let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let found = Self::from_days(shifted_year / 400 * ERA_DAYS + day_of_era - EPOCH_SHIFT)?;
        // 31 April would silently be 1 May: only a day that reads back as itself exists.
        (found.civil() == (year, month, day)).then_some(found)
    }

    /// Year, month and day.
    fn civil(self) -> (i32, i32, i32) {
        let shifted = self.0 + EPOCH_SHIFT;
        let (era, day_of_era) = (shifted / ERA_DAYS, shifted % ERA_DAYS);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + i32::from(month <= 2);
        (year, month, day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        let shape = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
        if text.len() != 10 || !text.bytes().enumerate().all(shape) {
            return Err(DayError);
        }
        let number = |range: std::ops::Range<usize>| text[range].parse::<i32>().map_err(|_| DayError);
        Self::from_civil(number(0..4)?, number(5..7)?, number(8..10)?).ok_or(DayError)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_reads_back_as_itself_and_follows_the_one_before() {
        let mut before = String::new();
        for days in 0..=LAST {
            let day = Day::from_days(days).unwrap();
            let text = day.to_string();
            assert!(text > before, "{text} after {before}");
            assert_eq!(text.parse(), Ok(day));
            before = text;
        }
        assert_eq!(before, "9999-12-31");
    }

    #[test]
    fn known_days() {
        for (text, days) in [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-12-01", 20_788), ("2100-03-01", 47_541)]
        {
            assert_eq!(text.parse::<Day>().map(Day::days), Ok(days), "{text}");
        }
    }

    #[test]
    fn days_that_no_calendar_has_are_refused() {
        for text in [
            "",
            "2026-02-29",
            "2100-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-13-01",
            "2026-01-00",
            "2026-1-01",
            "1969-12-31",
            "2026/01/01",
            "+026-01-01",
            "2026-01-01T",
            " 2026-01-01",
            "２０２６-01-01",
        ] {
            assert_eq!(text.parse::<Day>(), Err(DayError), "{text:?}");
        }
    }

    #[test]
    fn an_instant_belongs_to_its_day_up_to_the_last_microsecond() {
        let midnight = 20_788 * DAY_MICROS;
        let day = |micros| Day::of(Timestamp::from_micros(micros)).to_string();
        assert_eq!(day(midnight - 1), "2026-11-30");
        assert_eq!(day(midnight), "2026-12-01");
        assert_eq!(day(midnight + DAY_MICROS - 1), "2026-12-01");
        assert_eq!(day(i64::MIN), "1970-01-01");
        assert_eq!(day(i64::MAX), "9999-12-31");
    }
}
