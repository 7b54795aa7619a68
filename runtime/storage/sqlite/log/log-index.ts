import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { endianness } from "node:os";
import { UnavailableError } from "../../../ports/index.ts";
import { sumsOf } from "./check-log.ts";

// The format: sqlite.org/walformat.html §2. Numbers are in the byte order of the machine.
const headerBytes = 48;
/** Both copies of the header, and how much of the log is in the database. */
const fixedBytes = 136;
const framesAt = 16;
const saltsAt = 32;
const sumsAt = 40;
const movedAt = 2 * headerBytes;
/** Each part of the index, of this size, ends with a table of slots that are filled one by one. */
const partBytes = 32 * 1024;
const slotsAt = 16 * 1024;
const isLittleEndian = endianness() === "LE";

/** The parts of the header that are used here. */
interface IndexHeader {
  readonly frames: number;
  readonly moved: number;
  readonly salts: bigint;
}

/**
 * Watches the index of a log (`-shm`). It has no checksums but for its header: where it was overwritten, SQLite finds
 * older states of pages, and a checkpoint takes the log for moved.
 */
export interface LogIndex {
  /** To be called before a commit. Mends an index that was overwritten, and throws: what was read by it may be wrong. */
  require(): void;
  /** To be called after a commit. Has SQLite make an index anew that was overwritten while the commit reached the disk. */
  remember(): void;
  /** Only to be called when no connection of this process is open: it ends their locks. */
  close(): void;
}

export function createLogIndex(file: string): LogIndex {
  let descriptor: number | undefined;
  let known: Buffer | undefined;
  let spare: Buffer | undefined;

  /** Undefined where it cannot be read now: the next commit tries again. */
  function read(): Buffer | undefined {
    try {
      if (descriptor === undefined && !existsSync(`${file}-shm`)) return undefined;
      descriptor ??= openSync(`${file}-shm`, "r+");
      const { size } = fstatSync(descriptor);
      const bytes = spare?.length === size ? spare : Buffer.from(new ArrayBuffer(size));
      spare = undefined;
      return readSync(descriptor, bytes, 0, size, 0) === size ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    require() {
      if (known === undefined) return;
      const now = read();
      if (now === undefined) return;
      spare = now;
      const header = headerOf(now);
      if (header !== undefined && isGrownFrom(known, now, header, "slots too")) return;
      if (descriptor !== undefined) {
        known.fill(0, movedAt, fixedBytes);
        writeSync(descriptor, known, 0, known.length, 0);
      }
      const cause = new Error(`${file}-shm was overwritten by another program. It was mended`);
      throw new UnavailableError("disk-fault", { cause });
    },
    remember() {
      const now = read();
      const header = now === undefined ? undefined : headerOf(now);
      // SQLite finds that by itself.
      if (now === undefined || header === undefined) known = undefined;
      else if (known !== undefined && !isGrownFrom(known, now, header)) {
        known = undefined;
        rebuildLogIndex(file, descriptor);
      } else {
        spare = known;
        known = now;
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      known = undefined;
    },
  };
}

/** How many frames an index finds in its log. Undefined where it is damaged. */
export function framesInIndex(file: string): number | undefined {
  if (!existsSync(`${file}-shm`)) return undefined;
  const descriptor = openSync(`${file}-shm`, "r");
  try {
    const bytes = Buffer.alloc(fixedBytes);
    return readSync(descriptor, bytes, 0, fixedBytes, 0) < fixedBytes ? undefined : headerOf(bytes)?.frames;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Has SQLite make the index of a log anew, from the log alone, which has checksums; the index has none. By a damaged one
 * a checkpoint leaves commits out, then removes the log.
 */
export function rebuildLogIndex(file: string, opened?: number): void {
  if (opened === undefined && !existsSync(`${file}-shm`)) return;
  const descriptor = opened ?? openSync(`${file}-shm`, "r+");
  try {
    writeSync(descriptor, Buffer.alloc(fixedBytes), 0, fixedBytes, 0);
  } finally {
    if (opened === undefined) closeSync(descriptor);
  }
}

/** Undefined where both copies differ, where the checksum does not hold, or more was moved than there is. */
function headerOf(index: Buffer): IndexHeader | undefined {
  if (index.length < fixedBytes) return undefined;
  if (index.compare(index, headerBytes, 2 * headerBytes, 0, headerBytes) !== 0) return undefined;
  const [first, second] = sumsOf(index, 0, sumsAt, [0, 0], isLittleEndian);
  const view = new DataView(index.buffer, index.byteOffset, index.length);
  const number = (at: number): number => view.getUint32(at, isLittleEndian);
  const isWhole = first >>> 0 === number(sumsAt) && second >>> 0 === number(sumsAt + 4);
  const header = {
    frames: number(framesAt),
    moved: number(movedAt),
    salts: view.getBigUint64(saltsAt, isLittleEndian),
  };
  return isWhole && header.frames + first !== 0 && header.moved <= header.frames ? header : undefined;
}

/** Whether an index is an earlier one with frames added, or that of a log that was started over. */
function isGrownFrom(before: Buffer, now: Buffer, header: IndexHeader, depth?: "slots too"): boolean {
  const known = headerOf(before);
  if (known === undefined || known.salts !== header.salts) return true;
  if (header.frames < known.frames || now.length < before.length) return false;
  if (now.compare(before, fixedBytes, before.length, fixedBytes, before.length) === 0) return true;
  for (let part = 0; part < before.length; part += partBytes) {
    // Every frame in turn has the number of its page there; behind the last frame there may be anything.
    const from = part === 0 ? fixedBytes : part;
    const end = Math.min(part + slotsAt, from + 4 * (known.frames - framesBefore(part)));
    if (end <= from) return true;
    if (now.compare(before, from, end, from, end) !== 0) return false;
    // After each commit they differ, and to compare them takes longer than all the rest.
    if (depth === undefined) continue;
    const [slots, slotsNow] = [before, now].map((each) => wordsOf(each, part + slotsAt));
    // Two slots a word; one that was empty may be taken now.
    for (let at = 0; at < slotsAt / 4; at += 1) {
      const word = slots?.[at] ?? 0;
      const difference = word ^ (slotsNow?.[at] ?? 0);
      if (difference !== 0 && isTaken(word, difference)) return false;
    }
  }
  return true;
}

function framesBefore(part: number): number {
  return part === 0 ? 0 : part / (partBytes / slotsAt) / 4 - fixedBytes / 4;
}

function wordsOf(index: Buffer, at: number): Int32Array {
  return new Int32Array(index.buffer, index.byteOffset + at, slotsAt / 4);
}

/** Whether one of both slots in a word differs that was not empty. */
function isTaken(word: number, difference: number): boolean {
  const halves = [0xffff, ~0xffff];
  return halves.some((half) => (word & half) !== 0 && (difference & half) !== 0);
}
