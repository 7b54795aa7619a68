import { expect, test } from "vitest";
import { testService } from "../../runtime/testing.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith } from "./interface.ts";

/** Every exchange of section 7 of the JSON-RPC 2.0 specification. An absent answer is an empty text. */
const exchanges: readonly (readonly [name: string, sent: string, answered: string])[] = [
  [
    "positional parameters",
    '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
    '{"jsonrpc": "2.0", "result": 19, "id": 1}',
  ],
  [
    "positional parameters, other order",
    '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
    '{"jsonrpc": "2.0", "result": -19, "id": 2}',
  ],
  [
    "named parameters",
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
    '{"jsonrpc": "2.0", "result": 19, "id": 3}',
  ],
  [
    "named parameters, other order",
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
    '{"jsonrpc": "2.0", "result": 19, "id": 4}',
  ],
  ["a notification", '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', ""],
  ["a notification without parameters", '{"jsonrpc": "2.0", "method": "foobar"}', ""],
  [
    "a method that does not exist",
    '{"jsonrpc": "2.0", "method": "foobaz", "id": "1"}',
    '{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}',
  ],
  [
    "invalid JSON",
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    '{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}',
  ],
  [
    "an invalid request object",
    '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
    '{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}',
  ],
  [
    "a batch of invalid JSON",
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
    '{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}',
  ],
  [
    "an empty array",
    "[]",
    '{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}',
  ],
  [
    "an invalid batch that is not empty",
    "[1]",
    '[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]',
  ],
  [
    "an invalid batch",
    "[1,2,3]",
    `[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]`,
  ],
  [
    "a batch",
    `[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]`,
    `[{"jsonrpc": "2.0", "result": 7, "id": "1"},
      {"jsonrpc": "2.0", "result": 19, "id": "2"},
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
      {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"},
      {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}]`,
  ],
  [
    "a batch of notifications",
    `[{"jsonrpc": "2.0", "method": "notify_hello", "params": [1]},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]`,
    "",
  ],
];

test.for(exchanges)("section 7: %s", async ([_name, sent, answered]) => {
  const { handlers } = trialHandlers();
  const text = await testService(interfaceWith(), handlers).send(sent);
  const withoutData = text?.replaceAll(/,"data":\{[^}]*\}/g, "");
  expect(withoutData === undefined ? "" : JSON.parse(withoutData)).toEqual(
    answered === "" ? "" : JSON.parse(answered),
  );
});
