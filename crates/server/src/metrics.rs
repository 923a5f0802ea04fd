//! Counters and latencies in the Prometheus text format. Labels are names of commands and networks, never of people.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use api::server::COMMANDS;

/// Upper bounds of the latency buckets, microseconds.
const BUCKETS_MICROS: [u64; 11] =
    [1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 10_000_000];

/// Counters of every command.
pub struct Metrics {
    commands: Vec<Counters>,
}

#[derive(Default)]
struct Counters {
    /// By first digit of the status: 2, 4, 5.
    answers: [AtomicU64; 3],
    buckets: [AtomicU64; BUCKETS_MICROS.len()],
    micros: AtomicU64,
}

/// A value read at the moment of asking.
pub struct Gauge {
    /// Name without the program's prefix.
    pub name: &'static str,
    /// Label and its value.
    pub label: Option<(&'static str, String)>,
    /// The value.
    pub value: i64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self { commands: COMMANDS.iter().map(|_| Counters::default()).collect() }
    }
}

impl Metrics {
    /// Notes an answer.
    pub fn answered(&self, command: &str, status: u16, took: Duration) {
        let index = COMMANDS.iter().position(|info| info.name == command);
        let Some(counters) = index.and_then(|index| self.commands.get(index)) else { return };
        let class = match status {
            ..400 => 0,
            400..500 => 1,
            _ => 2,
        };
        counters.answers[class].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        counters.micros.fetch_add(micros, Ordering::Relaxed);
        for (bucket, _) in counters.buckets.iter().zip(BUCKETS_MICROS).filter(|(_, limit)| micros <= *limit) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Everything as text.
    pub fn render(&self, gauges: &[Gauge]) -> String {
        let mut text = String::from("# TYPE kernodeck_answers_total counter\n");
        for (info, counters) in COMMANDS.iter().zip(&self.commands) {
            for (class, count) in ["2xx", "4xx", "5xx"].iter().zip(&counters.answers) {
                let count = count.load(Ordering::Relaxed);
                line(&mut text, format_args!("answers_total{{command=\"{}\",status=\"{class}\"}} {count}", info.name));
            }
        }
        text.push_str("# TYPE kernodeck_answer_seconds histogram\n");
        for (info, counters) in COMMANDS.iter().zip(&self.commands) {
            histogram(&mut text, info.name, counters);
        }
        for gauge in gauges {
            let label = gauge.label.as_ref().map(|(name, value)| format!("{{{name}=\"{value}\"}}"));
            line(&mut text, format_args!("{}{} {}", gauge.name, label.unwrap_or_default(), gauge.value));
        }
        text
    }
}

fn histogram(text: &mut String, name: &str, counters: &Counters) {
    let total: u64 = counters.answers.iter().map(|count| count.load(Ordering::Relaxed)).sum();
    for (bucket, limit) in counters.buckets.iter().zip(BUCKETS_MICROS) {
        let count = bucket.load(Ordering::Relaxed);
        let seconds = seconds(limit);
        line(text, format_args!("answer_seconds_bucket{{command=\"{name}\",le=\"{seconds}\"}} {count}"));
    }
    line(text, format_args!("answer_seconds_bucket{{command=\"{name}\",le=\"+Inf\"}} {total}"));
    let sum = seconds(counters.micros.load(Ordering::Relaxed));
    line(text, format_args!("answer_seconds_sum{{command=\"{name}\"}} {sum}"));
    line(text, format_args!("answer_seconds_count{{command=\"{name}\"}} {total}"));
}

fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing into a string can't fail.
    let _ = writeln!(text, "kernodeck_{content}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_in_every_bucket_that_it_fits() {
        let metrics = Metrics::default();
        metrics.answered("status", 200, Duration::from_millis(7));
        metrics.answered("status", 503, Duration::from_secs(20));
        let text = metrics.render(&[Gauge { name: "alarms", label: None, value: 3 }]);
        for expected in [
            "kernodeck_answers_total{command=\"status\",status=\"2xx\"} 1",
            "kernodeck_answers_total{command=\"status\",status=\"5xx\"} 1",
            "kernodeck_answer_seconds_bucket{command=\"status\",le=\"0.005000\"} 0",
            "kernodeck_answer_seconds_bucket{command=\"status\",le=\"0.010000\"} 1",
            "kernodeck_answer_seconds_bucket{command=\"status\",le=\"+Inf\"} 2",
            "kernodeck_answer_seconds_sum{command=\"status\"} 20.007000",
            "kernodeck_alarms 3",
        ] {
            assert!(text.lines().any(|line| line == expected), "{expected}\n{text}");
        }
    }
}
