/** Bytes of one text that arrive in pieces. */
export interface GatheredBytes {
  /** Bytes so far. */
  readonly length: number;
  /** Memory that is held for them: at most twice their number. */
  readonly held: number;
  add(piece: Uint8Array): void;
  /** All of them, without a copy: nothing may be added afterwards. */
  whole(): Buffer;
}

/**
 * Gathers pieces in one buffer that grows. A piece that was kept as it came would hold an object, and the larger buffer
 * that it is a part of: a hundred times its length and more where a caller sends a body byte by byte.
 */
export function gatherBytes(): GatheredBytes {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    get held() {
      return bytes.length;
    },
    add(piece) {
      if (length + piece.length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, length + piece.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      bytes.set(piece, length);
      length += piece.length;
    },
    whole: () => bytes.subarray(0, length),
  };
}
