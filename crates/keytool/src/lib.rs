//! Offline program of the operator: derive and sign addresses.
