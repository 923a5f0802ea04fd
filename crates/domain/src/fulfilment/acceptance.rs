//! The acceptance check before hand-over: what the machine reports against what was ordered (O5).

use thiserror::Error;

use crate::catalogue::{DriverVersion, GpuFacts, OfferSnapshot};

/// Bytes of a MiB.
const MIB_BYTES: u64 = 1024 * 1024;
/// Bytes of the vendor's GB, read as a power of ten.
const GB_BYTES: u64 = 1_000_000_000;

/// What an order's machine must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedMachine {
    /// Devices that PyTorch sees.
    pub devices: u32,
    /// Names a device may report.
    pub driver_names: Vec<String>,
    /// The least memory of a device in MiB.
    pub lowest_memory_mib: u64,
    /// The most memory of a device in MiB: more is another card.
    pub highest_memory_mib: u64,
    /// The oldest driver.
    pub min_driver: Option<DriverVersion>,
}

impl ExpectedMachine {
    /// What the snapshot promises for that many devices, which is [`crate::catalogue::Figures::torch_devices`].
    ///
    /// Vendors' GB mean 10^9 bytes on some cards and 2^30 on others, and a driver keeps some for itself: a T4 of 16 GB
    /// reports 15360 MiB, an H100 of 80 GB 81559 MiB, an MI300X of 192 GB 196592 MiB. So the report must lie
    /// between the smaller reading less 1 % and the larger one plus 1 %.
    pub fn of(snapshot: &OfferSnapshot, devices: u32) -> Self {
        let GpuFacts { memory_gb_per_device, driver_names, min_driver, .. } = &snapshot.gpu;
        let gb = u64::from(*memory_gb_per_device);
        Self {
            devices,
            driver_names: driver_names.clone(),
            lowest_memory_mib: gb * GB_BYTES * 99 / 100 / MIB_BYTES,
            highest_memory_mib: gb * 1024 * 101 / 100,
            min_driver: min_driver.clone(),
        }
    }
}

/// One device as the machine reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDevice {
    /// Its exact name.
    pub name: String,
    /// Its memory in MiB.
    pub memory_mib: u64,
    /// Whether it is a part of a card or can be cut into parts (MIG on, or a compute partition other than the whole).
    pub partitioned: bool,
}

/// What a machine reports, with what the operator attests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMachine {
    /// Its devices, in its own order.
    pub devices: Vec<FoundDevice>,
    /// Its driver's version.
    pub driver: String,
    /// Whether the operators' own credentials have left the machine (O9).
    pub operator_credentials_removed: bool,
}

/// One way in which a machine is not what was ordered. Devices are counted from 0, as programs see them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Difference {
    /// Too few or too many devices.
    #[error("{expected} devices ordered, {found} found")]
    DeviceCount {
        /// Ordered.
        expected: u32,
        /// Found.
        found: usize,
    },
    /// Another card.
    #[error("device {device} is called {found:?}")]
    Name {
        /// Which device.
        device: usize,
        /// Its name.
        found: String,
    },
    /// Less or more memory than the card has.
    #[error("device {device} has {found_mib} MiB, not {lowest_mib} to {highest_mib}")]
    Memory {
        /// Which device.
        device: usize,
        /// What it has.
        found_mib: u64,
        /// The least that is right.
        lowest_mib: u64,
        /// The most that is right.
        highest_mib: u64,
    },
    /// A part of a card in place of a whole one.
    #[error("device {device} is partitioned")]
    Partitioned {
        /// Which device.
        device: usize,
    },
    /// No version of a driver.
    #[error("the driver's version {found:?} can't be read")]
    DriverUnreadable {
        /// What was reported.
        found: String,
    },
    /// A driver that can't drive the card.
    #[error("driver {found} is older than {oldest}")]
    DriverTooOld {
        /// Found.
        found: DriverVersion,
        /// The oldest that will do.
        oldest: DriverVersion,
    },
    /// An operator could still log in.
    #[error("the operators' credentials are still on the machine")]
    OperatorCredentialsRemain,
}

