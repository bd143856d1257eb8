// Bytes: base64, sections, and numbers of variable length. FORMAT.md describes the file.

/** The page's record, from base64. */
function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Splits a record into sections: their tags and packed bytes. */
function sections(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = [0x89, 0x46, 0x46, 0x52, 13, 10, 26, 10];
  if (magic.some((byte, k) => file[k] !== byte)) throw new Error('this page holds no Fleetfoot record');
  if (view.getUint32(8, true) > 1) throw new Error('the record is newer than this page');
  const found = [];
  for (let at = 12; ; ) {
    const tag = String.fromCharCode(...file.subarray(at, at + 4));
    const length = view.getUint32(at + 8, true);
    if (tag === 'END.') return found;
    found.push({ tag, packed: file.subarray(at + 12, at + 12 + length) });
    at += 16 + length;
  }
}

/** Reads numbers from a part of an array. */
class Reader {
  constructor(bytes, at, end) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  byte() {
    return this.bytes[this.at++];
  }

  number() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let n = byte & 127;
    for (let factor = 128; ; factor *= 128) {
      byte = this.bytes[this.at++];
      n += (byte & 127) * factor;
      if (byte < 128) return n;
    }
  }

  signed() {
    const n = this.number();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  }
}
