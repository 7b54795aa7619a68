import { hash } from "node:crypto";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Values drawn from a seed and texts: equal inputs give equal values. */
export interface Drawn {
  /** A UUID of version 8 (RFC 9562), whose bits are the application's own. */
  readonly uuid: string;
  /** A text like another: each digit and each letter by one of its kind. */
  like(text: string): string;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** From 0 up to, and without, `count`. */
  below(count: number): number;
}

export function drawn(seed: number, ...texts: readonly string[]): Drawn {
  const hex = hash("sha256", JSON.stringify([seed, ...texts]), "hex");
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return {
    uuid: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    random: randomNumbers(Number.parseInt(hex.slice(52, 60), 16)),
    like: (text) => {
      const random = randomNumbers(Number.parseInt(hex.slice(44, 52), 16));
      const from = (alphabet: string): string => alphabet[Math.floor(random() * alphabet.length)] ?? "";
      return text
        .replaceAll(/[0-9]/g, () => from("0123456789"))
        .replaceAll(/[A-Z]/g, () => from("ABCDEFGHJKMNPQRSTVWXYZ"))
        .replaceAll(/[a-z]/g, () => from("abcdefghjkmnpqrstvwxyz"));
    },
    below: (count) => Number.parseInt(hex.slice(32, 44), 16) % count,
  };
}
