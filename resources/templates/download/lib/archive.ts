/** Reads one file out of a .tgz archive. */

const BLOCK = 512;

/** Return the text of a file. Throws if the archive has no such file. */
export async function fileIn(archive: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  const unpacked = new Blob([archive]).stream().pipeThrough(new DecompressionStream("gzip"));
  const tar = new Uint8Array(await new Response(unpacked).arrayBuffer());
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const size = parseInt(text(tar, at + 124, 12), 8);
    if (text(tar, at, 100) === name) return new TextDecoder().decode(tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the archive has no file ${name}`);
}

function text(tar: Uint8Array, at: number, length: number): string {
  return new TextDecoder().decode(tar.subarray(at, at + length)).split("\0")[0].trim();
}
