//! A display that nobody sees, whose pixels can be looked at: the moment at which a page stands on it is measured from
//! outside, in the same way for every program, and no program has to tell.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;

use crate::process::{self, Program, beside};
use crate::{Bench, Outcome};

/// Lines between two that are looked at: looking must not cost what is measured.
const STEP: usize = 8;
/// Bytes of a pixel.
const PIXEL: usize = 4;
/// Bytes of a colour in the file's table.
const COLOUR_ENTRY: usize = 12;
/// The display behind the windows is black.
const BACKGROUND: [u8; 3] = [0, 0, 0];
/// Colours beside the background from which on a page stands there. Before it there are at most two: the toolkit's and the
/// blank page's.
pub const COLOURS_OF_A_PAGE: usize = 4;

/// A virtual display.
pub struct Screen {
    _server: Program,
    _folder: TempDir,
    pixels: File,
    layout: Layout,
    /// `:N`.
    pub display: String,
}

/// Where the pixels stand in the display's file: X Window Dump, version 7 (`XWDFile.h`), numbers in network order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    start: usize,
    bytes_per_line: usize,
    width: usize,
    height: usize,
}

impl Layout {
    fn read(header: &[u8; 100]) -> Option<Self> {
        let number = |index: usize| {
            let bytes = header.get(index * 4..index * 4 + 4)?.try_into().ok()?;
            usize::try_from(u32::from_be_bytes(bytes)).ok()
        };
        let bits_per_pixel = number(11)?;
        let start = number(0)? + number(19)? * COLOUR_ENTRY;
        let layout = Self { start, bytes_per_line: number(12)?, width: number(4)?, height: number(5)? };
        (number(1)? == 7 && bits_per_pixel == PIXEL * 8 && layout.width > 0).then_some(layout)
    }
}

impl Screen {
    /// Starts one of the window's own size.
    ///
    /// # Errors
    /// When there is no `Xvfb`, or it shows its pixels otherwise.
    pub fn start(bench: &Bench) -> Outcome<Self> {
        let folder = tempfile::Builder::new().prefix("screen-").tempdir_in(bench.folder.path())?;
        let mut command = beside(Path::new("Xvfb"));
        // The server chooses a free number and says it. No pointer: it would be a picture on an empty page.
        command.args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset", "-nocursor"]);
        command.arg("-fbdir").arg(folder.path()).stdin(Stdio::null());
        let mut server = Program::start(&mut command, folder.path().join("log"))?;
        let number = process::until("a virtual display", Duration::from_secs(30), || {
            server.lives()?;
            Ok(server.said().lines().find_map(|line| line.trim().parse::<u32>().ok()))
        })?;
        let pixels = File::open(folder.path().join("Xvfb_screen0"))?;
        let mut header = [0; 100];
        pixels.read_exact_at(&mut header, 0)?;
        let layout = Layout::read(&header).ok_or("the virtual display shows its pixels in an unknown way")?;
        Ok(Self { _server: server, _folder: folder, pixels, layout, display: format!(":{number}") })
    }

    /// Different colours on the display now, the background aside, counted up to [`COLOURS_OF_A_PAGE`].
    ///
    /// # Errors
    /// When the display is gone.
    pub fn colours(&self) -> Outcome<usize> {
        let mut line = vec![0; self.layout.width * PIXEL];
        let mut found: Vec<[u8; 3]> = Vec::new();
        for number in (0..self.layout.height).step_by(STEP) {
            let at = self.layout.start + number * self.layout.bytes_per_line;
            self.pixels.read_exact_at(&mut line, u64::try_from(at)?)?;
            add_colours(&line, &mut found);
            if found.len() >= COLOURS_OF_A_PAGE {
                break;
            }
        }
        Ok(found.len())
    }
}

fn add_colours(line: &[u8], found: &mut Vec<[u8; 3]>) {
    let mut last = BACKGROUND;
    for pixel in line.chunks_exact(PIXEL) {
        let colour = [pixel[0], pixel[1], pixel[2]];
        if colour != last && colour != BACKGROUND && !found.contains(&colour) {
            found.push(colour);
            if found.len() >= COLOURS_OF_A_PAGE {
                return;
            }
        }
        last = colour;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A blank window counted as a page would make every start look fast.
    #[test]
    fn a_blank_window_is_no_page_and_a_page_is() {
        let line = |colours: &[[u8; 3]]| -> Vec<u8> {
            colours.iter().flat_map(|[a, b, c]| [*a, *b, *c, 0].repeat(3)).collect()
        };
        let count = |bytes: &[u8]| {
            let mut found = Vec::new();
            add_colours(bytes, &mut found);
            found.len()
        };
        assert_eq!(count(&line(&[BACKGROUND, [255; 3], BACKGROUND, [255; 3], [246; 3]])), 2);
        assert_eq!(count(&line(&[[255; 3], [1, 2, 3], [255; 3], [4, 5, 6], [7, 8, 9], [9; 3]])), COLOURS_OF_A_PAGE);
    }

    #[test]
    fn the_pixels_are_found_behind_the_name_and_the_colour_table() {
        let mut header = [0; 100];
        for (index, value) in [(0, 160_u32), (1, 7), (4, 1440), (5, 900), (11, 32), (12, 5760), (19, 256)] {
            header[index * 4..index * 4 + 4].copy_from_slice(&value.to_be_bytes());
        }
        let layout = Layout { start: 160 + 256 * 12, bytes_per_line: 5760, width: 1440, height: 900 };
        assert_eq!(Layout::read(&header), Some(layout));
        header[47] = 16;
        assert_eq!(Layout::read(&header), None);
    }
}
