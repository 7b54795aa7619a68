import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";

/** A fault in the write-ahead log, and what SQLite drops without a word because of it. */
export interface LogDamage {
  /** Length of the log up to the fault. */
  readonly wholeBytes: number;
  /** Commits behind the fault, as far as they can be found. */
  readonly commits: number;
  /** The database holds pages from behind the fault, or may: with what comes before it they are no state of the books. */
  readonly isMoved: boolean;
}

// The format: sqlite.org/fileformat.html §4.
const headerBytes = 32;
const frameHeaderBytes = 24;
const isLittleEndianHere = endianness() === "LE";
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
 * Finds commits in a log that SQLite passes over because of damage before them: it takes the first fault for the end
 * of the log. A log that was cut off at its end, or lost, does not show that (docs/verify.md, roots). May be used
 * while a service writes to the log.
 */
export function damageInLog(file: string, pageBytes: number): LogDamage | undefined {
  const log = `${file}-wal`;
  // The service removes it when it stops.
  if (!existsSync(log)) return undefined;
  const descriptor = openSync(log, "r");
  try {
    const header = readHeader(descriptor, pageBytes);
    if (header === undefined) return undefined;
    const damage = faultIn(file, descriptor, header);
    const isSameLog = readHeader(descriptor, pageBytes)?.bytes.equals(header.bytes) === true;
    return isSameLog ? damage : undefined;
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

function faultIn(file: string, descriptor: number, header: LogHeader): LogDamage | undefined {
  const found = scan(descriptor, header);
  const { wholeBytes, isFaulty, commits } = found;
  // SQLite writes no frame before the header is on the disk.
  const isHeaderLost = !header.isWhole && fstatSync(descriptor).size > headerBytes;
  if (!isHeaderLost && !(isFaulty && commits >= commitsMin)) return undefined;
  return { wholeBytes, commits, isMoved: isMoved(file, descriptor, header, found) };
}

/**
 * A checkpoint moves the last frame of each page. So one behind the fault was moved where the database has it. The frame at
 * the fault may have been where the database has each that comes before it and is the last of its page.
 */
function isMoved(file: string, log: number, { pageBytes }: LogHeader, { before, behind }: Scan): boolean {
  if (!existsSync(file)) return false;
  const database = openSync(file, "r");
  try {
    // Zeros have a checksum that holds, and no page.
    const isInDatabase = ({ page, at }: Frame): boolean =>
      page > 0 &&
      pageAt(database, pageBytes, (page - 1) * pageBytes).equals(
        pageAt(log, pageBytes, at + frameHeaderBytes),
      );
    const written = new Set(behind.map(({ page }) => page));
    const kept = new Set([...before.values()].filter(isInDatabase).map(({ page }) => page));
    const last = [...before.keys()].filter((page) => !written.has(page));
    if (last.length > 0 && last.every((page) => kept.has(page))) return true;
    return behind.some((frame) => !kept.has(frame.page) && isInDatabase(frame));
  } finally {
    closeSync(database);
  }
}

/** Shorter where the file ends before. */
function pageAt(descriptor: number, pageBytes: number, at: number): Buffer {
  const bytes = Buffer.alloc(pageBytes);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, pageBytes, at));
}

interface Frame {
  readonly page: number;
  /** Where it begins in the log. */
  readonly at: number;
}

interface Scan {
  readonly isFaulty: boolean;
  readonly wholeBytes: number;
  readonly commits: number;
  /** By page, the last whole frame before the fault. */
  readonly before: ReadonlyMap<number, Frame>;
  /** Whole frames behind the fault. */
  readonly behind: readonly Frame[];
}

/** Frames behind the first fault are each compared with the checksum that the frame before says it has. */
function scan(descriptor: number, header: LogHeader): Scan {
  const { pageBytes, isLittleEndian } = header;
  const frame = Buffer.alloc(frameHeaderBytes + pageBytes);
  const end = fstatSync(descriptor).size;
  let salts = header.isWhole ? header.bytes.subarray(16, 24) : undefined;
  let before: Sums = [header.bytes.readInt32BE(24), header.bytes.readInt32BE(28)];
  let isFaulty = !header.isWhole;
  let wholeBytes = isFaulty ? 0 : headerBytes;
  let commits = 0;
  const preceding = new Map<number, Frame>();
  const behind: Frame[] = [];
  for (let at = headerBytes; at + frame.length <= end; at += frame.length) {
    if (readSync(descriptor, frame, 0, frame.length, at) < frame.length) break;
    salts ??= Buffer.from(frame.subarray(8, 16));
    const sums = sumsOf(frame, 0, 8, before, isLittleEndian);
    const [first, second] = sumsOf(frame, frameHeaderBytes, frame.length, sums, isLittleEndian);
    before = [frame.readInt32BE(16), frame.readInt32BE(20)];
    const isWhole = first === before[0] && second === before[1] && salts.equals(frame.subarray(8, 16));
    isFaulty ||= !isWhole;
    if (!isWhole) continue;
    const page = frame.readUInt32BE(0);
    if (isFaulty) {
      behind.push({ page, at });
      if (frame.readUInt32BE(4) !== 0) commits += 1;
    } else {
      preceding.set(page, { page, at });
      wholeBytes = at + frame.length;
    }
  }
  return { wholeBytes, isFaulty, commits, before: preceding, behind };
}

/** The checksum of a part of a frame, going on from that of what comes before it. */
function sumsOf(bytes: Buffer, from: number, to: number, before: Sums, isLittleEndian: boolean): Sums {
  if (isLittleEndian === isLittleEndianHere && (bytes.byteOffset + from) % 4 === 0)
    return sumsOfWords(new Int32Array(bytes.buffer, bytes.byteOffset + from, (to - from) / 4), before);
  let [first, second] = before;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = from; at < to; at += 8) {
    first = (first + view.getInt32(at, isLittleEndian) + second) | 0;
    second = (second + view.getInt32(at + 4, isLittleEndian) + first) | 0;
  }
  return [first, second];
}

/** A third of the time: alone, and with every sum cut to 32 bits, V8 adds integers instead of doubles. */
function sumsOfWords(words: Int32Array, before: Sums): Sums {
  let first = before[0] | 0;
  let second = before[1] | 0;
  for (let at = 0; at < words.length; at += 2) {
    first = (((first + second) | 0) + (words[at] ?? 0)) | 0;
    second = (((second + first) | 0) + (words[at + 1] ?? 0)) | 0;
  }
  return [first, second];
}
