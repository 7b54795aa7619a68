import { describe, expect, test } from "vitest";
import { idSource, sealer, systemClock } from "../../runtime/operations/system/index.ts";
import { anyCharacter, fc } from "../seed.ts";

describe("identifiers", () => {
  test("have 26 digits of Crockford's alphabet and sort by creation", () => {
    let now = 1_700_000_000_000;
    const ids = idSource({ ...systemClock, now: () => now });
    const drawn = Array.from({ length: 50 }, () => {
      now += 1;
      return ids.id();
    });
    expect(drawn.every((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
    expect(drawn.toSorted()).toEqual(drawn);
  });

  test("integers stay below their limit, and those that would be unfair are drawn again", () => {
    // The first six bytes are beyond the fair ones.
    const drawn = [255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 12];
    const ids = idSource(systemClock, (bytes) => bytes.set(drawn));
    expect(ids.integer(10)).toBe(2);
    expect(() => ids.integer(0)).toThrow(RangeError);
  });
});

describe("sealing", () => {
  const key = new Uint8Array(32).fill(3);

  test("opens what it sealed, and seals the same text differently each time", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const sealed = sealer(key).seal(text);
        expect(sealer(key).open(sealed)).toBe(Buffer.from(text, "utf8").toString("utf8"));
        expect(sealer(key).seal(text)).not.toBe(sealed);
      }),
    );
  });

  test("takes no nonce twice", () => {
    const { seal } = sealer(key);
    const nonces = Array.from({ length: 300 }, () =>
      Buffer.from(seal("secret").split(".")[2] ?? "", "base64url").toString("hex", 0, 12),
    );
    expect(new Set(nonces).size).toBe(300);
  });

  test("refuses another key's text and a flipped bit", () => {
    const sealed = sealer(key).seal("secret");
    expect(() => sealer(new Uint8Array(32)).open(sealed)).toThrow("LEDGER_SEAL_KEY");
    const flipped = sealed.slice(0, -2) + (sealed.at(-2) === "A" ? "B" : "A") + sealed.slice(-1);
    expect(() => sealer(key).open(flipped)).toThrow();
    expect(() => sealer(key).open("plain")).toThrow("not a text that this service sealed");
  });
});
