//! The program as somebody runs it who tries things out.

#[cfg(unix)]
mod beside;
mod check;
#[cfg(unix)]
mod planted;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};

use api::server::{Role, SignIn, SignInRequest, SignedIn};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kernodeck-server"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A sandbox in a process of its own, killed when the test ends.
struct Running {
    child: Child,
    url: String,
}

impl Running {
    fn start(data: &str) -> Self {
        Self::start_logging(data, Stdio::null())
    }

    fn start_logging(data: &str, log: Stdio) -> Self {
        let mut command = program(&["sandbox", "--data", data, "--listen", "127.0.0.1:0", "--block-seconds", "0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
        Self { child, url: url.unwrap() }
    }

    fn terminate(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line_after(text: &str, start: &str) -> String {
    text.lines().find_map(|line| line.strip_prefix(start)).unwrap().to_owned()
}

/// Signs the sandbox's operator in with what the program told.
fn sign_in_operator(url: &str, data: &Path) -> SignedIn {
    let told = std::fs::read_to_string(data.join("operator.txt")).unwrap();
    let code = said(&run(&["operator", "code", "--data", &data.display().to_string()]));
    sign_in(url, &line_after(&told, "email: "), &line_after(&told, "password: "), code.trim())
}

fn sign_in(url: &str, email: &str, password: &str, code: &str) -> SignedIn {
    let (email, password, device_name) = (email.into(), password.into(), "test".into());
    post::<SignIn>(url, &SignInRequest { email, password, authenticator_code: Some(code.into()), device_name })
}

/// Gives a command that nobody has to be signed in for.
fn post<C: api::Command>(url: &str, request: &C::Request) -> C::Answer {
    let client = reqwest::blocking::Client::builder().no_proxy().build().unwrap();
    let body = serde_json::to_string(request).unwrap();
    let answer = client.post(format!("{url}/v1/{}", C::NAME)).body(body).send().unwrap().text().unwrap();
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn a_newcomer_gets_a_sandbox_whose_operator_can_sign_in_and_which_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("sandbox");
    let text = data.display().to_string();
    let mut first = Running::start(&text);
    assert_eq!(sign_in_operator(&first.url, &data).role, Role::Administrator);
    assert!(first.terminate().success());

    let added = run(&["operator", "add", "--data", &text, "--email", "o@example.com", "--role", "treasury"]);
    assert!(added.status.success() && said(&added).contains("otpauth://totp/"), "{}", said(&added));
    let secrets = ["sealing.key", "operator.txt"].map(|name| data.join(name));
    #[cfg(unix)]
    for secret in &secrets {
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(secret).unwrap().permissions());
        assert_eq!(mode & 0o077, 0, "{}", secret.display());
    }
    let kept = secrets.map(|secret| std::fs::read(secret).unwrap());
    let copy = folder.path().join("copy").display().to_string();
    let backup = run(&["backup", "--data", &text, &copy]);
    assert!(backup.status.success(), "{}", said(&backup));

    let mut second = Running::start(&text);
    assert_eq!(kept, ["sealing.key", "operator.txt"].map(|name| std::fs::read(data.join(name)).unwrap()));
    assert!(second.terminate().success());

    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let restored = run(&["restore", "--data", &other.display().to_string(), &copy]);
    assert!(restored.status.success() && other.join("server.db").exists(), "{}", said(&restored));
    assert!(said(&restored).contains("500 free addresses set aside"), "{}", said(&restored));
}

/// What would be lost: what was begun, when the machine goes down just as the server comes up. Asked to end while it starts,
/// or at the very moment at which it says that it is there, the server ends in order.
#[test]
fn a_server_that_is_asked_to_end_while_it_starts_ends_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("sandbox").display().to_string();
    for _ in 0..3 {
        assert!(Running::start(&data).terminate().success(), "asked when it said that it listens");
    }
    #[cfg(target_os = "linux")]
    for _ in 0..3 {
        let arguments = ["sandbox", "--data", &data, "--listen", "127.0.0.1:0", "--block-seconds", "0"];
        let child = program(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut starting = Running { child, url: String::new() };
        let started = std::time::Instant::now();
        while !handles_termination(starting.child.id()) {
            assert!(started.elapsed().as_secs() < 30, "it never listens to the system");
            std::thread::yield_now();
        }
        assert!(starting.terminate().success(), "asked while it starts");
    }
}

/// Whether the process has a handler of its own for SIGTERM (signal 15): a bit of the kernel's mask of caught signals.
#[cfg(target_os = "linux")]
fn handles_termination(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << 14) != 0
}

#[test]
fn a_configuration_with_mistakes_does_not_start_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.toml");
    std::fs::write(&file, "listen = \"nowhere\"\n\n[litecoin]\ntimeout_seconds = 0\n").unwrap();
    let name = file.display().to_string();
    for command in ["serve", "check", "new-key"] {
        let refused = run(&[command, "--config", &name]);
        assert!(!refused.status.success());
        let said = said(&refused);
        for line in [format!("{name}:1: "), format!("{name}:4: ")] {
            assert!(said.contains(&line), "{command}: {said}");
        }
    }
}
