import type { KeyObject } from "node:crypto";
import type { SignedBytes } from "./signatures.ts";

/**
 * A piece of memory that two threads share, for a batch of signatures and then their verdicts. It is used again and again:
 * what messages carry would pile up until the other thread's garbage is collected.
 */
export interface VerifyingSlot {
  /** The number of signatures, and of each: the index of its key, the lengths of what was signed and of the signature. */
  readonly numbers: Uint32Array;
  /** The signed bytes and the signature of each request. */
  readonly bytes: Uint8Array;
  /** For each signature: 1 if it is valid. */
  readonly verdicts: Uint8Array;
}

/** Signatures in one slot. */
const perSlotMax = 32;
const numbersEach = 3;
const numbersBytes = (1 + perSlotMax * numbersEach) * Uint32Array.BYTES_PER_ELEMENT;
const slotBytes = 32 * 1024;

/** Room for `slots` batches. */
export function slotMemory(slots: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * slotBytes);
}

export function slotsOf(memory: SharedArrayBuffer): readonly VerifyingSlot[] {
  return Array.from({ length: memory.byteLength / slotBytes }, (_, index) => {
    const start = index * slotBytes;
    const verdictsStart = start + numbersBytes;
    const bytesStart = verdictsStart + perSlotMax;
    return {
      numbers: new Uint32Array(memory, start, numbersBytes / Uint32Array.BYTES_PER_ELEMENT),
      verdicts: new Uint8Array(memory, verdictsStart, perSlotMax),
      bytes: new Uint8Array(memory, bytesStart, start + slotBytes - bytesStart),
    };
  });
}

/** Writes the first of `waiting`, as many as fit. Gives their number. */
export function fillSlot(
  { numbers, bytes }: VerifyingSlot,
  waiting: readonly SignedBytes[],
  keyIndexOf: (key: KeyObject) => number,
): number {
  let count = 0;
  let at = 0;
  for (const { key, bytes: signed, signature } of waiting) {
    const end = at + signed.length + signature.length;
    if (count === perSlotMax || end > bytes.length) break;
    bytes.set(signed, at);
    bytes.set(signature, at + signed.length);
    numbers.set([keyIndexOf(key), signed.length, signature.length], 1 + count * numbersEach);
    at = end;
    count += 1;
  }
  numbers[0] = count;
  return count;
}

/** Replaces a batch by its verdicts. */
export function verifySlot(
  { numbers, bytes, verdicts }: VerifyingSlot,
  keys: readonly KeyObject[],
  isValid: (signed: SignedBytes) => boolean,
): void {
  let at = 0;
  for (let position = 0; position < (numbers[0] ?? 0); position += 1) {
    const [index = 0, signedLength = 0, signatureLength = 0] = numbers.subarray(1 + position * numbersEach);
    const key = keys[index];
    const signedEnd = at + signedLength;
    const signature = bytes.subarray(signedEnd, signedEnd + signatureLength);
    const signed = { bytes: bytes.subarray(at, signedEnd), signature };
    verdicts[position] = Number(key !== undefined && isValid({ key, ...signed }));
    at = signedEnd + signatureLength;
  }
}
