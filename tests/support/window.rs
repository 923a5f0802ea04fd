//! The desktop program in a real window, driven as a person drives it: look for a thing by its name, click it, type, read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::error::CmdError;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::bus::Bus;
use crate::process::{self, Running};
use crate::screen::Screen;
use crate::{folder, programs, wait};

/// How long the program may take to end after its session has.
const END: Duration = Duration::from_secs(20);
/// How long the driver may take to answer.
const ANSWER: Duration = Duration::from_secs(30);

/// How the program is started.
pub struct Launch<'a> {
    /// Its data folder.
    pub data: &'a Path,
    /// The server's address.
    pub server: &'a str,
    /// The bus with the keyring; without one the program finds no keyring.
    pub bus: Option<&'a Bus>,
}

/// A running program with its window on a display of its own.
pub struct Window {
    runtime: Runtime,
    client: Option<Client>,
    driver: Running,
    /// The program's process.
    pub pid: u32,
    /// The display.
    pub screen: Screen,
    folder: TempDir,
}

impl Window {
    /// Starts the program and waits until its frame stands.
    pub fn open(launch: &Launch<'_>) -> Self {
        let (screen, folder) = (Screen::start(), folder::temporary());
        let (driver, port) = start_driver(launch, &screen, folder.path());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = wait::until("a session of the window", || bounded(&runtime, connect(launch, port))?.ok());
        let pid = wait::until("the program's process", || {
            process::children(driver.pid()).into_iter().find(|pid| is_ours(*pid))
        });
        let window = Self { runtime, client: Some(client), driver, pid, screen, folder };
        window.wait_for("frame");
        window
    }

