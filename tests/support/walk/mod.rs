//! What people do in the window, step by step.

mod customer;
mod operator;
mod pages;

pub use customer::{
    CUSTOMER, Ordered, cancel, configure, get_instructions, notice, open_order, order, place_order, register,
    show_access, sign_out, slip_address,
};
pub use operator::{Access, accept, hand_over, open_work, prepare, sign_in as sign_in_operator};
pub use pages::{change_language, change_text_size, change_theme, go};
