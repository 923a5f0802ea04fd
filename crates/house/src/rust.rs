//! Rust sources as a rule wants to see them: without comments, without what strings hold, without tests.

/// The feature under which a package holds what only tests of other packages use.
const TESTING: &str = "testing";

/// A source, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The code, line for line: comments, contents of strings and characters, and items for tests are blank.
    pub code: String,
    /// Contents of the strings outside tests, with the line on which each begins.
    pub strings: Vec<(usize, String)>,
    /// Modules for tests in files of their own.
    pub test_modules: Vec<String>,
}

impl Source {
    /// Takes a source apart.
    pub fn parse(text: &str) -> Self {
        let mut scan = Scan { chars: text.chars().collect(), at: 0, code: String::new(), strings: Vec::new() };
        while scan.at < scan.chars.len() {
            scan.step();
        }
        let mut source = Self { code: scan.code, strings: scan.strings, test_modules: Vec::new() };
        source.blank_tests();
        source
    }

    /// Lines on which a word stands in the code: `f64` is not found in `f640`, `.unwrap()` not in `.unwrap_or()`.
    pub fn lines_with(&self, word: &str) -> Vec<usize> {
        let joins = |next: Option<char>| next.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let (first, last) = (word.chars().next(), word.chars().next_back());
        let whole = |at: usize| {
            let (before, after) = (self.code[..at].chars().next_back(), self.code[at + word.len()..].chars().next());
            let cut = (joins(first) && joins(before)) || (joins(last) && joins(after));
            !cut
        };
        let found = self.code.match_indices(word).filter(|(at, _)| whole(*at));
        found.map(|(at, _)| line_of(&self.code, at)).collect()
    }

    /// Lines on which a number with a point or an exponent stands.
    pub fn lines_with_float(&self) -> Vec<usize> {
        let chars: Vec<char> = self.code.chars().collect();
        let (mut line, mut found, mut at) = (1, Vec::new(), 0);
        while at < chars.len() {
            if chars[at] == '\n' {
                line += 1;
            }
            // A digit after a name or a point is part of a name or a field of a tuple.
            let starts = chars[at].is_ascii_digit() && (at == 0 || !is_word(chars[at - 1]) && chars[at - 1] != '.');
            let length = chars[at..].iter().take_while(|c| is_word(**c)).count().max(1);
            let number = &chars[at..at + length];
            let point =
                chars.get(at + length) == Some(&'.') && chars.get(at + length + 1).is_some_and(char::is_ascii_digit);
            let exponent = number.contains(&'e') && !number.starts_with(&['0', 'x']);
            if starts && (point || exponent && number.iter().all(|c| c.is_ascii_digit() || *c == 'e' || *c == '_')) {
                found.push(line);
            }
            at += if starts { length } else { 1 };
        }
        found
    }

    /// Where the next item begins that no program holds: under `#[cfg(test)]`, or under the feature `testing`, of which
    /// the code has only the blanks.
    fn next_test(&self) -> Option<usize> {
        let blanked = format!("#[cfg(feature = \"{}\")]", " ".repeat(TESTING.len()));
        let named = |at: &usize| self.strings.contains(&(line_of(&self.code, *at), TESTING.to_owned()));
        let under_feature = self.code.match_indices(&blanked).map(|(at, _)| at).find(named);
        self.code.find("#[cfg(test)]").into_iter().chain(under_feature).min()
    }

