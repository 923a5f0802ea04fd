//! The OpenAPI document, generated from the server's command list.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::command::Audience;
use crate::error::ApiError;
use crate::server::{COMMANDS, CatalogueAnswer};

/// Routes beside the commands: method, path, what they are.
pub const OTHER_ROUTES: &[(&str, &str, &str)] = &[
    ("get", "/v1/catalogue", "The catalogue, with an ETag; `If-None-Match` is honoured."),
    ("get", "/v1/events", "Server-sent hints that the account has something new to sync."),
    ("get", "/healthz", "Whether the process lives."),
    ("get", "/readyz", "Whether it can serve: database open, migrations applied."),
    ("get", "/metrics", "Metrics in the Prometheus text format."),
];

/// The whole document.
pub fn document() -> Value {
    let settings = SchemaSettings::openapi3();
    let mut generator = SchemaGenerator::new(settings);
    let error = generator.subschema_for::<ApiError>();
    let mut paths = Map::new();
    for command in COMMANDS {
        let request = (command.request_schema)(&mut generator);
        let answer = (command.answer_schema)(&mut generator);
        let security = match command.audience {
            Audience::Everyone | Audience::Sandbox => json!([]),
            Audience::Customer | Audience::Operator => json!([{"bearer": []}]),
        };
        paths.insert(
            format!("/v1/{}", command.name),
            json!({"post": {
                "operationId": command.name,
                "summary": command.about.trim(),
                "security": security,
                "x-audience": format!("{:?}", command.audience).to_lowercase(),
                "requestBody": {"required": true, "content": {"application/json": {"schema": request}}},
                "responses": {
                    "200": {"description": "done", "content": {"application/json": {"schema": answer}}},
                    "default": {"description": "refused", "content": {"application/json": {"schema": error}}},
                },
            }}),
        );
    }
    let catalogue = generator.subschema_for::<CatalogueAnswer>();
    for (method, path, about) in OTHER_ROUTES {
        let mut responses = json!({"200": {"description": "ok"}});
        if *path == "/v1/catalogue" {
            responses = json!({
                "200": {"description": "ok", "content": {"application/json": {"schema": catalogue}}},
                "304": {"description": "not modified"},
            });
        }
        paths.insert((*path).to_owned(), json!({*method: {"summary": about, "security": [], "responses": responses}}));
    }
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Kernodeck", "version": env!("CARGO_PKG_VERSION")},
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    })
}
