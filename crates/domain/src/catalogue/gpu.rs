//! What a card is: facts from its vendor, never marketing sums.

use std::fmt;

/// Who makes the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
}

impl Vendor {
    /// Every vendor.
    pub const ALL: [Vendor; 2] = [Vendor::Nvidia, Vendor::Amd];

    /// The name used on the wire and in files.
    pub const fn code(self) -> &'static str {
        match self {
            Vendor::Nvidia => "nvidia",
            Vendor::Amd => "amd",
        }
    }

    /// The vendor of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vendor| vendor.code() == code)
    }
}

/// The computing chain that a program must support to use the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// NVIDIA's CUDA.
    Cuda,
    /// AMD's ROCm. PyTorch reuses the name `torch.cuda` for it, which does not make it CUDA.
    Rocm,
}

impl Backend {
    /// Every backend.
    pub const ALL: [Backend; 2] = [Backend::Cuda, Backend::Rocm];

    /// The name used on the wire and in files.
    pub const fn code(self) -> &'static str {
        match self {
            Backend::Cuda => "cuda",
            Backend::Rocm => "rocm",
        }
    }

    /// The backend of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.code() == code)
    }
}

/// A driver version: one to four numbers, compared number by number (`575.51.03` is above `575.6`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DriverVersion(Vec<u32>);

impl DriverVersion {
    /// Reads `570`, `570.26` or `575.51.03`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |part: &str| match part.len() {
            1..=6 if part.bytes().all(|byte| byte.is_ascii_digit()) => part.parse().ok(),
            _ => None,
        };
        let numbers: Option<Vec<u32>> = text.split('.').map(number).collect();
        numbers.filter(|numbers| numbers.len() <= 4).map(Self)
    }
}

impl fmt::Display for DriverVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u32::to_string).collect();
        formatter.write_str(&numbers.join("."))
    }
}

/// The facts of one GPU model, as the acceptance check and the configurator need them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuFacts {
    /// The name people read, with the form factor.
    pub name: String,
    /// Who makes it.
    pub vendor: Vendor,
    /// The chain that drives it.
    pub backend: Backend,
    /// The vendor's name of the generation, such as `Hopper`.
    pub architecture: String,
    /// What kernels are compiled for: `9.0` on CUDA, `gfx942` on ROCm.
    pub compute_target: String,
    /// Memory that one process can use on one device, in the vendor's GB. It never adds up over devices.
    pub memory_gb_per_device: u32,
    /// Devices that PyTorch sees for one GPU: 2 for a card of two dies with memories of their own, else 1.
    pub torch_devices_per_gpu: u32,
    /// The exact names that a driver reports for a device, any of which is right.
    pub driver_names: Vec<String>,
    /// The oldest driver on which the card is handed over; none where no source states one.
    pub min_driver: Option<DriverVersion>,
    /// The oldest CUDA or ROCm release with kernels for the card; none where no source states one.
    pub min_toolkit: Option<String>,
    /// The last CUDA release that still serves the card; none while it is served.
    pub last_toolkit: Option<String>,
    /// Link between GPUs of one machine, in words.
    pub interconnect: String,
    /// That link's rate in both directions together, in MB/s, where a source states it.
    pub interconnect_mb_per_s: Option<u32>,
    /// PCIe generation and width, such as `5.0 x16`.
    pub pcie: String,
    /// Rate of a GPU's own memory in GB/s.
    pub memory_bandwidth_gb_per_s: u32,
    /// Whether the card computes in BF16, where a source states it.
    pub bf16: Option<bool>,
    /// The most GPUs of this model that one machine takes.
    pub max_gpus_per_machine: u32,
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;

    /// One H100 of the SXM kind.
    pub(crate) fn h100() -> GpuFacts {
        GpuFacts {
            name: "NVIDIA H100 SXM5 80GB".into(),
            vendor: Vendor::Nvidia,
            backend: Backend::Cuda,
            architecture: "Hopper".into(),
            compute_target: "9.0".into(),
            memory_gb_per_device: 80,
            torch_devices_per_gpu: 1,
            driver_names: vec!["NVIDIA H100 80GB HBM3".into()],
            min_driver: DriverVersion::parse("525"),
            min_toolkit: Some("11.8".into()),
            last_toolkit: None,
            interconnect: "NVLink 4".into(),
            interconnect_mb_per_s: Some(900_000),
            pcie: "5.0 x16".into(),
            memory_bandwidth_gb_per_s: 3350,
            bf16: Some(true),
            max_gpus_per_machine: 8,
        }
    }

    /// One B200.
    pub(crate) fn b200() -> GpuFacts {
        GpuFacts {
            name: "NVIDIA B200 (HGX/SXM)".into(),
            architecture: "Blackwell".into(),
            compute_target: "10.0".into(),
            memory_gb_per_device: 180,
            driver_names: vec!["NVIDIA B200".into()],
            min_driver: DriverVersion::parse("570.26"),
            min_toolkit: Some("12.8".into()),
            interconnect: "NVLink 5".into(),
            interconnect_mb_per_s: Some(1_800_000),
            memory_bandwidth_gb_per_s: 8000,
            ..h100()
        }
    }

    /// One MI250X: one card, two devices.
    pub(crate) fn mi250x() -> GpuFacts {
        GpuFacts {
            name: "AMD Instinct MI250X 128GB".into(),
            vendor: Vendor::Amd,
            backend: Backend::Rocm,
            architecture: "CDNA2".into(),
            compute_target: "gfx90a".into(),
            memory_gb_per_device: 64,
            torch_devices_per_gpu: 2,
            driver_names: vec!["AMD Instinct MI250X".into()],
            min_driver: None,
            min_toolkit: Some("6.0.0".into()),
            ..h100()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_is_compared_number_by_number() {
        let version = |text| DriverVersion::parse(text).unwrap();
        assert!(version("575.51.03") > version("575.6"));
        assert!(version("1000.1") > version("570.26"));
        assert!(version("570") < version("570.26"));
        assert_eq!(version("570.26").to_string(), "570.26");
        for text in ["", ".", "570.", "570.x", "570 26", "-1", "1.2.3.4.5", "9999999", "570.26-open"] {
            assert_eq!(DriverVersion::parse(text), None, "{text:?}");
        }
    }
}
