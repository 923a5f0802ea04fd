//! What no text that people enter may hold.

/// Whether a character is a control character or one that can't be seen: two texts that look the same must be the
/// same, and none may reorder what stands around it. Covers Unicode's control, bidirectional, zero-width, filler and
/// tag characters and variation selectors.
pub(crate) fn is_hidden(symbol: char) -> bool {
    symbol.is_control()
        || matches!(symbol,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}
