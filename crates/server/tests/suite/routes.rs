//! The routes against the document, and the few beside the commands.

use api::openapi;

use crate::support::*;

/// Somebody who writes a client by the document must find every route, and no other.
fn every_documented_route_exists_and_no_other(engine: Engine) {
    let server = start(engine);
    let document = openapi::document();
    let paths = document["paths"].as_object().unwrap();
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase().parse().unwrap();
            let response =
                server.client().request(method, format!("{}{path}", server.url())).body("[]").send().unwrap();
            let status = response.status().as_u16();
            // The body is no request, and nobody is signed in: whatever is answered, the route is there.
            assert!([200, 400, 401].contains(&status), "{path}: {status}");
        }
    }
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/v1"),
        ("POST", "/v1/"),
        ("POST", "/v1/catalog"),
        ("GET", "/v1/status"),
        ("POST", "/v1/status/x"),
        ("GET", "/v1/sync/x"),
        ("POST", "/healthz"),
        ("GET", "/v2/catalogue"),
        ("GET", "/debug"),
    ] {
        let request = server.client().request(method.parse().unwrap(), format!("{}{path}", server.url()));
        let status = request.body("{}").send().unwrap().status().as_u16();
        assert!([404, 405].contains(&status), "{method} {path}: {status}");
    }
}

fn the_catalogue_is_sent_once_and_then_only_when_it_changed(engine: Engine) {
    let server = start(engine);
    let url = format!("{}/v1/catalogue", server.url());
    let first = server.client().get(&url).send().unwrap();
    let tag = first.headers().get("etag").unwrap().to_str().unwrap().to_owned();
    let body: api::server::CatalogueAnswer = serde_json::from_str(&first.text().unwrap()).unwrap();
    assert_eq!(tag, format!("\"{}\"", body.version));
    let again = |tag: &str| server.client().get(&url).header("if-none-match", tag).send().unwrap();
    let unchanged = again(&tag);
    assert_eq!(unchanged.status().as_u16(), 304);
    assert_eq!(unchanged.text().unwrap(), "");
    assert_eq!(again("\"another\"").status().as_u16(), 200);
    let price = "UPDATE offer SET visible = 0 WHERE id = 'b200'";
    server.app().store.write(move |tx| tx.execute(price, store::params![])).unwrap();
    assert_eq!(again(&tag).status().as_u16(), 200);
}

fn figures_are_for_this_machine_and_name_nobody(engine: Engine) {
    let server = start(engine);
    register(&server, "maria@example.com");
    server.until("watching", |server| {
        let text = server.client().get(format!("{}/metrics", server.url())).send().unwrap().text().unwrap();
        text.contains("kernodeck_addresses_free{network=\"litecoin\"} 500")
    });
    let metrics = |forwarded: Option<&str>| {
        let mut request = server.client().get(format!("{}/metrics", server.url()));
        if let Some(address) = forwarded {
            request = request.header("x-forwarded-for", address);
        }
        request.send().unwrap()
    };
    let text = metrics(None).text().unwrap();
    assert!(text.contains("kernodeck_answers_total{command=\"register\",status=\"2xx\"} 1"), "{text}");
    assert!(!text.contains("maria"));
    assert_eq!(metrics(Some("198.51.100.7")).status().as_u16(), 404);
    for path in ["healthz", "readyz"] {
        assert_eq!(server.client().get(format!("{}/{path}", server.url())).send().unwrap().status().as_u16(), 200);
    }
}

fn what_is_too_long_or_no_request_is_refused_before_anything_happens(engine: Engine) {
    let server = start(engine);
    let (status, _) = server.post("register", None, &format!("{{\"email\":\"{}\"}}", "x".repeat(70_000)));
    assert_eq!(status, 400);
    for body in ["", "null", "{", "{\"unknown\":1}", "[]"] {
        let (status, answer) = server.post("register", None, body);
        assert_eq!(status, 400, "{body}");
        assert!(answer.contains("bad_request"), "{answer}");
    }
}

on_both_engines![
    every_documented_route_exists_and_no_other,
    the_catalogue_is_sent_once_and_then_only_when_it_changed,
    figures_are_for_this_machine_and_name_nobody,
    what_is_too_long_or_no_request_is_refused_before_anything_happens,
];
