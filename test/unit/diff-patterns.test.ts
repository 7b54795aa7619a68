import { expect, test } from "vitest";
import { containment } from "../../generator/diff/compare/values/pattern-containment.ts";

test.for([
  ["^[0-9]{3}$", String.raw`^\d{3}$`, "same"],
  ["^(?:a|b)$", "^[ab]$", "same"],
  [String.raw`^[A-Z]\d+$`, String.raw`^[A-Z]\d{2}$`, "narrower"],
  [String.raw`^[A-Z]\d{2}$`, String.raw`^[A-Z]\d+$`, "wider"],
  ["^[a-z]{1,34}$", "^[a-z0-9]{2,40}$", "other"],
  ["^[a-c]$", "^[x-z]$", "other"],
  [String.raw`^.{1,9}$`, String.raw`^[^\n\r\u2028\u2029]{1,9}$`, "same"],
  [String.raw`^\u{1F600}$`, "^😀$", "same"],
  [String.raw`^(?=a)\w+$`, String.raw`^a\w*$`, "same"],
  [String.raw`^(?=.*\d)[a-z\d]{8,9}$`, String.raw`^[a-z\d]{8,9}$`, "wider"],
  [String.raw`^[a-z\d]+$`, String.raw`^(?=.*\d)(?=.*[a-z])[a-z\d]+$`, "narrower"],
  [String.raw`^(?!00)\d{2}$`, String.raw`^\d{2}$`, "wider"],
  [String.raw`^(?!0*$)\d{1,3}$`, String.raw`^0{0,2}[1-9]\d{0,2}$`, "wider"],
  [String.raw`^(?!0*$)\d+$`, String.raw`^0*[1-9]\d*$`, "same"],
  [String.raw`^a(?=b)\w+$`, String.raw`^ab\w*$`, "unknown"],
  [String.raw`^\w+(?<!_)$`, String.raw`^\w+$`, "unknown"],
  ["a", "^[^]*a[^]*$", "same"],
  ["^a", "^a$", "narrower"],
  [String.raw`^(a+)-\1$`, String.raw`^a+-a+$`, "unknown"],
  ["^a$|^b$", "^[ab]$", "same"],
  ["^a|b$", "^a[^]*b$", "narrower"],
  ["^(?:a{1,999}){1,999}$", "^(?:a{1,998}){1,999}$", "unknown"],
] as const)("%s became %s: %s", ([old, recent, expected]) => {
  expect(containment({ pattern: old }, { pattern: recent })).toBe(expected);
});

test.for([
  [{ lengthMax: 10 }, { pattern: "^[^]{0,10}$" }, "same"],
  // A point takes no end of a line.
  [{ lengthMax: 10 }, { pattern: "^.{0,10}$" }, "narrower"],
  [{ lengthMax: 10 }, { pattern: "^[^]{0,12}$" }, "wider"],
  [{ pattern: "^[A-Z]+$", lengthMin: 2, lengthMax: 4 }, { pattern: "^[A-Z]{2,4}$" }, "same"],
  [{ pattern: "^[A-Z]{2}$", lengthMax: 10 }, { pattern: "^[A-Z]{2}$" }, "same"],
  [{ pattern: "^😀*$", lengthMax: 2 }, { pattern: "^😀{0,2}$" }, "same"],
  [{ lengthMax: 20_000 }, { pattern: "^[^]{0,20000}$" }, "unknown"],
] as const)("%j became %j: %s", ([old, recent, expected]) => {
  expect(containment(old, recent)).toBe(expected);
});
