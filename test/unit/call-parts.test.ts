import { describe, expect, test } from "vitest";
import { noAnswer, outcomeOf, requestText } from "../../tools/call/exchange.ts";
import { versionAdvice } from "../../generator/diff/report/reported-diff.ts";
import { closest } from "../../conformance/base/closest.ts";

describe("what an answer to a call says", () => {
  test.each([
    ['{"result":null}', false, { kind: "result", text: "null" }],
    ['{"result":1,"error":null}', false, { kind: "result", text: "1" }],
    ['{"result":12345678901234567890.10}', false, { kind: "result", text: "12345678901234567890.10" }],
    ['{"result":{"a":1}}', false, { kind: "result", text: '{\n  "a": 1\n}' }],
    ['{"result":1,"error":{"code":1,"message":"no"}}', false, undefined],
    ['{"ID":"1"}', false, undefined],
    ['{"ID":"1"}', true, { kind: "result", text: '{\n  "ID": "1"\n}' }],
    ['{"result":1,"error":"no"}', true, { kind: "result", text: '{\n  "result": 1,\n  "error": "no"\n}' }],
    ["null", false, undefined],
    ["<html>", false, undefined],
    [
      '{"error":{"code":"BAD","message":"no","data":{"a":1}}}',
      false,
      { kind: "error", code: "BAD", message: "no", data: '{\n  "a": 1\n}' },
    ],
    [
      '{"error":{"code":-32601,"message":"no","data":null},"result":null}',
      false,
      { kind: "error", code: "-32601", message: "no", data: "null" },
    ],
    [
      '{"error":{"code":1,"message":"no"}}',
      false,
      { kind: "error", code: "1", message: "no", data: undefined },
    ],
  ])("%s, flat %s", (text, isFlat, outcome) => {
    expect(outcomeOf(text, isFlat)).toEqual(outcome);
  });

  test.each([
    ["", "u gave no response of JSON-RPC, but HTTP 502"],
    [" \n", "u gave no response of JSON-RPC, but HTTP 502"],
    [` ${"x".repeat(201)}`, `u gave no response of JSON-RPC, but HTTP 502: ${"x".repeat(200)}`],
  ])("another answer is shown, at most 200 characters", (text, words) => {
    expect(noAnswer("HTTP 502", "u", text)).toBe(words);
  });
});

test.each([
  ["[1.0]", 0, '{"jsonrpc":"2.0","id":0,"method":"a\\"b","params":[1.0]}'],
  [undefined, 2, '{"jsonrpc":"2.0","id":2,"method":"a\\"b"}'],
  ["{}", undefined, '{"jsonrpc":"2.0","method":"a\\"b","params":{}}'],
])("a request with params %s and the id %s", (params, id, text) => {
  expect(requestText('a"b', params, id)).toBe(text);
});

test("a dialect of JSON-RPC has its own members", () => {
  const frame = { id: "ref", method: "cmd", params: "args", result: "ok", error: "fail" };
  expect(requestText("add", "[1.0]", 1, frame)).toBe('{"ref":1,"cmd":"add","args":[1.0]}');
  expect(requestText("add", undefined, undefined, frame)).toBe('{"cmd":"add"}');
  expect(outcomeOf('{"ref":1,"ok":2}', false, frame)).toEqual({ kind: "result", text: "2" });
  const failed = { kind: "error", code: "4", message: "no", data: undefined };
  expect(outcomeOf('{"ref":1,"fail":{"code":4,"message":"no"}}', false, frame)).toEqual(failed);
  expect(outcomeOf('{"id":1,"result":2}', false, frame)).toBeUndefined();
});

test("no change of an interface needs no new version", () => {
  expect(versionAdvice([], "1.2.3")).toEqual({ from: "1.2.3", to: "1.2.3" });
});

test.each([
  [["major", "minor"], "1.2.3", "2.0.0"],
  [["patch", "minor"], "1.2.3", "1.3.0"],
  [["patch"], "1.2.3", "1.2.4"],
  [["minor", "major"], "0.4.2", "0.5.0"],
  [["minor"], "0.4.2", "0.4.3"],
  [["patch"], "0.4.2", "0.4.3"],
] as const)("changes that are %j take %s to %s", (bumps, from, to) => {
  expect(
    versionAdvice(
      bumps.map((bump) => ({ bump })),
      from,
    ).to,
  ).toBe(to);
});

test.each([
  ["ab", ["ac"], "ac"],
  ["abcdef", ["abcdxy"], "abcdxy"],
  ["abcdef", ["abcxyz"], undefined],
  ["abcdefghijkl", ["abcdefghixyz"], "abcdefghixyz"],
  ["abcdefghijkl", ["abcdefghwxyz"], undefined],
  ["abc", ["abz", "abd"], "abd"],
  ["getaccount", ["GetAccount"], "GetAccount"],
])("for %s of %j is meant %s", (name, candidates, meant) => {
  expect(closest(name, candidates)).toBe(meant);
});
