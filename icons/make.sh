#!/bin/sh
# Makes every picture of the program from icon.mvg with ImageMagick. The sandbox wears its yellow.
set -eu
cd "$(dirname "$0")"
draw() { # source, folder
  convert -background none "mvg:$1" "$2/large.png"
  for size in 32 128 256 512; do
    convert -background none "$2/large.png" -resize "${size}x${size}" -depth 8 "PNG32:$2/${size}x${size}.png"
  done
  convert -background none "$2/large.png" -define icon:auto-resize=256,48,32,16 "$2/icon.ico"
  rm "$2/large.png"
}
draw icon.mvg .
sed -e 's/#141d18/#ffd84a/' -e 's/#ffffff/#141d18/' -e 's/#76d09c/#12623a/' icon.mvg > sandbox.mvg
draw sandbox.mvg sandbox
rm sandbox.mvg
