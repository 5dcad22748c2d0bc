//! A browser without a window, driven through ChromeDriver's W3C WebDriver interface.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Key under which WebDriver names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one page.
pub struct Browser {
    driver: Child,
    session: String,
    agent: ureq::Agent,
    // Its files; gone with it.
    profile: TempDir,
}

impl Browser {
    /// Starts a browser. None where this machine has no ChromeDriver, which in CI is a failure.
    pub fn start() -> Option<Self> {
        let spawned = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = spawned else {
            assert!(std::env::var_os("CI").is_none(), "chromedriver is not on the PATH");
            eprintln!("note: chromedriver is not on the PATH; the page is not tested in a browser");
            return None;
        };
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let port = line.strip_suffix('.')?.rsplit_once("successfully on port ")?.1;
            port.parse::<u16>().ok()
        });
        let port = port.expect("chromedriver says its port");
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)))
            .build()
            .into();
        let profile = tempfile::tempdir().unwrap();
        let url = format!("http://127.0.0.1:{port}/session");
        let mut browser = Browser { driver, session: url, agent, profile };
        let started = browser.post("", &browser.capabilities());
        browser.session = format!("{}/{}", browser.session, started["sessionId"].as_str().unwrap());
        // The page that a browser starts with is not ours: leave it, and forget what it asked for.
        browser.post("/url", &json!({ "url": "about:blank" }));
        browser.requests();
        Some(browser)
    }

    fn capabilities(&self) -> Value {
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": { "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", profile
            ] },
        } } })
    }

    /// Opens a file.
    pub fn open(&self, page: &Path) {
        self.post("/url", &json!({ "url": format!("file://{}", page.display()) }));
    }

    /// Makes the page so many pixels wide and high, as if on a screen of that size.
    pub fn resize(&self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": size });
        self.post("/goog/cdp/execute", &command);
    }

    /// What this script returns.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The text of the first element that this selector finds, as it is shown.
    pub fn text(&self, selector: &str) -> String {
        let element = self.find(selector);
        self.get(&format!("/element/{element}/text")).as_str().unwrap().to_owned()
    }

    /// Scrolls to an element and clicks it.
    pub fn click(&self, selector: &str) {
        let element = self.find(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Scrolls to an element and moves the pointer onto it.
    pub fn hover(&self, selector: &str) {
        self.run(&format!(
            "document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})"
        ));
        let origin = json!({ ELEMENT: self.find(selector) });
        let step =
            json!({ "type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin });
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [step] });
        self.post("/actions", &json!({ "actions": [mouse] }));
    }

    /// Presses and lets go of a key, by its WebDriver code.
    pub fn press(&self, key: char) {
        let step = |kind: &str| json!({ "type": kind, "value": key.to_string() });
        let keyboard =
            json!({ "type": "key", "id": "keyboard", "actions": [step("keyDown"), step("keyUp")] });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// The page as a PDF on A4, in base64.
    pub fn print(&self) -> String {
        let page = json!({ "page": { "width": 21.0, "height": 29.7 }, "background": true });
        self.post("/print", &page).as_str().unwrap().to_owned()
    }

    /// What the console said.
    pub fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(ToString::to_string).collect()
    }

    /// Every address that the page asked for, but for files and data in the page.
    pub fn requests(&self) -> Vec<String> {
        let messages = self.log("performance");
        let asked = messages.iter().filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            (message["method"] == "Network.requestWillBeSent")
                .then(|| message["params"]["request"]["url"].as_str().unwrap_or("?").to_owned())
        });
        asked.filter(|url| !url.starts_with("file:") && !url.starts_with("data:")).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        self.post("/se/log", &json!({ "type": kind })).as_array().unwrap().clone()
    }

    fn find(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    fn get(&self, path: &str) -> Value {
        let response = self.agent.get(format!("{}{path}", self.session)).call();
        value_of(path, response)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.agent.post(format!("{}{path}", self.session));
        let response = request.header("content-type", "application/json").send(body.to_string());
        value_of(path, response)
    }
}

/// The value in an answer; panics with the driver's message where there is none.
fn value_of(path: &str, response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    let mut response = response.unwrap_or_else(|why| panic!("{path}: {why}"));
    let text = response.body_mut().with_config().limit(100_000_000).read_to_string().unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(response.status().is_success(), "{path}: {}", value["value"]["message"]);
    value["value"].clone()
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser with its session; the driver is ours to end.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
