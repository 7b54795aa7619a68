import { expect, test } from "vitest";
import { containment } from "../../generator/diff/compare/pattern-containment.ts";

test.for([
  ["^[0-9]{3}$", String.raw`^\d{3}$`, "same"],
  ["^(?:a|b)$", "^[ab]$", "same"],
  [String.raw`^[A-Z]\d+$`, String.raw`^[A-Z]\d{2}$`, "narrower"],
  [String.raw`^[A-Z]\d{2}$`, String.raw`^[A-Z]\d+$`, "wider"],
  ["^[a-z]{1,34}$", "^[a-z0-9]{2,40}$", "other"],
  ["^[a-c]$", "^[x-z]$", "other"],
  [String.raw`^.{1,9}$`, String.raw`^[^\n\r\u2028\u2029]{1,9}$`, "same"],
  [String.raw`^\u{1F600}$`, "^😀$", "same"],
  [String.raw`^(?=a)\w+$`, String.raw`^a\w*$`, "unknown"],
  [String.raw`^(a+)-\1$`, String.raw`^a+-a+$`, "unknown"],
  ["^a$|^b$", "^[ab]$", "unknown"],
  ["^(?:a{1,999}){1,999}$", "^(?:a{1,998}){1,999}$", "unknown"],
] as const)("%s became %s: %s", ([old, recent, expected]) => {
  expect(containment(old, recent)).toBe(expected);
});
