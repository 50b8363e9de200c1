/**
 * Writes a ZIP archive of files as they are, not compressed.
 *
 * Strategy: the server takes one archive and judges it whole, so that either all
 * files are added or none. Each file is read once, for its checksum; the archive
 * itself is a list of pieces that the browser puts together. No ZIP64: what would
 * need it is far beyond what the server takes.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT §4.3
 */

/** A file and the name that it has in the archive, its folders parted by slashes. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Blob;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
/** Names are UTF-8 (general purpose bit 11). */
const UTF8 = 0x0800;
/** 1 January 1980, the first day of the format: times are told by the revisions. */
const FIRST_DAY = 0x21;
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffffffff;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc;
});

/** Returns the CRC-32 of bytes, as ZIP has it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

interface Written {
  readonly name: Uint8Array<ArrayBuffer>;
  readonly crc: number;
  readonly size: number;
  readonly offset: number;
}

/** What the local and the central header say alike, from the flags on. */
function common(view: DataView, at: number, entry: Written): void {
  view.setUint16(at, UTF8, true);
  view.setUint16(at + 2, 0, true);
  view.setUint16(at + 4, 0, true);
  view.setUint16(at + 6, FIRST_DAY, true);
  view.setUint32(at + 8, entry.crc, true);
  view.setUint32(at + 12, entry.size, true);
  view.setUint32(at + 16, entry.size, true);
  view.setUint16(at + 20, entry.name.length, true);
}

function localHeader(entry: Written): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(LOCAL_BYTES));
  view.setUint32(0, LOCAL, true);
  view.setUint16(4, VERSION, true);
  common(view, 6, entry);
  return view.buffer;
}

function centralHeader(entry: Written): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(CENTRAL_BYTES));
  view.setUint32(0, CENTRAL, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, VERSION, true);
  common(view, 8, entry);
  view.setUint32(42, entry.offset, true);
  return view.buffer;
}

function endRecord(entries: number, start: number, size: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(END_BYTES));
  view.setUint32(0, END, true);
  view.setUint16(8, entries, true);
  view.setUint16(10, entries, true);
  view.setUint32(12, size, true);
  view.setUint32(16, start, true);
  return view.buffer;
}

/** Returns the archive. Throws `RangeError` where it would be too large for the format. */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Blob> {
  if (entries.length > MAX_ENTRIES)
    throw new RangeError("too many files for one archive");
  const encoder = new TextEncoder();
  const pieces: BlobPart[] = [];
  const written: Written[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const bytes = new Uint8Array(await content.arrayBuffer());
    const entry: Written = {
      name: encoder.encode(name),
      crc: crc32(bytes),
      size: bytes.length,
      offset,
    };
    offset += LOCAL_BYTES + entry.name.length + entry.size;
    if (offset > MAX_BYTES) throw new RangeError("too large for one archive");
    pieces.push(localHeader(entry), entry.name, content);
    written.push(entry);
  }
  let size = 0;
  for (const entry of written) {
    pieces.push(centralHeader(entry), entry.name);
    size += CENTRAL_BYTES + entry.name.length;
  }
  pieces.push(endRecord(written.length, offset, size));
  return new Blob(pieces, { type: "application/zip" });
}
