// Bytes: base64, sections, and numbers of variable length. FORMAT.md describes the file.

/** The format that this page reads. */
const VERSION = 2;

// The same words as on the command line.
const damaged = (what) => new Error(`the record is damaged: ${what}; record the run again, or copy the file again`);
/** The message of an error: what the page itself did not foresee comes from parts of a record that do not fit together. */
const readable = (error) => (error.constructor === Error ? error : damaged(`its parts do not fit together (${error.message})`)).message;
const cutOff = () => new Error('the page ends too early: it is cut off; copy the file again, or record the run again');

/** Decodes the page's record from base64, up to the last whole group of four letters. */
function fromBase64(text) {
  const whole = text.slice(0, text.length - (text.length % 4));
  try {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(whole);
    const binary = atob(whole), bytes = new Uint8Array(binary.length);
    for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
    return bytes;
  } catch {
    throw damaged("the page's data is not base64");
  }
}

async function inflate({ tag, packed, raw }) {
  // Deflate makes bytes a thousand times smaller at most: what says otherwise would only take memory.
  if (raw > 1100 * packed.length + 1000) throw damaged(`${tag} has a length that differs from the one in its header`);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = await new Response(stream).arrayBuffer().then((buffer) => new Uint8Array(buffer), () => null);
  if (!bytes) throw damaged(`${tag} cannot be unpacked`);
  if (bytes.length !== raw) throw damaged(`${tag} has a length that differs from the one in its header`);
  return bytes;
}

/** Splits a record into sections with tags, packed bytes and lengths. */
function sections(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = [0x89, 0x46, 0x46, 0x52, 13, 10, 26, 10];
  if (file.length < 12) throw cutOff();
  if (magic.some((byte, k) => file[k] !== byte)) throw new Error('this page holds no Fleetfoot record; make one with `fleetfoot run … --replay FILE`');
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new Error(`the record has format ${version}, and this page reads format ${VERSION}; record the run again, or make the page anew with the program that wrote the record`);
  }
  const found = [];
  for (let at = 12; ; ) {
    if (at + 16 > file.length) throw cutOff();
    const tag = String.fromCharCode(...file.subarray(at, at + 4)), length = view.getUint32(at + 8, true), end = at + 12 + length;
    if (end + 4 > file.length) throw cutOff();
    if (crc32(file.subarray(at, end)) !== view.getUint32(end, true)) throw damaged('a checksum does not match');
    if (tag === 'END.') return found;
    found.push({ tag, packed: file.subarray(at + 12, end), raw: view.getUint32(at + 4, true) });
    at = end + 4;
  }
}

/** CRC-32 table, by byte. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let k = 0; k < 8; k++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
  return byte >>> 0;
});

function crc32(bytes) {
  let crc = ~0;
  for (let k = 0; k < bytes.length; k++) crc = (crc >>> 8) ^ CRC[(crc ^ bytes[k]) & 255];
  return ~crc >>> 0;
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
    for (let factor = 128; byte >= 128; factor *= 128) {
      byte = this.bytes[this.at++];
      n += (byte & 127) * factor;
    }
    if (byte === undefined) throw damaged('it ends within a number');
    return n;
  }

  signed() {
    const n = this.number();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  }
}
