//! A stand-in for S3-compatible storage on loopback: one bucket, conditional puts and gets, and faults when
//! asked for. It takes no put without a condition, so a program that makes one fails its test.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The bucket that is there.
pub const BUCKET: &str = "results";
const KEY_ID: &str = "stand-in-key";

/// What may go wrong with a request.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// It is answered with this status and code.
    Answer(u16, &'static str),
    /// It is carried out, and its answer comes so late.
    Late(Duration),
    /// It is carried out, and the connection ends without an answer.
    Lost,
    /// It is answered, and the connection ends without a word, as an idle one does.
    Last,
}

/// A request as a fault sees it.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// The object, without its bucket.
    pub key: String,
    /// Which request of that method it is for that object, from 0.
    pub turn: usize,
}

type Faults = dyn Fn(&Request) -> Option<Fault> + Send + Sync;

struct State {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    log: Mutex<Vec<Request>>,
    faults: Box<Faults>,
}

/// A server that runs until its process ends.
pub struct StandIn {
    address: SocketAddr,
    state: Arc<State>,
}

impl StandIn {
    pub fn new() -> Self {
        Self::with(|_| None)
    }

    /// With faults as `faults` says.
    pub fn with(faults: impl Fn(&Request) -> Option<Fault> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            objects: Mutex::default(),
            log: Mutex::default(),
            faults: Box::new(faults),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || serve(connection, &state));
            }
        });
        StandIn { address, state }
    }

    /// The command's environment, so that it finds this server and nothing else.
    pub fn reached_by(&self, command: &mut Command) {
        environment(command, &format!("http://{}", self.address));
    }

    /// The names of all objects.
    pub fn names(&self) -> Vec<String> {
        self.state.objects.lock().unwrap().keys().cloned().collect()
    }

    /// How often a request of `method` was made for `key`.
    pub fn times(&self, method: &str, key: &str) -> usize {
        let log = self.state.log.lock().unwrap();
        log.iter().filter(|request| request.method == method && request.key == key).count()
    }

    /// Takes an object away, or changes it.
    pub fn change(&self, key: &str, change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) {
        let mut objects = self.state.objects.lock().unwrap();
        let object = objects.remove(key).unwrap_or_default();
        if let Some(changed) = change(object) {
            objects.insert(key.to_owned(), changed);
        }
    }
}

/// Tells a command of the storage at `endpoint`.
pub fn environment(command: &mut Command, endpoint: &str) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
        command.env_remove(name);
    }
    command
        .env("AWS_ACCESS_KEY_ID", KEY_ID)
        .env("AWS_SECRET_ACCESS_KEY", "secret")
        .env("AWS_REGION", "us-east-1")
        .env("AWS_ENDPOINT_URL", endpoint)
        .env("AWS_ALLOW_HTTP", "true")
        .env("NO_PROXY", "127.0.0.1");
}

/// Answers the requests of a connection, one after another.
fn serve(connection: TcpStream, state: &State) {
    let Ok(mut answers) = connection.try_clone() else { return };
    let mut requests = BufReader::new(connection);
    while let Some((line, headers, body)) = request(&mut requests) {
        let mut words = line.split(' ');
        let (Some(method), Some(path)) = (words.next(), words.next()) else { return };
        let (bucket, key) = path.trim_start_matches('/').split_once('/').unwrap_or((path, ""));
        let request = noted(state, method, key);
        let fault = (state.faults)(&request);
        let answer = match fault {
            Some(Fault::Answer(status, code)) => refused(status, code),
            _ if bucket != BUCKET => refused(404, "NoSuchBucket"),
            _ => carried_out(state, &request, &headers, body),
        };
        match fault {
            Some(Fault::Late(delay)) => thread::sleep(delay),
            Some(Fault::Lost) => return,
            _ => {}
        }
        if answers.write_all(&answer).is_err() || matches!(fault, Some(Fault::Last)) {
            return;
        }
    }
}

fn noted(state: &State, method: &str, key: &str) -> Request {
    let mut log = state.log.lock().unwrap();
    let turn = log.iter().filter(|other| other.method == method && other.key == key).count();
    let request = Request { method: method.to_owned(), key: key.to_owned(), turn };
    log.push(request.clone());
    request
}

type Headers = BTreeMap<String, String>;

/// The next request: its first line, headers in lower case, body.
fn request(from: &mut BufReader<TcpStream>) -> Option<(String, Headers, Vec<u8>)> {
    let mut line = || {
        let mut line = String::new();
        let length = from.read_line(&mut line).ok()?;
        (length > 0).then(|| line.trim_end().to_owned())
    };
    let first = line()?;
    let mut headers = Headers::new();
    while let Some((name, value)) = line()?.split_once(':') {
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").map_or(0, |text| text.parse().unwrap());
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some((first, headers, body))
}

fn carried_out(state: &State, request: &Request, headers: &Headers, body: Vec<u8>) -> Vec<u8> {
    let header = |name: &str| headers.get(name).map(String::as_str).unwrap_or_default();
    if !header("authorization").contains(&format!("Credential={KEY_ID}/")) {
        return refused(403, "InvalidAccessKeyId");
    }
    let mut objects = state.objects.lock().unwrap();
    match request.method.as_str() {
        "PUT" if header("if-none-match") != "*" => refused(400, "PutWithoutACondition"),
        "PUT" if objects.contains_key(&request.key) => refused(412, "PreconditionFailed"),
        "PUT" => {
            objects.insert(request.key.clone(), body);
            answer(200, &[])
        }
        "GET" => match objects.get(&request.key) {
            Some(object) => answer(200, object),
            None => refused(404, "NoSuchKey"),
        },
        _ => refused(501, "NotImplemented"),
    }
}

fn refused(status: u16, code: &str) -> Vec<u8> {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code>\
         <Message>The stand-in says so.</Message></Error>"
    );
    answer(status, body.as_bytes())
}

fn answer(status: u16, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status} Said\r\nContent-Length: {}\r\nETag: \"1\"\r\n\
         Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
