//! What Rust sources must not hold: clocks and sockets in the rules, floats near money, ways to die in a program.

use house::files::all;

use crate::{SHIPPED, Shipped, planted, shipped};

/// Words that may not stand in the code of some folders.
struct Ban {
    folders: &'static [&'static str],
    words: &'static [&'static str],
    why: &'static str,
}

const DOMAIN: &[&str] = &["crates/domain/src"];

/// Packages through whose hands sums go. The server's metrics and the desktop's drawing are theirs.
const MONEY: &[&str] = &[
    "crates/domain/src",
    "crates/api/src",
    "crates/manifest/src",
    "crates/keytool/src",
    "crates/store/src",
    "crates/chains/src",
    "crates/rates/src",
    "crates/backend/src",
];

const BANS: &[Ban] = &[
    Ban {
        folders: DOMAIN,
        words: &["SystemTime", "Instant::now", "UNIX_EPOCH", "Utc::now", "Local::now"],
        why: "the rules read no clock: time comes in as an argument",
    },
    Ban {
        folders: DOMAIN,
        words: &["async", "await", "Future", "std::thread", "thread_local"],
        why: "the rules are not async",
    },
    Ban {
        folders: DOMAIN,
        words: &[
            "std::fs",
            "std::io",
            "std::env",
            "std::process",
            "TcpStream",
            "UdpSocket",
            "ToSocketAddrs",
            "println",
            "eprintln",
            "include_str",
            "Mutex",
            "RwLock",
            "OnceLock",
            "LazyLock",
            "AtomicU64",
            "static mut",
        ],
        why: "the rules do no input or output and remember nothing",
    },
    Ban { folders: DOMAIN, words: &["HashMap", "HashSet"], why: "the order of a hash table differs from run to run" },
    Ban { folders: MONEY, words: &["f32", "f64"], why: "money never passes through a float" },
    Ban {
        folders: &["crates/backend/src"],
        words: &["SystemTime", "Instant::now", "std::thread", "async", "await"],
        why: "use cases have no other effect than their transaction",
    },
    Ban { folders: &SHIPPED, words: &["unsafe"], why: "no unsafe" },
    Ban {
        folders: &SHIPPED,
        words: &[".unwrap()", ".expect(\"", ".unwrap_err()", ".expect_err(\"", "panic!", "todo!", "unimplemented!"],
        why: "a program people trust with money does not die of what it can answer",
    },
];

fn violations(ban: &Ban, sources: &[Shipped]) -> Vec<String> {
    let lines = |one: &Shipped, word: &str| one.source.lines_with(word);
    let said = |one: &Shipped, word: &&str| -> Vec<String> {
        lines(one, word).iter().map(|line| format!("{}:{line} {word}: {}", one.path, ban.why)).collect()
    };
    sources.iter().flat_map(|one| ban.words.iter().flat_map(|word| said(one, word)).collect::<Vec<_>>()).collect()
}

fn floats(sources: &[Shipped]) -> Vec<String> {
    sources
        .iter()
        .flat_map(|one| one.source.lines_with_float().into_iter().map(|line| format!("{}:{line}", one.path)))
        .collect()
}

#[test]
fn no_source_holds_a_forbidden_word_and_each_would_be_seen() {
    let files = all();
    for ban in BANS {
        let sources = shipped(&files, ban.folders);
        assert_eq!(violations(ban, &sources), Vec::<String>::new());
        for word in ban.words {
            let text = format!("// nothing\nfn f() {{ a{word} b); {word} }}\n");
            assert!(!violations(ban, &planted("x.rs", &text)).is_empty(), "{word} would not be seen");
        }
    }
}

#[test]
fn no_number_with_a_point_stands_near_money_and_one_would_be_seen() {
    assert_eq!(floats(&shipped(&all(), MONEY)), Vec::<String>::new());
    for float in ["1.5", "0.005", "1_000.0", "1e9", "2.0_f64"] {
        assert_eq!(floats(&planted("x.rs", &format!("\nfn f() {{ g({float}) }}"))), ["x.rs:2"], "{float}");
    }
    for exact in ["x.0.1", "0..10", "1_000", "0xe9", "a1.len()", "\"1.5\"", "1.min(2)"] {
        assert!(floats(&planted("x.rs", &format!("fn f() {{ g({exact}) }}"))).is_empty(), "{exact}");
    }
}
