//! Alarms are posted to the operators' own address, each once. They name networks and causes, never people.

use std::time::Duration;

use domain::time::SECOND_MICROS;
use reqwest::blocking::Client;
use serde_json::json;
use store::StoreError;
use store::repo::installation::{self, AlarmRow};

use crate::app::App;

const EVERY: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(10);

/// Where alarms go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The address that is posted to.
    pub url: String,
    /// What this server calls itself there.
    pub server: String,
}

pub(super) fn run(app: &App, target: &Target) {
    let client = Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build();
    let client = match client {
        Ok(client) => client,
        Err(error) => return tracing::error!(%error, "alarms can't be posted"),
    };
    loop {
        match unposted(app) {
            Ok(alarms) => alarms.iter().for_each(|alarm| post(app, &client, target, alarm)),
            Err(error) => tracing::error!(%error, "alarms can't be read"),
        }
        if !app.stop.pause(EVERY) {
            return;
        }
    }
}

/// The name under which it is noted that an alarm was posted.
fn posted_name(alarm: &AlarmRow) -> String {
    format!("alarm_posted:{}:{}", alarm.kind, alarm.subject)
}

fn unposted(app: &App) -> Result<Vec<AlarmRow>, StoreError> {
    app.store.read(|tx| {
        let mut alarms = Vec::new();
        for alarm in installation::standing(tx)? {
            let posted = installation::get(tx, &posted_name(&alarm))?;
            if posted != Some(alarm.since.micros().to_string()) {
                alarms.push(alarm);
            }
        }
        Ok(alarms)
    })
}

fn post(app: &App, client: &Client, target: &Target, alarm: &AlarmRow) {
    let age_seconds = app.clock.now().micros_since(alarm.since) / SECOND_MICROS;
    let body = json!({
        "server": target.server,
        "environment": app.policy.environment.code(),
        "kind": alarm.kind,
        "subject": alarm.subject,
        "detail": alarm.detail,
        "age_seconds": age_seconds,
    });
    let request = client.post(&target.url).header("content-type", "application/json").body(body.to_string());
    let sent = request.send().and_then(reqwest::blocking::Response::error_for_status);
    if let Err(error) = sent {
        tracing::warn!(error = %error.without_url(), "an alarm could not be posted; it is tried again");
        return;
    }
    let (name, since) = (posted_name(alarm), alarm.since.micros().to_string());
    if let Err(error) = app.store.write_job(move |tx| installation::set(tx, &name, &since)) {
        tracing::error!(%error, "a posted alarm could not be noted");
    }
}
