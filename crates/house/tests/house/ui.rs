//! What the pages must not do: talk to the window past the platform, compute money, build a payment's URI.

use house::files::{File, all};

fn pages(files: &[File]) -> Vec<&File> {
    let ours = |file: &&File| {
        file.path.starts_with("ui/src/")
            && ["ts", "js", "svelte"].iter().any(|kind| file.is(kind))
            && !file.path.contains("/generated/")
    };
    files.iter().filter(ours).collect()
}

/// Files that name the window's own packages outside the one folder that may.
fn past_the_platform(files: &[File]) -> Vec<String> {
    let outside = pages(files).into_iter().filter(|file| !file.path.starts_with("ui/src/lib/platform/"));
    outside
        .filter(|file| ["@tauri-apps", "__TAURI"].iter().any(|name| file.text.contains(name)))
        .map(|file| file.path.clone())
        .collect()
}

/// Lines where an amount would become a float, or an address a URI.
fn computing(files: &[File]) -> Vec<String> {
    let schemes = ["bitcoin", "litecoin", "ethereum", "solana", "tron"];
    let builds = |line: &str| {
        schemes.iter().any(|scheme| {
            [":${", ":' +", ":\" +", ":` +", ":'+", ":\"+"].iter().any(|then| line.contains(&format!("{scheme}{then}")))
        })
    };
    let computes =
        |line: &str| ["parseFloat(", ".toFixed(", "?amount=", "?value="].iter().any(|word| line.contains(word));
    let of = |file: &File| -> Vec<String> {
        let lines = file.text.lines().enumerate().filter(|(_, line)| builds(line) || computes(line));
        lines.map(|(number, line)| format!("{}:{} {}", file.path, number + 1, line.trim())).collect()
    };
    pages(files).into_iter().flat_map(of).collect()
}

#[test]
fn only_the_platform_talks_to_the_window() {
    let files = all();
    assert_eq!(past_the_platform(&files), Vec::<String>::new());
    assert!(
        pages(&files)
            .iter()
            .any(|file| file.path.starts_with("ui/src/lib/platform/") && file.text.contains("@tauri-apps"))
    );
    for text in [
        "import { invoke } from '@tauri-apps/api/core';",
        "await import(\"@tauri-apps/api/event\")",
        "window.__TAURI__",
    ] {
        assert_eq!(past_the_platform(&[File::planted("ui/src/routes/+page.svelte", text)]).len(), 1, "{text}");
    }
}

#[test]
fn the_pages_compute_no_money_and_build_no_uri() {
    assert_eq!(computing(&all()), Vec::<String>::new());
    for text in [
        "const uri = `litecoin:${address}`;",
        "'bitcoin:' + address",
        "uri + '?amount=' + x",
        "parseFloat(total)",
        "(a * b).toFixed(2)",
    ] {
        assert_eq!(computing(&[File::planted("ui/src/lib/pay.ts", text)]).len(), 1, "{text}");
    }
}
