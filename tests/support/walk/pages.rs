//! Getting from page to page, and what a person sets about the window.

use crate::window::Window;

/// Goes to a place of the rail, such as `nav-orders`.
pub fn go(window: &Window, place: &str) {
    window.click(place);
    window.wait_attr(place, "aria-current", "page");
}

/// Changes the language; the page stays where it is.
pub fn change_language(window: &Window, locale: &str) {
    set(window, &format!("language-{locale}"));
}

/// Changes the theme: `light` or `dark`.
pub fn change_theme(window: &Window, theme: &str) {
    set(window, &format!("theme-{theme}"));
}

/// Changes the size of the text, in per cent.
pub fn change_text_size(window: &Window, percent: u32) {
    set(window, &format!("text-{percent}"));
}

fn set(window: &Window, choice: &str) {
    if !window.has(choice) {
        go(window, "nav-settings");
    }
    window.choose(choice);
}
