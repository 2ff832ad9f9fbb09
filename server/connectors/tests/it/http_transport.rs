//! The real transport against real sockets.

use std::time::{Duration, Instant};

use dewy_connectors::HttpTransport;
use dewy_domain::ports::{HttpRequest, HttpResponse, Transport, TransportError};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// Server that reads one request head, writes this, and then holds the connection or closes it.
async fn server(answer: &'static str, hold: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            tokio::spawn(serve(socket, answer, hold));
        }
    });
    format!("http://{address}/path?q=%27")
}

async fn serve(mut socket: TcpStream, answer: &'static str, hold: bool) {
    let mut seen = [0; 4096];
    let _ = socket.read(&mut seen).await;
    let _ = socket.write_all(answer.as_bytes()).await;
    if hold {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
}

async fn send(url: String, deadline: Duration) -> Result<HttpResponse, TransportError> {
    let request = HttpRequest {
        method: "POST".to_owned(),
        url,
        headers: vec![("idempotency-key".to_owned(), "k".to_owned())],
        body: b"a=b".to_vec(),
    };
    HttpTransport::new().send(request, deadline).await
}

const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn a_response_is_complete_with_lower_case_headers() {
    let url = server(
        "HTTP/1.1 201 Created\r\nRequest-Id: req_1\r\ncontent-length: 2\r\n\r\n{}",
        false,
    )
    .await;
    let response = send(url, Duration::from_secs(5)).await.unwrap();
    assert_eq!(
        (response.status, response.body.as_slice()),
        (201, b"{}".as_slice())
    );
    assert!(
        response
            .headers
            .contains(&("request-id".to_owned(), "req_1".to_owned()))
    );
}

#[tokio::test]
async fn a_closed_port_is_a_connect_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    assert!(matches!(
        send(format!("http://{address}/"), SHORT).await,
        Err(TransportError::Connect(_))
    ));
    assert!(matches!(
        send("not a url".to_owned(), SHORT).await,
        Err(TransportError::Connect(_))
    ));
}

#[tokio::test]
async fn no_response_is_a_timeout_also_inside_a_body() {
    for answer in ["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"id\":"] {
        let began = Instant::now();
        let url = server(answer, true).await;
        assert_eq!(
            send(url, SHORT).await,
            Err(TransportError::Timeout),
            "{answer}"
        );
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn a_dropped_connection_is_an_error_also_inside_a_body() {
    for answer in [
        "",
        "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"id\":",
        "nonsense\r\n\r\n",
    ] {
        let url = server(answer, false).await;
        let result = send(url, Duration::from_secs(5)).await;
        assert!(
            matches!(result, Err(TransportError::Broken(_))),
            "{answer}: {result:?}"
        );
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let url = server(
        "HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n",
        false,
    )
    .await;
    assert_eq!(send(url, Duration::from_secs(5)).await.unwrap().status, 302);
}