impl Difference {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(&self) -> &'static str {
        match self {
            Difference::DeviceCount { .. } => "device_count",
            Difference::Name { .. } => "name",
            Difference::Memory { .. } => "memory",
            Difference::Partitioned { .. } => "partitioned",
            Difference::DriverUnreadable { .. } => "driver_unreadable",
            Difference::DriverTooOld { .. } => "driver_too_old",
            Difference::OperatorCredentialsRemain => "operator_credentials_remain",
        }
    }
}

/// The result of a check. It passes only when nothing differs, and it is made by checking only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    differences: Vec<Difference>,
}

impl Acceptance {
    /// Compares what was found with what was ordered, and names every difference.
    pub fn check(expected: &ExpectedMachine, found: &FoundMachine) -> Self {
        let mut differences = Vec::new();
        if usize::try_from(expected.devices) != Ok(found.devices.len()) || found.devices.is_empty() {
            let (expected, found) = (expected.devices, found.devices.len());
            differences.push(Difference::DeviceCount { expected, found });
        }
        for (device, report) in found.devices.iter().enumerate() {
            differences.extend(device_differences(expected, device, report));
        }
        differences.extend(driver_difference(expected, &found.driver));
        if !found.operator_credentials_removed {
            differences.push(Difference::OperatorCredentialsRemain);
        }
        Self { differences }
    }

    /// Whether the machine is what was ordered.
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// Everything that differs.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }
}

fn device_differences(expected: &ExpectedMachine, device: usize, report: &FoundDevice) -> Vec<Difference> {
    let mut differences = Vec::new();
    if !expected.driver_names.contains(&report.name) {
        differences.push(Difference::Name { device, found: report.name.clone() });
    }
    let (lowest_mib, highest_mib) = (expected.lowest_memory_mib, expected.highest_memory_mib);
    if !(lowest_mib..=highest_mib).contains(&report.memory_mib) {
        differences.push(Difference::Memory { device, found_mib: report.memory_mib, lowest_mib, highest_mib });
    }
    if report.partitioned {
        differences.push(Difference::Partitioned { device });
    }
    differences
}

