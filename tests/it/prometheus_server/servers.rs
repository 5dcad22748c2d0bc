//! A target, a blackbox exporter and a Prometheus on loopback, ended when they go out of scope.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(90);

/// Waits until `done`; panics, with what was waited for, if it hangs.
pub fn until<T>(what: &str, mut done: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = done() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited {PATIENCE:?} for {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A program on PATH, or none; in CI it has to be there.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file());
    if found.is_none() {
        let missing = format!("{name} is not on PATH; it comes with Debian's package of that name");
        assert!(std::env::var_os("CI").is_none(), "{missing}");
        eprintln!("skipped: {missing}");
    }
    found
}

/// Starts a server on a port that nobody listens on; on another one where somebody was quicker.
pub fn on_free_port(start: impl Fn(u16) -> Option<Server>) -> (Server, u16) {
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut ports = (0..5).map(|_| free());
    ports.find_map(|port| Some((start(port)?, port))).expect("a server that starts")
}

/// An HTTP server that answers 200, or hangs up when it is told to be down.
pub struct Target {
    pub port: u16,
    up: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Target {
    pub fn start() -> Target {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (up, over) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
        let (answers, ends) = (up.clone(), over.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                if let (Ok(stream), true) = (stream, answers.load(Ordering::SeqCst)) {
                    answer(stream);
                }
            }
        });
        Target { port, up, over }
    }

    pub fn set(&self, up: bool) {
        self.up.store(up, Ordering::SeqCst);
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // The thread waits for a caller: be one.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// Whoever hangs up early is not the target's concern.
fn answer(mut stream: TcpStream) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let _ = stream.read(&mut [0; 4096]);
    let _ =
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
}

/// A process that does not outlive the test.
pub struct Server(Child);

impl Server {
    fn start(program: &Path, arguments: &[String], log: &Path) -> Server {
        let log = std::fs::File::options().create(true).append(true).open(log).unwrap();
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        Server(child.unwrap())
    }

    /// Waits until it answers; `None` where it ends before, since it could not have the port.
    fn ready(mut self, address: &str) -> Option<Server> {
        let up = until(address, || {
            let gone = self.0.try_wait().unwrap().map(|_| false);
            gone.or_else(|| ureq::get(address).call().is_ok().then_some(true))
        });
        up.then_some(self)
    }

    /// Asks it to end, as an operator does, and waits for it.
    pub fn stop(mut self) {
        let asked = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        assert!(asked.unwrap().success());
        until("a server to end", || self.0.try_wait().unwrap());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a blackbox exporter and waits until it answers.
pub fn blackbox(program: &Path, folder: &Path, port: u16) -> Option<Server> {
    let config = folder.join("blackbox.yml");
    let modules =
        "modules:\n  http:\n    prober: http\n    http:\n      preferred_ip_protocol: ip4\n";
    std::fs::write(&config, modules).unwrap();
    let arguments = [
        format!("--config.file={}", config.display()),
        format!("--web.listen-address=127.0.0.1:{port}"),
        // What a probe may take of the second that a scrape may take.
        "--timeout-offset=0.1".to_owned(),
    ];
    let server = Server::start(program, &arguments, &folder.join("blackbox.log"));
    server.ready(&format!("http://127.0.0.1:{port}/metrics"))
}

/// Starts a Prometheus that probes `targets` by the exporter each second, and waits until it answers.
pub fn prometheus(
    program: &Path,
    folder: &Path,
    port: u16,
    exporter: u16,
    targets: &[u16],
) -> Option<Server> {
    let config = folder.join("prometheus.yml");
    let targets: Vec<String> =
        targets.iter().map(|port| format!("'http://127.0.0.1:{port}'")).collect();
    let text = format!(
        "global: {{ scrape_interval: 1s, scrape_timeout: 1s }}
scrape_configs:
  - job_name: blackbox
    metrics_path: /probe
    params: {{ module: [http] }}
    static_configs: [{{ targets: [{}] }}]
    relabel_configs:
      - {{ source_labels: [__address__], target_label: __param_target }}
      - {{ source_labels: [__param_target], target_label: instance }}
      - {{ target_label: __address__, replacement: '127.0.0.1:{exporter}' }}
",
        targets.join(", ")
    );
    std::fs::write(&config, text).unwrap();
    let arguments = [
        format!("--config.file={}", config.display()),
        format!("--web.listen-address=127.0.0.1:{port}"),
        format!("--storage.tsdb.path={}", folder.join("data").display()),
        "--log.level=warn".to_owned(),
    ];
    let server = Server::start(program, &arguments, &folder.join("prometheus.log"));
    server.ready(&format!("http://127.0.0.1:{port}/-/ready"))
}
