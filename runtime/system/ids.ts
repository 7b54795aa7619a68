import { randomFillSync } from "node:crypto";
import type { Clock, IdSource } from "../ports/index.ts";

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeDigits = 10;
const randomDigits = 16;
/** Drawing many random bytes at once costs hardly more than drawing a few. */
const identifiersDrawnAtOnce = 128;

/** Fills an array with random bytes. */
export type RandomBytes = (bytes: Uint8Array) => void;

/**
 * Identifiers in the form of ULIDs: 48 bits of time and 80 random bits in Crockford's base 32, so that they sort by
 * creation and cannot be guessed.
 */
export function idSource(clock: Clock, fill: RandomBytes = (bytes) => randomFillSync(bytes)): IdSource {
  const bytes = (length: number): Uint8Array => {
    const filled = new Uint8Array(length);
    fill(filled);
    return filled;
  };
  let drawn: Uint8Array = new Uint8Array();
  let drawnAt = 0;
  let timed = { ms: Number.NaN, text: "" };
  return {
    bytes,
    id() {
      const ms = clock.now();
      if (ms !== timed.ms) timed = { ms, text: timeText(ms) };
      if (drawnAt === drawn.length) {
        drawn = bytes(identifiersDrawnAtOnce * randomDigits);
        drawnAt = 0;
      }
      let text = timed.text;
      for (const end = drawnAt + randomDigits; drawnAt < end; drawnAt += 1) {
        text += crockford.charAt((drawn[drawnAt] ?? 0) % 32);
      }
      return text;
    },
    integer(limit) {
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > 2 ** 48) {
        throw new RangeError("an integer is drawn from 1 to 2^48 possibilities");
      }
      const fair = 2 ** 48 - (2 ** 48 % limit);
      for (;;) {
        const drawn = bytes(6).reduce((sum, byte) => sum * 256 + byte, 0);
        if (drawn < fair) return drawn % limit;
      }
    },
  };
}

function timeText(ms: number): string {
  let text = "";
  for (let rest = ms, at = 0; at < timeDigits; at += 1, rest = Math.floor(rest / 32)) {
    text = crockford.charAt(rest % 32) + text;
  }
  return text;
}
