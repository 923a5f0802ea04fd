//! The program that sees the operator's words has no way to send them anywhere: no networking crate is in its tree.

use std::collections::BTreeSet;
use std::process::Command;

/// Crates that open sockets, speak protocols over them, or run other programs' event loops for them.
const NETWORKING: [&str; 29] = [
    "async-std",
    "attohttpc",
    "axum",
    "curl",
    "curl-sys",
    "h2",
    "hickory-resolver",
    "hyper",
    "hyper-util",
    "isahc",
    "libp2p",
    "minreq",
    "mio",
    "native-tls",
    "openssl",
    "polling",
    "postgres",
    "quinn",
    "reqwest",
    "rustls",
    "smol",
    "socket2",
    "ssh2",
    "tokio",
    "tokio-postgres",
    "tonic",
    "tungstenite",
    "ureq",
    "zmq",
];

/// Names of all crates that a package is built from, its own included; those of its tests left out.
fn tree(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--edges", "normal,build", "--target", "all", "--prefix", "none", "--format", "{p}"])
        .args(["--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_string).collect()
}

fn networking(package: &str) -> Vec<String> {
    tree(package).into_iter().filter(|name| NETWORKING.contains(&name.as_str())).collect()
}

#[test]
fn no_networking_crate_is_in_the_tree_and_one_would_have_been_seen() {
    assert!(networking("kernodeck-rates").contains(&"reqwest".to_string()), "the look itself is broken");
    let tree = tree("kernodeck-keytool");
    assert!(tree.contains("kernodeck-manifest") && tree.contains("bip32"), "{tree:?}");
    assert_eq!(networking("kernodeck-keytool"), Vec::<String>::new());
    assert_eq!(networking("kernodeck-manifest"), Vec::<String>::new());
}

/// The standard library has sockets too: neither this crate nor the one it signs with names them.
#[test]
fn no_source_names_a_socket() {
    let sockets = ["TcpStream", "TcpListener", "UdpSocket", "UnixStream", "UnixDatagram", "ToSocketAddrs"];
    let names = |text: &str| sockets.iter().any(|name| text.contains(name));
    assert!(names("use std::net::TcpStream;"), "the look itself is broken");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for folder in [root.join("src"), root.join("../manifest/src"), root.join("../domain/src")] {
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    seen += 1;
                    assert!(!names(&std::fs::read_to_string(&path).unwrap()), "{}", path.display());
                }
            }
        }
    }
    assert!(seen > 25, "only {seen} files were looked at");
}