    fn blank_tests(&mut self) {
        while let Some(start) = self.next_test() {
            let end = start + item_length(&self.code[start..]);
            let item = &self.code[start..end];
            let words: Vec<&str> = item.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
            if item.ends_with(';')
                && let Some(at) = words.iter().position(|word| *word == "mod")
            {
                self.test_modules.push(words[at + 1].to_owned());
            }
            let lines = line_of(&self.code, start)..=line_of(&self.code, end);
            self.strings.retain(|(line, _)| !lines.contains(line));
            let blank: String = item.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            self.code.replace_range(start..end, &blank);
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The line, counted from 1, of a place in a text.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Bytes from an attribute to the end of the item that it stands on: to its `;`, or to the brace that closes it.
fn item_length(code: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (c == ';' || c == '}') {
            return at + 1;
        }
    }
    code.len()
}

/// Where the reading of a source stands.
struct Scan {
    chars: Vec<char>,
    at: usize,
    code: String,
    strings: Vec<(usize, String)>,
}

impl Scan {
    fn step(&mut self) {
        let c = self.chars[self.at];
        let after_word = self.code.chars().next_back().is_some_and(is_word);
        match c {
            '/' if self.next_is(1, '/') => self.blank_while(|scan| scan.chars[scan.at] != '\n'),
            '/' if self.next_is(1, '*') => self.block_comment(),
            'r' | 'b' | 'c' if !after_word && self.string_prefix() > 0 => self.string(self.string_prefix()),
            '"' => self.string(0),
            '\'' if self.is_character() => self.character(),
            _ => {
                self.code.push(c);
                self.at += 1;
            }
        }
    }

    fn next_is(&self, ahead: usize, c: char) -> bool {
        self.chars.get(self.at + ahead) == Some(&c)
    }

    /// Passes over a character; lines stay lines.
    fn blank(&mut self) {
        self.code.push(if self.chars[self.at] == '\n' { '\n' } else { ' ' });
        self.at += 1;
    }

    fn blank_while(&mut self, go_on: impl Fn(&Self) -> bool) {
        while self.at < self.chars.len() && go_on(self) {
            self.blank();
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_i32;
        while self.at < self.chars.len() {
            let pair = (self.chars[self.at], self.chars.get(self.at + 1));
            let step = match pair {
                ('/', Some('*')) => 1,
                ('*', Some('/')) => -1,
                _ => 0,
            };
            depth += step;
            self.blank();
            if step != 0 {
                self.blank();
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Characters before the quote of `r"`, `b"`, `br##"` and the like; 0 where no string begins.
    fn string_prefix(&self) -> usize {
        let letters = self.chars[self.at..].iter().take_while(|c| matches!(c, 'r' | 'b' | 'c')).count();
        let hashes = self.chars[self.at + letters..].iter().take_while(|c| **c == '#').count();
        let raw = self.chars[self.at..self.at + letters].contains(&'r');
        match self.next_is(letters + hashes, '"') && letters <= 2 && (raw || hashes == 0) {
            true => letters + hashes,
            false => 0,
        }
    }

    fn string(&mut self, prefix: usize) {
        let opening: Vec<char> = self.chars[self.at..self.at + prefix].to_vec();
        let (raw, hashes) = (opening.contains(&'r'), opening.iter().filter(|c| **c == '#').count());
        let line = line_of(&self.code, self.code.len());
        self.at += prefix + 1;
        self.code.push('"');
        let mut held = String::new();
        while self.at < self.chars.len() {
            let closes = self.next_is(0, '"') && (1..=hashes).all(|ahead| self.next_is(ahead, '#'));
            if closes {
                self.at += 1 + hashes;
                break;
            }
            if !raw && self.next_is(0, '\\') && self.at + 1 < self.chars.len() {
                held.push(self.chars[self.at]);
                self.blank();
            }
            held.push(self.chars[self.at]);
            self.blank();
        }
        self.code.push('"');
        self.strings.push((line, held));
    }

    /// Whether this quote begins a character, not a lifetime.
    fn is_character(&self) -> bool {
        self.next_is(1, '\\') || self.next_is(2, '\'')
    }

    fn character(&mut self) {
        self.blank();
        if self.next_is(0, '\\') {
            self.blank();
        }
        self.blank();
        self.blank_while(|scan| scan.chars[scan.at] != '\'');
        if self.at < self.chars.len() {
            self.blank();
        }
    }
}
