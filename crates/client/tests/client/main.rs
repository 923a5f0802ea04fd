//! The desktop without a window, against a server that keeps real state.

extern crate kernodeck_client as client;

mod cut_lines;
mod entering;
mod keyring;
mod leaving;
mod sale;
mod staying_fresh;
mod support;
