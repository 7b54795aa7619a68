import { expect, test } from "vitest";
import { parseCredential } from "../../runtime/auth/signed-envelope/credential.ts";

const basic = (plain: string) => `Basic ${Buffer.from(plain).toString("base64")}`;

test.each([
  ["una:key", { userName: "una", apiKey: "key" }],
  ["una:key:with:colons", { userName: "una", apiKey: "key:with:colons" }],
  ["u:k", { userName: "u", apiKey: "k" }],
  [":key", undefined],
  ["una:", undefined],
  ["una", undefined],
])("a credential of %s is read as %o", (plain, read) => {
  expect(parseCredential(basic(plain))).toEqual(read);
});

test("a credential has at most 2048 characters", () => {
  const ofLength = (characters: number) =>
    basic(`una:${"k".repeat(((characters - "Basic ".length) / 4) * 3)}`.slice(0, -4));
  // Three bytes are four characters: a text of 2046 is the longest that fits, one of 2050 the shortest that does not.
  expect(ofLength(2046)).toHaveLength(2046);
  expect(parseCredential(ofLength(2046))?.userName).toBe("una");
  expect(ofLength(2050)).toHaveLength(2050);
  expect(parseCredential(ofLength(2050))).toBeUndefined();
});