fn driver_difference(expected: &ExpectedMachine, reported: &str) -> Option<Difference> {
    let Some(found) = DriverVersion::parse(reported) else {
        return Some(Difference::DriverUnreadable { found: reported.to_owned() });
    };
    let oldest = expected.min_driver.clone()?;
    (found < oldest).then_some(Difference::DriverTooOld { found, oldest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{RentalDays, samples};
    use crate::{Cents, Timestamp};

    fn expected(gpu: GpuFacts, devices: u32) -> ExpectedMachine {
        let snapshot = OfferSnapshot {
            offer_id: "offer".into(),
            gpu,
            gpus_per_lot: 1,
            days: RentalDays::Three,
            price_per_lot: Cents::new(1),
            taken_at: Timestamp::from_seconds(0),
        };
        ExpectedMachine::of(&snapshot, devices)
    }

    fn found(name: &str, memory_mib: u64, count: usize) -> FoundMachine {
        let device = FoundDevice { name: name.into(), memory_mib, partitioned: false };
        FoundMachine { devices: vec![device; count], driver: "575.51.03".into(), operator_credentials_removed: true }
    }

    fn differences(expected: &ExpectedMachine, found: &FoundMachine) -> Vec<Difference> {
        let acceptance = Acceptance::check(expected, found);
        assert_eq!(acceptance.passed(), acceptance.differences().is_empty());
        acceptance.differences().to_vec()
    }

    #[test]
    fn real_reports_of_real_cards_pass() {
        let card = |gb, name: &str| GpuFacts {
            memory_gb_per_device: gb,
            driver_names: vec![name.into()],
            min_driver: None,
            ..samples::h100()
        };
        let reports = [
            (16, "Tesla T4", 15_360),
            (40, "NVIDIA A100-SXM4-40GB", 40_441),
            (24, "NVIDIA GeForce RTX 4090", 24_564),
            (80, "NVIDIA H100 80GB HBM3", 81_559),
            (192, "AMD Instinct MI300X", 196_592),
        ];
        for (gb, name, mib) in reports {
            assert_eq!(differences(&expected(card(gb, name), 2), &found(name, mib, 2)), [], "{name}");
        }
    }

    #[test]
    fn one_card_of_two_dies_is_two_devices_of_half_the_memory() {
        let expected = expected(samples::mi250x(), 2);
        assert_eq!(differences(&expected, &found("AMD Instinct MI250X", 65_520, 2)), []);
        let as_one = differences(&expected, &found("AMD Instinct MI250X", 131_040, 1));
        assert_eq!(as_one.len(), 2, "{as_one:?}");
    }

    #[test]
    fn fewer_cards_than_paid_for_never_pass() {
        let expected = expected(samples::b200(), 4);
        for count in [0, 3, 5] {
            let found = found("NVIDIA B200", 183_359, count);
            assert_eq!(differences(&expected, &found), [Difference::DeviceCount { expected: 4, found: count }]);
        }
        let nothing = ExpectedMachine { devices: 0, ..expected };
        assert!(!Acceptance::check(&nothing, &found("NVIDIA B200", 183_359, 0)).passed());
    }

    #[test]
    fn a_cheaper_or_halved_card_is_named() {
        let expected = expected(samples::h100(), 2);
        let mut report = found("NVIDIA H100 80GB HBM3", 81_559, 2);
        report.devices[1].name = "NVIDIA H100 PCIe".into();
        assert_eq!(differences(&expected, &report), [Difference::Name { device: 1, found: "NVIDIA H100 PCIe".into() }]);
        report.devices[1].name = "nvidia h100 80gb hbm3".into();
        assert_eq!(differences(&expected, &report).len(), 1, "names are exact");
        let mut report = found("NVIDIA H100 80GB HBM3", 81_559, 2);
        report.devices[0] = FoundDevice { memory_mib: 40_000, partitioned: true, ..report.devices[0].clone() };
        let memory = Difference::Memory { device: 0, found_mib: 40_000, lowest_mib: 75_531, highest_mib: 82_739 };
        assert_eq!(differences(&expected, &report), [memory, Difference::Partitioned { device: 0 }]);
    }

    /// What a card calls itself must not change what the operator is told.
    #[test]
    fn a_card_with_brackets_in_its_name_differs_by_name() {
        let report = found("Imitation (B200)", 183_359, 1);
        let reasons: Vec<_> =
            differences(&expected(samples::b200(), 1), &report).iter().map(Difference::reason).collect();
        assert_eq!(reasons, ["name"]);
    }

    #[test]
    fn a_driver_that_can_not_drive_the_card_is_refused() {
        let expected = expected(samples::b200(), 1);
        let mut report = found("NVIDIA B200", 183_359, 1);
        for (driver, passes) in
            [("570.26", true), ("570.211.01", true), ("580.65.06", true), ("570.25", false), ("525.147", false)]
        {
            report.driver = driver.into();
            assert_eq!(Acceptance::check(&expected, &report).passed(), passes, "{driver}");
        }
        report.driver = "N/A".into();
        assert_eq!(differences(&expected, &report), [Difference::DriverUnreadable { found: "N/A".into() }]);
    }

    #[test]
    fn a_machine_that_operators_can_still_enter_is_not_handed_over() {
        let expected = expected(samples::b200(), 1);
        let report = FoundMachine { operator_credentials_removed: false, ..found("NVIDIA B200", 183_359, 1) };
        assert_eq!(differences(&expected, &report), [Difference::OperatorCredentialsRemain]);
    }
}
