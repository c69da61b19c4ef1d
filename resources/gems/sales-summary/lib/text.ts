/** Turns the bytes of a text file into text, whatever wrote it. */

/** Decode base64. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Decode UTF-8 and UTF-16 with or without a byte order mark, else Windows-1252, which holds Latin-1. */
export function textOf(bytes: Uint8Array): string {
  const encoding = markedEncoding(bytes) ?? unmarkedUtf16(bytes);
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return null;
}

/** In tables, most characters of UTF-16 have a zero byte, on one and the same side. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const looked = Math.min(bytes.length, 4096);
  let even = 0;
  let odd = 0;
  for (let place = 0; place < looked; place++) {
    if (bytes[place] === 0) place % 2 === 0 ? even++ : odd++;
  }
  if (odd > looked / 4 && even < looked / 16) return "utf-16le";
  if (even > looked / 4 && odd < looked / 16) return "utf-16be";
  return null;
}