    /// Ends the session, waits until the program has ended, and only then ends the driver: the other way round the program
    /// can be left running.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(client) = self.client.take() else { return };
        let _ = bounded(&self.runtime, client.close());
        if wait::within(END, || (!process::lives(self.pid)).then_some(())).is_none() {
            process::signal(self.pid, "KILL");
        }
        self.driver.kill();
    }

    /// All that the program and the driver have said.
    pub fn said(&self) -> String {
        self.driver.said()
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("an open window")
    }

    /// Whether there is such a thing, now.
    pub fn has(&self, id: &str) -> bool {
        self.attempt(async || self.client().find(Locator::Css(&by_id(id))).await).is_some()
    }

    /// Waits until there is such a thing.
    pub fn wait_for(&self, id: &str) {
        self.until(&format!("«{id}»"), || self.has(id).then_some(()));
    }

    /// Waits until there is no such thing.
    pub fn wait_gone(&self, id: &str) {
        self.until(&format!("«{id}» to be gone"), || (!self.has(id)).then_some(()));
    }

    /// Waits for one of several things; answers which.
    pub fn wait_for_any<'i>(&self, ids: &[&'i str]) -> &'i str {
        self.until(&format!("one of {ids:?}"), || ids.iter().copied().find(|id| self.has(id)))
    }

    /// Clicks a thing once it can be clicked.
    pub fn click(&self, id: &str) {
        self.click_at(id, Locator::Css(&format!("{}:not([aria-disabled=true])", by_id(id))));
    }

    /// Clicks the first thing of a kind inside another, such as the link in a row.
    pub fn click_inside(&self, id: &str, kind: &str) {
        self.click_at(id, Locator::Css(&format!("{} {kind}", by_id(id))));
    }

    /// Chooses a radio button or ticks a box by clicking its label, as its hidden input can't be hit.
    pub fn choose(&self, id: &str) {
        self.click_at(id, Locator::XPath(&format!("//label[.//*[@data-testid='{id}']]")));
    }

    /// Clicks once the thing stands still: the pointer goes where it was last seen, and a page that is still being laid out
    /// would have another thing there by then.
    fn click_at(&self, id: &str, locator: Locator<'_>) {
        let mut before = None;
        self.until(&format!("«{id}» to be clicked"), || {
            self.attempt(async || {
                let thing = self.client().find(locator).await?;
                let now = Some(thing.rectangle().await?);
                let stands_still = std::mem::replace(&mut before, now) == now;
                if stands_still { thing.click().await.map(Some) } else { Ok(None) }
            })
            .flatten()
        });
    }

    /// Types into a field, in the place of what stood there.
    pub fn type_into(&self, id: &str, text: &str) {
        self.until(&format!("«{id}» to be typed into"), || {
            self.attempt(async || {
                let field = self.client().find(Locator::Css(&by_id(id))).await?;
                field.clear().await?;
                field.send_keys(text).await
            })
        });
        let holds = || self.prop(id, "value").filter(|value| value == text);
        self.until(&format!("«{id}» to hold what was typed"), holds);
    }

    /// The text of a thing as it is shown.
    pub fn text(&self, id: &str) -> String {
        self.until(&format!("the text of «{id}»"), || {
            self.attempt(async || self.client().find(Locator::Css(&by_id(id))).await?.text().await)
        })
    }

    /// Waits until the text of a thing fits.
    pub fn wait_text(&self, id: &str, fits: impl Fn(&str) -> bool) -> String {
        self.until(&format!("«{id}» to say something else"), || {
            let text = self.attempt(async || self.client().find(Locator::Css(&by_id(id))).await?.text().await)?;
            fits(&text).then_some(text)
        })
    }

    /// An attribute of a thing, now.
    pub fn attr(&self, id: &str, name: &str) -> Option<String> {
        self.attempt(async || self.client().find(Locator::Css(&by_id(id))).await?.attr(name).await).flatten()
    }

    fn prop(&self, id: &str, name: &str) -> Option<String> {
        self.attempt(async || self.client().find(Locator::Css(&by_id(id))).await?.prop(name).await).flatten()
    }

    /// Waits until an attribute has a value.
    pub fn wait_attr(&self, id: &str, name: &str, value: &str) {
        self.until(&format!("«{id}» with {name}={value}"), || (self.attr(id, name)? == value).then_some(()));
    }

    /// Waits until an attribute has one of these values; answers which.
    pub fn wait_attr_any(&self, id: &str, name: &str, values: &[&str]) -> String {
        self.until(&format!("«{id}» with {name} of {values:?}"), || {
            self.attr(id, name).filter(|found| values.contains(&found.as_str()))
        })
    }

    /// The `data-testid`s that begin so, in the page's order.
    pub fn ids(&self, beginning: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll('[data-testid]')].map((one) => one.dataset.testid)
            .filter((id) => id.startsWith(arguments[0]))";
        serde_json::from_value(self.execute(script, json!([beginning]))).unwrap()
    }

    /// Everything that is written in the window.
    pub fn page_text(&self) -> String {
        self.execute("return document.body.innerText", json!([])).as_str().unwrap_or_default().to_owned()
    }

    /// The page's whole source, hidden things included.
    pub fn source(&self) -> String {
        self.execute("return document.documentElement.outerHTML", json!([])).as_str().unwrap_or_default().to_owned()
    }

    /// The path of the page.
    pub fn path(&self) -> String {
        self.execute("return location.hash.replace(/^#/, '') || location.pathname", json!([]))
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Goes to a page of the window by its path.
    pub fn show(&self, path: &str) {
        self.execute("location.hash = arguments[0]", json!([path]));
        self.until(&format!("the page {path}"), || (self.path() == path).then_some(()));
    }

    /// The kinds of the timeline's events, newest first.
    pub fn timeline(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('[data-testid=timeline] [data-kind]')].map((one) => one.dataset.kind)";
        serde_json::from_value(self.execute(script, json!([]))).unwrap()
    }

    /// Runs a script in the page.
    pub fn execute(&self, script: &str, args: Value) -> Value {
        let args = args.as_array().cloned().unwrap_or_default();
        let answer = bounded(&self.runtime, self.client().execute(script, args));
        answer.unwrap_or_else(|| panic!("{script}: no answer")).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Moves the pointer to the corner, where it points at nothing: a hint that pops up beside it would be in the picture.
    pub fn rest_pointer(&self) {
        let to_corner = PointerAction::MoveTo { duration: None, x: 0.0, y: 0.0 };
        let actions = MouseActions::new("mouse".to_owned()).then(to_corner);
        self.attempt(async || self.client().perform_actions(actions).await);
    }

    /// A picture of the display, and so of what a person sees.
    pub fn picture(&self, to: &Path) {
        self.screen.picture(to);
    }

    /// The text of the QR code on the screen, read by another program from a picture of the display. The picture stays.
    pub fn qr(&self, picture: &Path) -> String {
        self.execute("document.querySelector('[data-testid=slip-qr]').scrollIntoView({block: 'center'})", json!([]));
        self.until("a QR code on the screen", || {
            self.picture(picture);
            crate::screen::qr_in(picture)
        })
    }

    /// Waits, and shows the window when it waits in vain.
    fn until<T>(&self, what: &str, probe: impl FnMut() -> Option<T>) -> T {
        wait::within(wait::PATIENCE, probe).unwrap_or_else(|| self.fail(what))
    }

    /// Fails with what the window shows.
    pub fn fail(&self, what: &str) -> ! {
        let picture = failures().join(format!("{}.png", self.pid));
        self.picture(&picture);
        panic!(
            "in vain for {what}, at {}; picture: {}; the window says:\n{}\nthe program said:\n{}",
            self.path(),
            picture.display(),
            self.page_text(),
            tail(&self.said()),
        )
    }

    /// One try; `None` when the thing is not there, or was drawn anew in the meantime.
    fn attempt<T>(&self, act: impl AsyncFnOnce() -> Result<T, CmdError>) -> Option<T> {
        bounded(&self.runtime, act())?.ok()
    }

    /// A folder of this window's own, for pictures.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.end();
    }
}

