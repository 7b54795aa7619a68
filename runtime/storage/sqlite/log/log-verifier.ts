import { closeSync, existsSync, openSync, readSync } from "node:fs";
import {
  damageInLog,
  frameHeaderBytes,
  headerBytes,
  readHeader,
  sumsOf,
  type LogDamage,
  type LogHeader,
  type Sums,
} from "./check-log.ts";

/** Read in one go. */
const framesAtOnce = 256;

/**
 * Verifies what a log has got since it was verified last, by the checksums of its frames. SQLite looks at them when it
 * opens a log, never when it moves it: what another program wrote over would become pages of the database.
 */
export function createLogVerifier(file: string, pageBytes: number): () => LogDamage | undefined {
  let known: LogHeader | undefined;
  let verifiedBytes = headerBytes;
  let sums: Sums = [0, 0];

  /** Verifies up to the first frame that does not follow from the one before, which is the end, or a fault. */
  function verifyOn(descriptor: number): void {
    const header = readHeader(descriptor, pageBytes);
    if (header === undefined) return;
    if (known?.bytes.equals(header.bytes) !== true) {
      verifiedBytes = headerBytes;
      sums = [header.bytes.readInt32BE(24), header.bytes.readInt32BE(28)];
    }
    known = header;
    if (!header.isWhole) return;
    const salts = header.bytes.subarray(16, 24);
    const frameBytes = frameHeaderBytes + header.pageBytes;
    const chunk = Buffer.from(new ArrayBuffer(framesAtOnce * frameBytes));
    for (;;) {
      const length = readSync(descriptor, chunk, 0, chunk.length, verifiedBytes);
      let at = 0;
      for (; at + frameBytes <= length; at += frameBytes) {
        const frame = chunk.subarray(at, at + frameBytes);
        const ofHeader = sumsOf(frame, 0, 8, sums, header.isLittleEndian);
        const [first, second] = sumsOf(frame, frameHeaderBytes, frameBytes, ofHeader, header.isLittleEndian);
        const isWhole = first === frame.readInt32BE(16) && second === frame.readInt32BE(20);
        if (!isWhole || !salts.equals(frame.subarray(8, 16))) break;
        sums = [first, second];
      }
      verifiedBytes += at;
      if (at < chunk.length) return;
    }
  }

  return () => {
    const log = `${file}-wal`;
    if (!existsSync(log)) return undefined;
    const descriptor = openSync(log, "r");
    try {
      verifyOn(descriptor);
      const before = verifiedBytes;
      // A frame that was being written while it was read looks like a fault, and is whole now.
      verifyOn(descriptor);
      const isAtEnd = readSync(descriptor, Buffer.alloc(1), 0, 1, verifiedBytes) === 0;
      return isAtEnd || verifiedBytes !== before ? undefined : damageInLog(file, pageBytes);
    } finally {
      closeSync(descriptor);
    }
  };
}
