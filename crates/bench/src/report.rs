//! What is printed: a table for people, then one JSON object per line.

use serde::Serialize;

use crate::Outcome;
use crate::machine::Machine;

/// A measured value with what it must be read beside.
#[derive(Serialize)]
pub struct Figure {
    figure: String,
    value: f64,
    unit: &'static str,
    floors: Vec<Floor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<String>,
}

/// The same unit, measured in the same run on the same disk.
#[derive(Serialize)]
struct Floor {
    what: String,
    value: f64,
}

impl Figure {
    /// A value.
    pub fn new(figure: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { figure: figure.into(), value, unit, floors: Vec::new(), conditions: Vec::new() }
    }

    /// Something to read it beside.
    pub fn beside(mut self, what: impl Into<String>, value: f64) -> Self {
        self.floors.push(Floor { what: what.into(), value });
        self
    }

    /// What was set otherwise than for customers.
    pub fn under(mut self, condition: impl Into<String>) -> Self {
        self.conditions.push(condition.into());
        self
    }
}

/// All that was measured.
pub struct Report {
    machine: Machine,
    figures: Vec<Figure>,
    failures: Vec<String>,
}

impl Report {
    /// Nothing yet.
    pub fn new(machine: Machine) -> Self {
        Self { machine, figures: Vec::new(), failures: Vec::new() }
    }

    /// Takes a figure.
    pub fn add(&mut self, figure: Figure) {
        self.figures.push(figure);
    }

    /// Notes that some figures could not be taken.
    pub fn failed(&mut self, why: String) {
        self.failures.push(why);
    }

    /// Prints everything.
    ///
    /// # Errors
    /// When a figure could not be taken, after the others were printed.
    pub fn print(&self) -> Outcome<()> {
        println!("{}\n", self.machine);
        for figure in &self.figures {
            println!("{:<74}{:>12}  {}", figure.figure, number(figure.value), figure.unit);
            for floor in &figure.floors {
                println!("{:<74}{:>12}  {}", format!("    beside {}", floor.what), number(floor.value), figure.unit);
            }
            for condition in &figure.conditions {
                println!("    with {condition}");
            }
        }
        println!("\n{}", serde_json::to_string(&self.machine)?);
        for figure in &self.figures {
            println!("{}", serde_json::to_string(figure)?);
        }
        if self.failures.is_empty() { Ok(()) } else { Err(self.failures.join("\nbench: ").into()) }
    }
}

/// Three places are more than a run can promise.
fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure without its floor would be read as good or bad by whoever likes it.
    #[test]
    fn a_figure_and_its_floors_stand_on_one_line() {
        let figure = Figure::new("orders", 812.25, "1/s").beside("raw batches", 9_000.0).under("limits raised");
        let line = serde_json::to_string(&figure).unwrap();
        assert_eq!(
            line,
            r#"{"figure":"orders","value":812.25,"unit":"1/s","floors":[{"what":"raw batches","value":9000.0}],"conditions":["limits raised"]}"#
        );
        assert_eq!([number(9_000.4), number(12.34), number(0.456)], ["9000", "12.3", "0.46"]);
    }
}