/// A question to the driver, which may never answer: `None` then.
fn bounded<T>(runtime: &Runtime, question: impl Future<Output = T>) -> Option<T> {
    runtime.block_on(async { tokio::time::timeout(ANSWER, question).await.ok() })
}

fn by_id(id: &str) -> String {
    format!("[data-testid='{id}']")
}

/// Where the pictures of failures go.
fn failures() -> PathBuf {
    let folder = programs::checkout().join("out/failures");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

fn start_driver(launch: &Launch<'_>, screen: &Screen, folder: &Path) -> (Running, u16) {
    let port = testkit::port::free_port().unwrap();
    let driver = Running::start(Path::new("WebKitWebDriver"), &folder.join("window.log"), |command| {
        command.args([format!("--port={port}"), "--host=127.0.0.1".into()]);
        command.env("TAURI_WEBVIEW_AUTOMATION", "true").env("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        command
            .env("DISPLAY", &screen.display)
            .env("HOME", folder)
            .env("LANG", "C.UTF-8")
            .env_remove("WAYLAND_DISPLAY");
        match launch.bus {
            Some(bus) => bus.apply(command),
            // An address at which nobody answers: the program must not find the bus of whoever runs the tests.
            None => drop(command.env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={}/none", folder.display()))),
        }
    });
    (driver, port)
}

async fn connect(launch: &Launch<'_>, port: u16) -> Result<Client, fantoccini::error::NewSessionError> {
    let options = json!({
        "binary": programs::program("kernodeck"),
        "args": ["--data-dir", launch.data, "--server", launch.server],
    });
    let capabilities: Capabilities = [("webkitgtk:browserOptions".to_owned(), options)].into_iter().collect();
    ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
}

fn is_ours(pid: u32) -> bool {
    let program = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    program.file_name().is_some_and(|name| name == "kernodeck")
}
