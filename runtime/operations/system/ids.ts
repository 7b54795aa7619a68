import { randomFillSync } from "node:crypto";
import type { Clock, IdSource } from "../../store/ports/index.ts";

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeDigits = 10;
const randomDigits = 16;
const integerBytes = 6;
/** Drawing many random bytes at once costs hardly more than drawing a few. */
const bytesDrawnAtOnce = 2048;

/** Fills an array with random bytes. */
export type RandomBytes = (bytes: Uint8Array) => void;

/**
 * Identifiers in the form of ULIDs: 48 bits of time and 80 random bits in Crockford's base 32. They sort by creation
 * and cannot be guessed.
 */
export function idSource(clock: Clock, fill: RandomBytes = (bytes) => randomFillSync(bytes)): IdSource {
  const bytes = (length: number): Uint8Array => {
    const filled = new Uint8Array(length);
    fill(filled);
    return filled;
  };
  let drawn: Uint8Array = new Uint8Array();
  let drawnAt = 0;
  /** Where as many drawn bytes begin that are unused. */
  const next = (length: number): number => {
    if (drawnAt + length > drawn.length) {
      drawn = bytes(bytesDrawnAtOnce);
      drawnAt = 0;
    }
    drawnAt += length;
    return drawnAt - length;
  };
  let timed = { ms: Number.NaN, text: "" };
  return {
    bytes,
    id() {
      const ms = clock.now();
      if (ms !== timed.ms) timed = { ms, text: timeText(ms) };
      let text = timed.text;
      const start = next(randomDigits);
      for (let at = start; at < start + randomDigits; at += 1)
        text += crockford.charAt((drawn[at] ?? 0) % 32);
      return text;
    },
    integer(limit) {
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > 2 ** 48) {
        throw new RangeError("an integer is drawn from 1 to 2^48 possibilities");
      }
      const fair = 2 ** 48 - (2 ** 48 % limit);
      for (;;) {
        const start = next(integerBytes);
        let value = 0;
        for (let at = start; at < start + integerBytes; at += 1) value = value * 256 + (drawn[at] ?? 0);
        if (value < fair) return value % limit;
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

/** Draws what is planned first, in its order, and then what another source draws. */
export interface PlannedIds extends IdSource {
  /** @throws Error where what was planned before was not drawn: what follows would have other identifiers than its own. */
  plan(next: { readonly ids?: readonly string[]; readonly integers?: readonly number[] }): void;
}

export function plannedIds(source: IdSource): PlannedIds {
  let ids: string[] = [];
  let integers: number[] = [];
  return {
    id: () => ids.shift() ?? source.id(),
    integer: (limit) => integers.shift() ?? source.integer(limit),
    bytes: (length) => source.bytes(length),
    plan(next) {
      if (ids.length + integers.length > 0) throw new Error(`nothing drew ${[...ids, ...integers].join()}`);
      ids = [...(next.ids ?? [])];
      integers = [...(next.integers ?? [])];
    },
  };
}
