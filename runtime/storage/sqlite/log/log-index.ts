import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { UnavailableError } from "../../../ports/index.ts";

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

/** The parts of the header that are used here. */
interface IndexHeader {
  readonly frames: number;
  readonly salts: readonly [number, number];
}

/** The part of an index that was read. */
interface IndexState {
  /** As long as what was read, at the start of its array buffer. */
  readonly bytes: Buffer;
  readonly words: Int32Array;
  readonly header: IndexHeader;
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
  let known: IndexState | undefined;
  /** Two that are read into in turn, of the size of the index and a part more: so one call reads all of it. */
  let free: Buffer | undefined;

  /** Undefined where it cannot be read now: the next commit tries again. */
  function read(): Buffer | undefined {
    try {
      if (descriptor === undefined && !existsSync(`${file}-shm`)) return undefined;
      descriptor ??= openSync(`${file}-shm`, "r+");
      free ??= roomFor(0);
      let length = readSync(descriptor, free, 0, free.length, 0);
      while (length === free.length) {
        free = roomFor(fstatSync(descriptor).size);
        length = readSync(descriptor, free, 0, free.length, 0);
      }
      return free.subarray(0, length);
    } catch {
      return undefined;
    }
  }

  return {
    require() {
      if (known === undefined) return;
      const now = read();
      if (now === undefined || now.equals(known.bytes)) return;
      const state = stateOf(now);
      if (state !== undefined && isGrownFrom(known, state, "slots too")) return;
      if (descriptor !== undefined) {
        known.bytes.fill(0, movedAt, fixedBytes);
        writeSync(descriptor, known.bytes, 0, known.bytes.length, 0);
      }
      const cause = new Error(`${file}-shm was overwritten by another program. It was mended`);
      throw new UnavailableError("disk-fault", { cause });
    },
    remember() {
      const now = read();
      const state = now === undefined ? undefined : stateOf(now);
      // SQLite finds that by itself.
      if (state === undefined) known = undefined;
      else if (known !== undefined && !isGrownFrom(known, state)) {
        known = undefined;
        rebuildLogIndex(file, descriptor);
      } else {
        free = known === undefined ? undefined : Buffer.from(known.bytes.buffer);
        known = state;
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      known = undefined;
    },
  };
}

function roomFor(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer((Math.floor(bytes / partBytes) + 1) * partBytes + 8));
}

/** How many frames an index finds in its log. Undefined where it is damaged. */
export function framesInIndex(file: string): number | undefined {
  if (!existsSync(`${file}-shm`)) return undefined;
  const descriptor = openSync(`${file}-shm`, "r");
  try {
    const words = new Int32Array(fixedBytes / 4);
    return readSync(descriptor, words, 0, fixedBytes, 0) < fixedBytes ? undefined : headerOf(words)?.frames;
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

function stateOf(bytes: Buffer): IndexState | undefined {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  const header = headerOf(words);
  return header === undefined ? undefined : { bytes, words, header };
}

/** Undefined where both copies differ, where the checksum does not hold, or more was moved than there is. */
function headerOf(words: Int32Array): IndexHeader | undefined {
  if (words.length < fixedBytes / 4) return undefined;
  const word = (at: number): number => words[at / 4] ?? 0;
  let [first, second] = [0, 0];
  for (let at = 0; at < headerBytes; at += 4) if (word(at) !== word(headerBytes + at)) return undefined;
  for (let at = 0; at < sumsAt; at += 8) {
    first = (first + word(at) + second) | 0;
    second = (second + word(at + 4) + first) | 0;
  }
  if (first !== word(sumsAt) || second !== word(sumsAt + 4)) return undefined;
  const [frames, moved] = [word(framesAt) >>> 0, word(movedAt) >>> 0];
  if (frames + (first >>> 0) === 0 || moved > frames) return undefined;
  return { frames, salts: [word(saltsAt), word(saltsAt + 4)] };
}

/** Whether an index is an earlier one with frames added, or that of a log that was started over. */
function isGrownFrom(before: IndexState, now: IndexState, depth?: "slots too"): boolean {
  const [known, { frames, salts }] = [before.header, now.header];
  if (known.salts[0] !== salts[0] || known.salts[1] !== salts[1]) return true;
  const { length } = before.bytes;
  if (frames < known.frames || now.bytes.length < length) return false;
  if (now.bytes.compare(before.bytes, fixedBytes, length, fixedBytes, length) === 0) return true;
  for (let part = 0; part < length; part += partBytes) {
    // Every frame in turn has the number of its page there; behind the last frame there may be anything.
    const from = part === 0 ? fixedBytes : part;
    const end = Math.min(part + slotsAt, from + 4 * (known.frames - framesBefore(part)));
    if (end <= from) return true;
    if (now.bytes.compare(before.bytes, from, end, from, end) !== 0) return false;
    // After each commit they differ, and to compare them takes longer than all the rest.
    if (depth === undefined) continue;
    // Two slots a word; one that was empty may be taken now.
    for (let at = (part + slotsAt) / 4; at < (part + partBytes) / 4; at += 1) {
      const word = before.words[at] ?? 0;
      const difference = word ^ (now.words[at] ?? 0);
      if (difference !== 0 && isTaken(word, difference)) return false;
    }
  }
  return true;
}

function framesBefore(part: number): number {
  return part === 0 ? 0 : part / (partBytes / slotsAt) / 4 - fixedBytes / 4;
}

/** Whether one of both slots in a word differs that was not empty. */
function isTaken(word: number, difference: number): boolean {
  const halves = [0xffff, ~0xffff];
  return halves.some((half) => (word & half) !== 0 && (difference & half) !== 0);
}
