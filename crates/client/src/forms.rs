//! What the window asks while somebody types: the domain's rules, without a network.

use api::ErrorCode;
use api::host::{FiguresRequest, PasswordCheck, PasswordCheckRequest, SshKeyCheck, SshKeyCheckRequest};
use api::views::{CatalogueView, FiguresView, GpuView, OfferView};
use api::wire::Usd;
use domain::Timestamp;
use domain::access::PublicKey;
use domain::catalogue::{Backend, CountWarning, GpuFacts, Lots, OfferSnapshot, RentalDays, Vendor};
use domain::credentials::{Email, Password, PasswordContext, PasswordRefused};

use crate::desktop::Inner;
use crate::error::{CallError, ClientError};

/// GPUs of one machine (product C3); the catalogue has no larger ones.
const MAX_GPUS_PER_MACHINE: u32 = 8;

/// Checks a password as it is typed. An email that is not finished yet can't be held against it.
pub(crate) fn check_password(request: &PasswordCheckRequest) -> PasswordCheck {
    let judged = match Email::parse(&request.email) {
        Ok(email) => Password::choose(&request.password, &PasswordContext { email: &email, names: &[] }),
        Err(_) => without_context(&request.password),
    };
    PasswordCheck {
        code_points: u32::try_from(request.password.chars().count()).unwrap_or(u32::MAX),
        refused: judged.err().filter(is_said).map(|refused| refused.reason().to_owned()),
    }
}

fn is_said(refused: &PasswordRefused) -> bool {
    matches!(refused, PasswordRefused::Weak(_)) || !faults::planted(faults::PASSWORD_LENGTH_UNSAID)
}

/// The rules that need nobody's email: an address that can belong to nobody (RFC 2606) stands in its place.
fn without_context(password: &str) -> Result<Password, PasswordRefused> {
    match Email::parse("x@x.invalid") {
        Ok(nobody) => Password::choose(password, &PasswordContext { email: &nobody, names: &[] }),
        Err(_) => Password::enter(password),
    }
}

/// Checks an SSH public key as it is typed.
pub(crate) fn check_ssh_key(request: &SshKeyCheckRequest) -> SshKeyCheck {
    SshKeyCheck { refused: PublicKey::parse(&request.key).err().map(|refused| refused.reason().to_owned()) }
}

impl Inner {
    /// The catalogue as last told; asked for when none was.
    pub fn catalogue(&self) -> Result<CatalogueView, ClientError> {
        if self.catalogue_slot().is_none() {
            self.fetch_catalogue()?;
        }
        let held = self.catalogue_slot().as_ref().map(|answer| answer.catalogue.clone());
        held.ok_or_else(|| CallError::Unreadable { detail: "no catalogue".into() }.into())
    }

    /// The figures of a choice, by the domain's own arithmetic.
    pub fn figures(&self, request: &FiguresRequest) -> Result<FiguresView, ClientError> {
        let catalogue = self.catalogue()?;
        let offer = catalogue.offers.iter().find(|offer| offer.id == request.offer_id).ok_or(ErrorCode::NotFound)?;
        Ok(figures(offer, request)?)
    }
}

fn figures(offer: &OfferView, request: &FiguresRequest) -> Result<FiguresView, ErrorCode> {
    let refused = |field: &str, reason: &str| ErrorCode::FieldRefused { field: field.into(), reason: reason.into() };
    let lots = Lots::new(request.lots).map_err(|_| refused("lots", "out_of_range"))?;
    let days = RentalDays::from_days(request.days).ok_or_else(|| refused("days", "not_sold"))?;
    let per_lot = offer.prices.iter().find(|price| price.days == request.days);
    let per_lot = per_lot.ok_or_else(|| refused("days", "not_sold"))?.per_lot;
    let snapshot = OfferSnapshot {
        offer_id: offer.id.clone(),
        gpu: facts(&offer.gpu),
        gpus_per_lot: offer.gpu.gpus_per_lot,
        days,
        price_per_lot: per_lot.0,
        taken_at: Timestamp::from_micros(0),
    };
    let figures = snapshot.figures(lots).map_err(|_| refused("offer_id", "senseless"))?;
    let warnings = figures.warnings(&snapshot.gpu);
    Ok(FiguresView {
        lots: lots.get(),
        gpus: figures.gpus,
        devices: figures.torch_devices,
        memory_gb_per_device: offer.gpu.memory_gb_per_device,
        per_lot,
        total: Usd(figures.total),
        beyond_one_machine: warnings.iter().any(|warning| matches!(warning, CountWarning::MoreThanOneMachine { .. })),
        awkward_for_tensor_parallel: warnings
            .iter()
            .any(|warning| matches!(warning, CountWarning::BreaksTensorParallelism { .. })),
    })
}

/// The facts that the figures need; what the view does not carry plays no part in them.
fn facts(gpu: &GpuView) -> GpuFacts {
    let backend = match gpu.backend {
        api::views::Backend::Cuda => Backend::Cuda,
        api::views::Backend::Rocm => Backend::Rocm,
    };
    GpuFacts {
        name: gpu.name.clone(),
        vendor: Vendor::from_code(&gpu.vendor).unwrap_or(Vendor::Nvidia),
        backend,
        architecture: gpu.architecture.clone(),
        compute_target: String::new(),
        memory_gb_per_device: gpu.memory_gb_per_device,
        torch_devices_per_gpu: gpu.devices_per_gpu,
        driver_names: gpu.driver_names.clone(),
        min_driver: None,
        min_toolkit: gpu.min_toolkit.clone(),
        last_toolkit: None,
        interconnect: gpu.interconnect.clone().unwrap_or_default(),
        interconnect_mb_per_s: None,
        pcie: String::new(),
        memory_bandwidth_gb_per_s: gpu.bandwidth_gb_s.unwrap_or(0),
        bf16: None,
        max_gpus_per_machine: MAX_GPUS_PER_MACHINE,
    }
}
