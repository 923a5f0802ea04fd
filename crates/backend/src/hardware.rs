//! Offers as they are stored and as the starter catalogue writes them; the domain does not serialize.

use api::views::{GpuView, OfferSnapshotView};
use domain::catalogue::{Backend, DriverVersion, GpuFacts, OfferSnapshot, RentalDays, Vendor};
use domain::{Cents, Timestamp};
use serde::{Deserialize, Serialize};

use crate::refusal::{Outcome, Refusal};

/// A card's facts, with the field names of the starter catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hardware {
    /// The card.
    pub gpu: Gpu,
    /// GPUs of one lot.
    pub gpus_per_lot: u32,
}

/// The stored form of [`GpuFacts`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gpu {
    name: String,
    vendor: String,
    backend: String,
    architecture: String,
    compute_target: String,
    memory_gb_per_device: u32,
    torch_devices_per_gpu: u32,
    driver_names: Vec<String>,
    min_driver: Option<String>,
    min_toolkit: Option<String>,
    last_toolkit: Option<String>,
    interconnect: String,
    interconnect_mb_per_s: Option<u32>,
    pcie: String,
    memory_bandwidth_gb_per_s: u32,
    bf16: Option<bool>,
    max_gpus_per_machine: u32,
}

impl Hardware {
    /// Reads the stored text.
    pub fn read(text: &str) -> Outcome<Self> {
        serde_json::from_str(text).map_err(|error| Refusal::broken(format!("hardware: {error}")))
    }

    /// Writes it.
    pub fn write(&self) -> Outcome<String> {
        serde_json::to_string(self).map_err(|error| Refusal::broken(format!("hardware: {error}")))
    }

    /// As the domain knows it.
    pub fn facts(&self) -> Outcome<GpuFacts> {
        let gpu = &self.gpu;
        let unknown = |what: &str| Refusal::broken(format!("hardware: unknown {what}"));
        let min_driver = match &gpu.min_driver {
            Some(text) => Some(DriverVersion::parse(text).ok_or_else(|| unknown("driver version"))?),
            None => None,
        };
        Ok(GpuFacts {
            name: gpu.name.clone(),
            vendor: Vendor::from_code(&gpu.vendor).ok_or_else(|| unknown("vendor"))?,
            backend: Backend::from_code(&gpu.backend).ok_or_else(|| unknown("backend"))?,
            architecture: gpu.architecture.clone(),
            compute_target: gpu.compute_target.clone(),
            memory_gb_per_device: gpu.memory_gb_per_device,
            torch_devices_per_gpu: gpu.torch_devices_per_gpu,
            driver_names: gpu.driver_names.clone(),
            min_driver,
            min_toolkit: gpu.min_toolkit.clone(),
            last_toolkit: gpu.last_toolkit.clone(),
            interconnect: gpu.interconnect.clone(),
            interconnect_mb_per_s: gpu.interconnect_mb_per_s,
            pcie: gpu.pcie.clone(),
            memory_bandwidth_gb_per_s: gpu.memory_bandwidth_gb_per_s,
            bf16: gpu.bf16,
            max_gpus_per_machine: gpu.max_gpus_per_machine,
        })
    }

    /// As the wire shows it.
    pub fn view(&self) -> Outcome<GpuView> {
        let gpu = &self.gpu;
        let backend = match Backend::from_code(&gpu.backend) {
            Some(Backend::Cuda) => api::views::Backend::Cuda,
            Some(Backend::Rocm) => api::views::Backend::Rocm,
            None => return Err(Refusal::broken("hardware: unknown backend")),
        };
        Ok(GpuView {
            name: gpu.name.clone(),
            vendor: gpu.vendor.clone(),
            backend,
            architecture: gpu.architecture.clone(),
            driver_names: gpu.driver_names.clone(),
            memory_gb_per_device: gpu.memory_gb_per_device,
            memory_type: None,
            bandwidth_gb_s: Some(gpu.memory_bandwidth_gb_per_s),
            devices_per_gpu: gpu.torch_devices_per_gpu,
            gpus_per_lot: self.gpus_per_lot,
            interconnect: Some(gpu.interconnect.clone()),
            min_toolkit: gpu.min_toolkit.clone(),
            min_driver: gpu.min_driver.clone(),
        })
    }

    /// The snapshot that an order keeps.
    pub fn snapshot(
        &self,
        offer_id: &str,
        days: RentalDays,
        price_per_lot: Cents,
        taken_at: Timestamp,
    ) -> Outcome<OfferSnapshot> {
        let gpu = self.facts()?;
        let (offer_id, gpus_per_lot) = (offer_id.to_owned(), self.gpus_per_lot);
        Ok(OfferSnapshot { offer_id, gpu, gpus_per_lot, days, price_per_lot, taken_at })
    }

    /// The snapshot as the wire shows it.
    pub fn snapshot_view(&self, offer_id: &str, per_lot: Cents) -> Outcome<OfferSnapshotView> {
        Ok(OfferSnapshotView { offer_id: offer_id.to_owned(), gpu: self.view()?, per_lot: per_lot.into() })
    }
}
