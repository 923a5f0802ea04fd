//! The three figures that a customer sees before anything is saved, and what the count means (C2, C3).

use thiserror::Error;

use super::{GpuFacts, Lots};
use crate::Cents;

/// Figures that can't be computed, because the offer itself makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FiguresError {
    /// A count or the total leaves its range.
    #[error("the figures of this order leave their range")]
    OutOfRange,
    /// A lot without GPUs, a GPU without devices, or a price that is not above nothing.
    #[error("the offer has no GPUs, no devices or no price")]
    EmptyOffer,
}

/// What an order amounts to: three figures that are shown apart, and the devices that PyTorch will see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Lots ordered.
    pub lots: Lots,
    /// GPUs in all of them.
    pub gpus: u32,
    /// Devices that PyTorch sees for them.
    pub torch_devices: u32,
    /// What they cost together.
    pub total: Cents,
}

/// Something about a count that a customer should know before ordering. It forbids nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountWarning {
    /// Engines split a model's attention heads evenly over the devices, and no usual head count divides by this one.
    BreaksTensorParallelism {
        /// Devices that PyTorch sees.
        torch_devices: u32,
    },
    /// The GPUs can't sit in one machine.
    MoreThanOneMachine {
        /// GPUs ordered.
        gpus: u32,
        /// The most that one machine takes.
        max_gpus_per_machine: u32,
    },
}

impl Figures {
    pub(super) fn compute(
        gpu: &GpuFacts,
        gpus_per_lot: u32,
        price_per_lot: Cents,
        lots: Lots,
    ) -> Result<Self, FiguresError> {
        if gpus_per_lot == 0 || gpu.torch_devices_per_gpu == 0 || !price_per_lot.is_positive() {
            return Err(FiguresError::EmptyOffer);
        }
        let gpus = lots.get().checked_mul(gpus_per_lot).ok_or(FiguresError::OutOfRange)?;
        let torch_devices = gpus.checked_mul(gpu.torch_devices_per_gpu).ok_or(FiguresError::OutOfRange)?;
        let total = price_per_lot.checked_mul(i64::from(lots.get())).ok_or(FiguresError::OutOfRange)?;
        Ok(Self { lots, gpus, torch_devices, total })
    }

    /// What to warn of at these counts.
    pub fn warnings(&self, gpu: &GpuFacts) -> Vec<CountWarning> {
        let mut warnings = Vec::new();
        // Usual models have 2^n attention heads or a small multiple: powers of two divide them, other counts rarely do.
        if !self.torch_devices.is_power_of_two() {
            warnings.push(CountWarning::BreaksTensorParallelism { torch_devices: self.torch_devices });
        }
        if self.gpus > gpu.max_gpus_per_machine {
            let max_gpus_per_machine = gpu.max_gpus_per_machine;
            warnings.push(CountWarning::MoreThanOneMachine { gpus: self.gpus, max_gpus_per_machine });
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::{MAX_LOT_PRICE, samples};

    fn figures(gpu: &GpuFacts, gpus_per_lot: u32, price: i64, lots: u32) -> Figures {
        Figures::compute(gpu, gpus_per_lot, Cents::new(price), Lots::new(lots).unwrap()).unwrap()
    }

    #[test]
    fn lots_gpus_and_devices_are_three_different_numbers() {
        let b200 = figures(&samples::b200(), 2, 139_000, 2);
        assert_eq!((b200.lots.get(), b200.gpus, b200.torch_devices, b200.total), (2, 4, 4, Cents::new(278_000)));
        let mi250x = figures(&samples::mi250x(), 1, 50_000, 3);
        assert_eq!((mi250x.lots.get(), mi250x.gpus, mi250x.torch_devices), (3, 3, 6));
    }

    #[test]
    fn counts_that_split_badly_or_need_a_second_machine_are_said_before_paying() {
        let gpu = samples::b200();
        let warnings = |lots| figures(&gpu, 2, 1, lots).warnings(&gpu);
        assert_eq!(warnings(1), []);
        assert_eq!(warnings(4), []);
        assert_eq!(warnings(3), [CountWarning::BreaksTensorParallelism { torch_devices: 6 }]);
        assert_eq!(warnings(8), [CountWarning::MoreThanOneMachine { gpus: 16, max_gpus_per_machine: 8 }]);
        assert_eq!(warnings(5).len(), 2);
    }

    #[test]
    fn an_empty_offer_is_refused_rather_than_sold_for_nothing() {
        let lots = Lots::new(1).unwrap();
        let gpu = samples::h100();
        assert_eq!(Figures::compute(&gpu, 0, Cents::new(1), lots), Err(FiguresError::EmptyOffer));
        assert_eq!(Figures::compute(&gpu, 1, Cents::ZERO, lots), Err(FiguresError::EmptyOffer));
        assert_eq!(
            Figures::compute(&gpu, 1, Cents::new(i64::MAX), Lots::new(2).unwrap()),
            Err(FiguresError::OutOfRange)
        );
    }

    proptest! {
        /// A total that wrapped would sell hardware for a wrong price.
        #[test]
        fn every_priced_offer_has_an_exact_total(price in 1..=MAX_LOT_PRICE.get(), lots in 1u32..=10, per_lot in 1u32..=16) {
            let figures = figures(&samples::mi250x(), per_lot, price, lots);
            prop_assert_eq!(i128::from(figures.total.get()), i128::from(price) * i128::from(lots));
            prop_assert_eq!(figures.gpus, lots * per_lot);
            prop_assert_eq!(figures.torch_devices, lots * per_lot * 2);
        }

        #[test]
        fn no_price_and_no_count_ever_wraps(price: i64, lots in 1u32..=10, per_lot: u32) {
            let result = Figures::compute(&samples::mi250x(), per_lot, Cents::new(price), Lots::new(lots).unwrap());
            if let Ok(figures) = result {
                prop_assert_eq!(i128::from(figures.total.get()), i128::from(price) * i128::from(lots));
            }
        }
    }
}
