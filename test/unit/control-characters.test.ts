import { describe, expect, test } from "vitest";
import { controlFault, scanBody } from "../../runtime/protocol/signed-envelope/decode.ts";

/** The last and the first code of each range: C0, DEL and C1 are control characters (D-47). */
const codes = [
  [0x00, true],
  [0x1f, true],
  [0x20, false],
  [0x7e, false],
  [0x7f, true],
  [0x80, true],
  [0x9f, true],
  [0xa0, false],
] as const;
const escaped = (code: number) => `\\u${code.toString(16).padStart(4, "0")}`;

describe("a control character", () => {
  test.each(codes)("%i, by its escape: %s", (code, isControl) => {
    const scanned = scanBody(Buffer.from(`{"name":"a${escaped(code)}"}`));
    expect(scanned).toMatchObject({ ok: true });
    expect("controlAt" in scanned ? scanned.controlAt : undefined).toBe(isControl ? 10 : undefined);
  });

  test.each(codes.filter(([code]) => code >= 0x20))("%i, as itself: %s", (code, isControl) => {
    const scanned = scanBody(Buffer.from(`{"name":"a${String.fromCharCode(code)}"}`));
    expect("controlAt" in scanned ? scanned.controlAt : undefined).toBe(isControl ? 10 : undefined);
  });

  test.each(codes)("%i is found in its field: %s", (code, isControl) => {
    const payload = { list: [{ "a/b": "good" }, { "a/b": `x${String.fromCharCode(code)}` }] };
    expect(controlFault(payload, 9)).toEqual({
      reason: "control-character",
      data: { atByte: 9 },
      ...(isControl ? { fieldName: "a/b", field: "/list/1/a~1b" } : { fieldName: "request" }),
    });
  });
});
