//! Raw samples asked of a server, in pages. The server here is a stand-in that answers from a list
//! of samples the way Prometheus does, both edges of a range included.

use std::io::{Read, Write};
use std::net::TcpListener;

use super::letters;
use failover_budget::recorded::{Live, Options, read_prometheus};
use failover_budget::time::Span;

/// Serves `requests` answers; returns the address.
fn serve(requests: usize, answer: impl Fn(&str) -> (u16, String) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().take(requests) {
            let mut stream = stream.unwrap();
            let mut asked = Vec::new();
            let mut piece = [0; 1024];
            while !asked.windows(4).any(|w| w == b"\r\n\r\n") {
                let read = stream.read(&mut piece).unwrap();
                asked.extend_from_slice(&piece[..read]);
            }
            let asked = String::from_utf8_lossy(&asked).into_owned();
            let (status, body) = answer(asked.lines().next().unwrap());
            write!(
                stream,
                "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
        }
    });
    url
}

fn live(url: String) -> Live {
    Live {
        url,
        query: "probe_success{job=\"b\"}".into(),
        from: jiff::Timestamp::from_second(1_700_000_000).unwrap(),
        to: jiff::Timestamp::from_second(1_700_000_300).unwrap(),
        page: Span::from_secs(100),
    }
}

/// What stands between `key=` and the next `&` or space of a request line, without its fraction.
fn number(line: &str, from: &str, to: char) -> i64 {
    let rest = line.split_once(from).unwrap().1;
    rest.split([to, '.', ' ', '&']).next().unwrap().parse().unwrap()
}

#[test]
fn pages_are_merged_without_their_common_edges() {
    let url = serve(3, |line| {
        assert!(line.contains("/api/v1/query?query=probe_success%7Bjob"), "{line}");
        let end = number(line, "time=", '.');
        let values: Vec<String> = (0..=30)
            .map(|i| 1_700_000_000 + 10 * i)
            .filter(|at| (end - 100..=end).contains(at) && *at != 1_700_000_150)
            .map(|at| format!("[{at}.25,\"{}\"]", u8::from(at != 1_700_000_200)))
            .collect();
        let values = values.join(",");
        (
            200,
            format!(
                r#"{{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{"__name__":"probe_success","job":"b"}},"values":[{values}]}}]}}}}"#
            ),
        )
    });
    let all = read_prometheus(&live(url), &Options::default()).unwrap();
    assert_eq!(letters(&all[0]), "SSSSSSSSSSSSSSS-SSSSFSSSSSSSSSS");
    assert_eq!((all[0].report.duplicates, all[0].report.out_of_order), (0, 0));
}

#[test]
fn what_the_server_says_is_shown() {
    let url = serve(1, |_| {
        (
            400,
            r#"{"status":"error","errorType":"bad_data","error":"parse error: unexpected <"}"#
                .into(),
        )
    });
    let said = read_prometheus(&live(url.clone()), &Options::default()).unwrap_err().to_string();
    assert!(said.contains(&url) && said.contains("parse error: unexpected <"), "{said}");
    assert!(said.contains("plain selector"), "{said}");
    let url = serve(1, |_| (502, "<html>Bad Gateway</html>".into()));
    let said = read_prometheus(&live(url), &Options::default()).unwrap_err().to_string();
    assert!(said.contains("502") && said.contains("Bad Gateway"), "{said}");
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said = read_prometheus(&live(format!("http://{nobody}")), &Options::default());
    assert!(said.unwrap_err().to_string().contains("cannot ask"));
}
