use proptest::prelude::*;

use super::*;

/// Months as spreadsheets know them in languages that our customers and operators are likely to use.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "fev", "abr", "mai", "ago",
    "set", "out", "dez", "oca", "şub", "nis", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara", "wrz", "paź", "gru",
    "srp", "čvn", "kwi", "mrz", "okt", "juin", "août",
];

/// An independent judge, knowing nothing of how references are made: would a spreadsheet turn this text into something else?
fn a_spreadsheet_would_change(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let number = |text: &str| {
        let plain = text.replace([',', '.', ' '], "");
        !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit())
    };
    // 1e5, 12E4-5678, and Fortran's and BASIC's 1D5.
    let exponent = ['e', 'd'].iter().any(|mark| {
        text.split_once(*mark).is_some_and(|(before, after)| {
            number(before) && number(after.trim_start_matches(['+', '-']).split('-').next().unwrap_or(""))
        })
    });
    let parts: Vec<&str> = text.split(['-', '/', ' ']).collect();
    let numbers_only = parts.len() > 1 && parts.iter().all(|part| number(part));
    let month = MONTHS.iter().any(|month| {
        let rest = text.replacen(month, "", 1);
        rest != text && rest.chars().all(|symbol| symbol.is_ascii_digit() || "-/ .".contains(symbol))
    });
    let time = text.strip_suffix(['a', 'p']).or_else(|| text.strip_suffix("am")).or_else(|| text.strip_suffix("pm"));
    let word = ["true", "false", "null", "nan", "inf", "na", "none"].contains(&text.as_str());
    let formula = text.starts_with(['=', '+', '-', '@']);
    let hex = text.strip_prefix("0x").is_some();
    number(&text) || exponent || numbers_only || month || time.is_some_and(number) || word || formula || hex
}

/// Every form in which a reference reaches a cell: whole, without its dash, and each half alone; and in lower case.
fn forms(reference: Reference) -> Vec<String> {
    let whole = reference.to_string();
    let (first, second) = whole.split_once('-').unwrap();
    let upper = vec![whole.clone(), whole.replace('-', ""), whole.replace('-', " "), first.into(), second.into()];
    let lower: Vec<String> = upper.iter().map(|form| form.to_lowercase()).collect();
    upper.into_iter().chain(lower).collect()
}

#[test]
fn the_judge_sees_the_references_that_went_wrong_elsewhere() {
    let bad = [
        "1234-5678",
        "12345678",
        "1234 5678",
        "1234",
        "12E4-5678",
        "12E45678",
        "12E4",
        "1E5",
        "12D4",
        "1.5e10",
        "MAR1-2026",
        "MAR12026",
        "MAY4-2026",
        "MAY4",
        "2026-MAY4",
        "WRZ4-2026",
        "SRP4",
        "12-2026",
        "1/2",
        "TRUE",
        "null",
        "0x12AB",
        "=A1B2-C3D4",
        "-A1B2",
        "10AM",
        "9P",
    ];
    for text in bad {
        assert!(a_spreadsheet_would_change(text), "{text}");
    }
}

#[test]
fn people_type_references_in_many_ways() {
    let reference = Reference::from_random(4_081_633u64.to_le_bytes());
    let printed = reference.to_string();
    assert_eq!(printed.len(), 9);
    let bare = printed.replace('-', "");
    let spaced: String = bare.chars().flat_map(|symbol| [symbol, ' ']).collect();
    for text in [printed.to_lowercase(), bare, spaced, format!("\t{printed}\n"), printed.replace('-', "\u{2013}")] {
        assert_eq!(Reference::parse(&text), Ok(reference), "{text:?}");
    }
}

#[test]
fn look_alikes_of_digits_are_read_as_the_digits() {
    let with_zero_and_one = (0u64..1_000_000)
        .map(|number| Reference::from_random((number * 104_729).to_le_bytes()))
        .find(|reference| reference.0[1] == b'0' && reference.0[5] == b'1')
        .unwrap();
    let printed = with_zero_and_one.to_string();
    for (zero, one) in [('O', 'I'), ('o', 'l'), ('0', 'L'), ('O', 'i')] {
        let typed = printed.replace('0', &zero.to_string()).replace('1', &one.to_string());
        assert_eq!(Reference::parse(&typed), Ok(with_zero_and_one), "{typed}");
    }
}

#[test]
fn what_is_no_reference_is_refused_with_its_reason() {
    assert_eq!(Reference::parse(""), Err(ReferenceError::Length { found: 0 }));
    assert_eq!(Reference::parse("K4RM-X7T"), Err(ReferenceError::Length { found: 7 }));
    assert_eq!(Reference::parse(&"K".repeat(1_000_000)), Err(ReferenceError::Length { found: 16 }));
    assert_eq!(Reference::parse("KARM-X7TP"), Err(ReferenceError::Symbol { position: 2 }));
    assert_eq!(Reference::parse("4KRM-X7TP"), Err(ReferenceError::Symbol { position: 1 }));
    assert_eq!(Reference::parse("K4RM-X7Tİ"), Err(ReferenceError::Symbol { position: 8 }));
    assert_eq!(Reference::parse("K٤RM-X7TP"), Err(ReferenceError::Symbol { position: 2 }));
}

#[test]
fn different_bytes_give_different_orders_their_own_reference() {
    let printed: std::collections::BTreeSet<String> =
        (0u64..20_000).map(|number| Reference::from_random(number.to_le_bytes()).to_string()).collect();
    assert_eq!(printed.len(), 20_000);
}

/// Every way to misread exactly one symbol of the printed reference.
fn single_errors(symbols: &str) -> Vec<String> {
    let possible = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let same = |left: char, right: char| {
        let plain = |symbol: char| match symbol {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        plain(left) == plain(right)
    };
    let mut errors = Vec::new();
    for (index, right) in symbols.char_indices() {
        for wrong in possible.chars().filter(|wrong| !same(*wrong, right)) {
            errors.push(format!("{}{wrong}{}", &symbols[..index], &symbols[index + 1..]));
        }
    }
    errors
}

/// Every way to swap two symbols of the printed reference, neighbours or not, that changes it.
fn swaps(symbols: &str) -> Vec<String> {
    let mut errors = Vec::new();
    for left in 0..symbols.len() {
        for right in left + 1..symbols.len() {
            let mut swapped: Vec<char> = symbols.chars().collect();
            swapped.swap(left, right);
            errors.push(swapped.into_iter().collect());
        }
    }
    errors.retain(|swapped| swapped != symbols);
    errors
}

proptest! {
    /// A misread reference that opens somebody else's order sends help, or a refund, to the wrong person.
    #[test]
    fn one_misread_symbol_and_any_swap_always_show(bytes: [u8; 8]) {
        let symbols = Reference::from_random(bytes).to_string().replace('-', "");
        for wrong in single_errors(&symbols).into_iter().chain(swaps(&symbols)) {
            prop_assert!(Reference::parse(&wrong).is_err(), "{} read for {}", wrong, symbols);
        }
    }

    #[test]
    fn printing_and_reading_are_inverse(bytes: [u8; 8]) {
        let reference = Reference::from_random(bytes);
        prop_assert_eq!(Reference::parse(&reference.to_string()), Ok(reference));
    }

    #[test]
    fn no_form_of_a_reference_is_a_number_or_a_date(bytes: [u8; 8]) {
        for form in forms(Reference::from_random(bytes)) {
            prop_assert!(!a_spreadsheet_would_change(&form), "{}", form);
        }
    }

    #[test]
    fn reading_never_panics(text in ".{0,40}") {
        let _ = Reference::parse(&text);
    }
}
