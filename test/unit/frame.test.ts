import { expect, test } from "vitest";
import { inFrame } from "../../generator/protocols/json-rpc/cases/standard-cases.ts";
import {
  checkedFrame,
  type Frame,
  framed,
  isJsonRpcFrame,
  jsonRpcFrame,
} from "../../conformance/base/frame.ts";

const words: Frame = {
  id: "ref",
  method: "cmd",
  params: "args",
  result: "ok",
  error: "fail",
};

test("a message has the names of its frame, the version first, and no role that is undefined", () => {
  const carried = { method: "add", params: { a: 1 }, id: 7, result: undefined };
  expect(JSON.stringify(framed(words, carried))).toBe('{"cmd":"add","args":{"a":1},"ref":7}');
  expect(JSON.stringify(framed(jsonRpcFrame, carried))).toBe(
    '{"jsonrpc":"2.0","method":"add","params":{"a":1},"id":7}',
  );
});

test("only the frame of JSON-RPC 2.0 is taken for it", () => {
  expect(isJsonRpcFrame(structuredClone(jsonRpcFrame))).toBe(true);
  const { version: _version, ...unversioned } = jsonRpcFrame;
  expect(isJsonRpcFrame(unversioned)).toBe(false);
  expect(isJsonRpcFrame({ ...jsonRpcFrame, id: "ref" })).toBe(false);
});

test.each([
  ["an empty name", { ...words, id: "" }, 'frame.id is "": name a member of letters, digits'],
  ["a name that has to be escaped", { ...words, error: "a/b" }, 'frame.error is "a/b"'],
  ["a name that no member has", { ...words, params: "__proto__" }, 'frame.params is "__proto__"'],
  ["one name twice", { ...words, result: "args" }, 'frame.result and frame.params are both "args"'],
  [
    "the version under a name of another",
    { ...words, version: { member: "fail", value: "1" } },
    'frame.version and frame.error are both "fail"',
  ],
])("a frame with %s is refused", (_case, frame, message) => {
  expect(() => checkedFrame(frame)).toThrow(message);
});

test("a frame whose members differ is taken", () => {
  expect(checkedFrame(words)).toBe(words);
  expect(checkedFrame(jsonRpcFrame)).toBe(jsonRpcFrame);
});

test("a text of JSON-RPC 2.0 takes the names of a frame, also where they are those of other members", () => {
  const text = '[{"jsonrpc": "2.0", "method": 1, "params": 2,"id":3},{"jsonrpc":"2.0"}]';
  const crossed: Frame = { ...words, version: { member: "id", value: "1" }, id: "method", method: "params" };
  expect(inFrame({ frame: jsonRpcFrame }, text)).toBe(text);
  expect(inFrame({ frame: words }, text)).toBe('[{"cmd": 1, "args": 2,"ref":3},{}]');
  expect(inFrame({ frame: crossed }, text)).toBe(
    '[{"id": "1", "params": 1, "args": 2,"method":3},{"id":"1"}]',
  );
});
