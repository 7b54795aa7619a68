import fc from "fast-check";

/**
 * Where all chance in the tests comes from. `npm test` draws the same every time, so it says the same of the same
 * code; `npm run soak` draws other numbers, and more of them. A test that fails says its seed:
 * `TEST_SEED=<seed> npm run unit -- <file>` tries that one again. (`test/unit/seed.test.ts` lets nothing else in here
 * draw by itself.)
 */
export const seed = Number(process.env["TEST_SEED"] ?? 1_011);

/** How many times as much random tests try as in `npm test`. */
const effort = Number(process.env["TEST_EFFORT"] ?? 1);

/** Whether this is a run that may take long. */
export const isSoak = effort > 1;

/** How often something random is tried, of which `npm test` tries so much. */
export function runs(count: number): number {
  return Math.ceil(count * effort);
}

fc.configureGlobal({ seed, numRuns: runs(100) });

/** Any character. The `binary` unit of fast-check means the same, and lists all 1.1 million of them at each use. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

export { fc };
