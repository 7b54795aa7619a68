import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** A fault in the write-ahead log, and what SQLite drops without a word because of it. */
export interface LogDamage {
  /** Length of the log up to the fault. */
  readonly wholeBytes: number;
  /** Commits behind the fault, as far as they can be found. */
  readonly commits: number;
}

// The format: sqlite.org/fileformat.html §4.
const headerBytes = 32;
const frameHeaderBytes = 24;
const magicLittleEndian = 0x377f0682;
/** A transaction that was being written when the power failed may leave one commit behind a fault: it was not answered. */
const commitsMin = 2;

type Sums = readonly [number, number];

interface LogHeader {
  readonly bytes: Buffer;
  readonly pageBytes: number;
  readonly isLittleEndian: boolean;
  /** Whether its own checksum holds. */
  readonly isWhole: boolean;
}

/**
 * Finds commits in a log that SQLite passes over because what comes before them is damaged: it takes the first fault for
 * the end of the log. A log that was cut off at its end, or lost, does not show that (docs/verify.md, roots). May be used
 * while a service writes to the log.
 */
export function damageInLog(log: string, pageBytes: number): LogDamage | undefined {
  // The service removes it when it stops.
  if (!existsSync(log)) return undefined;
  const descriptor = openSync(log, "r");
  try {
    const header = readHeader(descriptor, pageBytes);
    if (header === undefined) return undefined;
    const damage = faultIn(descriptor, header);
    const isSameLog = readHeader(descriptor, pageBytes)?.bytes.equals(header.bytes) === true;
    return isSameLog ? damage : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** How many frames of a log SQLite finds when it reads it anew: those before the first fault. */
export function wholeFramesIn(log: string, pageBytes: number): number {
  if (!existsSync(log)) return 0;
  const descriptor = openSync(log, "r");
  try {
    const header = readHeader(descriptor, pageBytes);
    if (header?.isWhole !== true) return 0;
    return (scan(descriptor, header).wholeBytes - headerBytes) / (frameHeaderBytes + header.pageBytes);
  } finally {
    closeSync(descriptor);
  }
}

function readHeader(descriptor: number, pageBytes: number): LogHeader | undefined {
  const bytes = Buffer.alloc(headerBytes);
  if (readSync(descriptor, bytes, 0, headerBytes, 0) < headerBytes) return undefined;
  const isLittleEndian = (bytes.readUInt32BE(0) & 1) === (magicLittleEndian & 1);
  const [first, second] = sumsOf(bytes, 0, 24, [0, 0], isLittleEndian);
  // The checksum of zeros is zero.
  const isMagic = (bytes.readUInt32BE(0) & ~1) === magicLittleEndian;
  const isWhole = isMagic && first === bytes.readInt32BE(24) && second === bytes.readInt32BE(28);
  return { bytes, isLittleEndian, isWhole, pageBytes: isWhole ? bytes.readUInt32BE(8) : pageBytes };
}

function faultIn(descriptor: number, header: LogHeader): LogDamage | undefined {
  const { wholeBytes, isFaulty, commits } = scan(descriptor, header);
  // SQLite writes no frame before the header is on the disk.
  if (!header.isWhole && fstatSync(descriptor).size > headerBytes) return { wholeBytes: 0, commits };
  return isFaulty && commits >= commitsMin ? { wholeBytes, commits } : undefined;
}

/** Frames behind the first fault are each compared with the checksum that the frame before says it has. */
function scan(descriptor: number, header: LogHeader): LogDamage & { readonly isFaulty: boolean } {
  const { pageBytes, isLittleEndian } = header;
  const frame = Buffer.alloc(frameHeaderBytes + pageBytes);
  const end = fstatSync(descriptor).size;
  let salts = header.isWhole ? header.bytes.subarray(16, 24) : undefined;
  let before: Sums = [header.bytes.readInt32BE(24), header.bytes.readInt32BE(28)];
  let isFaulty = !header.isWhole;
  let wholeBytes = isFaulty ? 0 : headerBytes;
  let commits = 0;
  for (let at = headerBytes; at + frame.length <= end; at += frame.length) {
    if (readSync(descriptor, frame, 0, frame.length, at) < frame.length) break;
    salts ??= Buffer.from(frame.subarray(8, 16));
    const sums = sumsOf(frame, 0, 8, before, isLittleEndian);
    const [first, second] = sumsOf(frame, frameHeaderBytes, frame.length, sums, isLittleEndian);
    before = [frame.readInt32BE(16), frame.readInt32BE(20)];
    const isWhole = first === before[0] && second === before[1] && salts.equals(frame.subarray(8, 16));
    isFaulty ||= !isWhole;
    if (!isFaulty) wholeBytes = at + frame.length;
    else if (isWhole && frame.readUInt32BE(4) !== 0) commits += 1;
  }
  return { wholeBytes, isFaulty, commits };
}

/** The checksum of a part of a frame, going on from that of what comes before it. */
export function sumsOf(bytes: Buffer, from: number, to: number, before: Sums, isLittleEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [first, second] = before;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getInt32(at, isLittleEndian) + second) | 0;
    second = (second + view.getInt32(at + 4, isLittleEndian) + first) | 0;
  }
  return [first, second];
}
