import { describe, expect, test } from "vitest";
import { testService } from "../../runtime/testing.ts";
import { fc, runs } from "../seed.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith } from "./interface.ts";

const quiet = { onFailure() {} };

function service(limits = {}) {
  const trial = trialHandlers();
  return { ...trial, ...testService(interfaceWith(), trial.handlers, { ...quiet, limits }) };
}

interface Response {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: Readonly<Record<string, unknown>> };
}

const parsed = (text = "null"): Response => JSON.parse(text);

describe("ids", () => {
  test.for([
    "1",
    "0",
    "-1",
    "1.0",
    "1.5",
    "1e3",
    "1E+400",
    "-0.0",
    "12345678901234567890",
    '""',
    '"1"',
    '"\\u0041\\n\\/"',
    '"né 😀"',
    "null",
  ])("%s comes back as it was sent", async (id) => {
    const { send } = service();
    const sent = `{"jsonrpc":"2.0","method":"get_data","id": ${id} }`;
    expect(await send(sent)).toBe(`{"jsonrpc":"2.0","result":["hello",5],"id":${id}}`);
    expect(await send(`[ ${sent} ]`)).toBe(`[{"jsonrpc":"2.0","result":["hello",5],"id":${id}}]`);
  });

  test.for(["true", "false", "{}", "[]", "[1]"])("%s is no id", async (id) => {
    const { send, recorded } = service();
    const text = await send(`{"jsonrpc":"2.0","method":"get_data","id":${id}}`);
    expect(parsed(text)).toMatchObject({ id: null, error: { code: -32600, data: { reason: "invalid-id" } } });
    expect(recorded).toEqual([]);
  });

  test("the id of the call counts, wherever it stands and however its name is written", async () => {
    const { send } = service();
    const text = await send('{"params":{"id":"inner"},"\\u0069d":7,"method":"echo","jsonrpc":"2.0"}');
    expect(text).toBe('{"jsonrpc":"2.0","result":{"id":"inner"},"id":7}');
  });
});

describe("request objects", () => {
  test.for([
    ['{"foo":1}', null, "invalid-jsonrpc"],
    ['{"id":4,"method":"get_data"}', 4, "invalid-jsonrpc"],
    ['{"jsonrpc":"1.0","id":4,"method":"get_data"}', 4, "invalid-jsonrpc"],
    ['{"jsonrpc":2.0,"id":4,"method":"get_data"}', 4, "invalid-jsonrpc"],
    ['{"jsonrpc":"2.0","id":4}', 4, "invalid-method"],
    ['{"jsonrpc":"2.0","method":null}', null, "invalid-method"],
    ['{"jsonrpc":"2.0","id":"4","method":"get_data","params":null}', "4", "invalid-params"],
    ['{"jsonrpc":"2.0","method":"get_data","params":"bar"}', null, "invalid-params"],
    ['"text"', null, "not-an-object"],
    ["null", null, "not-an-object"],
    ["7", null, "not-an-object"],
  ] as const)("%s is an invalid request", async ([sent, id, reason]) => {
    const text = await service().send(sent);
    expect(parsed(text)).toMatchObject({ id, error: { code: -32600, data: { reason } } });
  });

  test("names of methods are compared as they are, those of Object.prototype too", async () => {
    const { send } = service();
    for (const name of ["toString", "constructor", "Get_data", " get_data", "rpc.discover", ""]) {
      const text = await send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: name }));
      expect(parsed(text).error?.code, name).toBe(-32601);
    }
  });
});

describe("params", () => {
  const result = async (method: string, params: unknown): Promise<unknown> => {
    const text = await service().send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const { error, result: found } = parsed(text);
    return error === undefined ? found : [error.code, error.data];
  };

  test.for([
    ["positional", ["a"], { first: "a" }],
    ["positional", ["a", null, null], { first: "a", second: null }],
    ["positional", ["a", 2, 3], { first: "a", second: 2, third: 3 }],
    ["positional", [null], { first: null }],
    ["positional", [], [-32602, { field: "/first", reason: "required" }]],
    ["positional", ["a", 2, 3, 4], [-32602, { position: 3, reason: "surplus-parameter" }]],
    ["positional", ["a", 2, "x"], [-32602, { field: "/third", reason: "type" }]],
    ["positional", { first: "a" }, [-32602, { reason: "by-position-only" }]],
    ["named", { first: "a" }, { first: "a" }],
    ["named", {}, {}],
    ["named", undefined, {}],
    ["named", [], {}],
    ["named", ["a"], [-32602, { reason: "by-name-only" }]],
    ["named", { first: "a", second: 1 }, [-32602, { name: "second", reason: "surplus-parameter" }]],
    [
      "named",
      { [`\u001b${"x".repeat(100_000)}`]: 1 },
      [-32602, { name: `\u001b${"x".repeat(126)}…`, reason: "surplus-parameter" }],
    ],
    ["subtract", { minuend: 1, subtrahend: "1" }, [-32602, { field: "/subtrahend", reason: "type" }]],
    ["echo", { any: 1, name: [] }, { any: 1, name: [] }],
  ] as const)("%s of %j", async ([method, params, expected]) => {
    expect(await result(method, params)).toEqual(expected);
  });
});

describe("notifications", () => {
  test("are never answered, whatever becomes of them", async () => {
    const { send, recorded } = service();
    for (const part of [
      '"method":"fail"',
      '"method":"foobaz"',
      '"method":"subtract","params":[1]',
      '"method":"create","params":["t"]',
    ])
      expect(await send(`{"jsonrpc":"2.0",${part}}`), part).toBeUndefined();
    expect(recorded.map(({ method }) => method)).toEqual(["fail"]);
  });

  test("a method for notifications alone is not carried out with an id", async () => {
    const { send, recorded } = service();
    const text = await send('{"jsonrpc":"2.0","method":"notify_hello","id":1}');
    expect(parsed(text)).toMatchObject({
      id: 1,
      error: { code: -32600, data: { reason: "notification-only" } },
    });
    expect(recorded).toEqual([]);
  });

  test("params are invalid requests, not notifications, where they are no object and no array", async () => {
    expect(parsed(await service().send('{"jsonrpc":"2.0","method":"update","params":1}')).error?.code).toBe(
      -32600,
    );
  });
});

describe("what is not taken as JSON", () => {
  const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const echo = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"echo","params":${params}}`;

  test.for([
    ["", "empty-message"],
    [" \n", "empty-message"],
    ["{", "syntax"],
    ["{}}", "trailing-bytes"],
    ["{'a':1}", "syntax"],
    ["[01]", "syntax"],
    ["[NaN]", "syntax"],
    ['["\u0001"]', "syntax"],
    ['["\\x"]', "syntax"],
    ["[1,]", "syntax"],
    ["\ufeff{}", "byte-order-mark"],
    [Buffer.from([0x22, 0xff, 0x22]), "encoding"],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "encoding"],
    [echo('{"a":"\\ud800"}'), "lone-surrogate"],
    [echo('{"a":"\\udc00\\ud800"}'), "lone-surrogate"],
    [echo('{"a":"\\udc00\\udc00"}'), "lone-surrogate"],
    [echo('{"a":1,"a":2}'), "duplicate-key"],
    [echo('{"a":1,"\\u0061":2}'), "duplicate-key"],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"echo"}', "duplicate-key"],
    [echo('{"__proto__":{"admin":true}}'), "forbidden-key"],
    [echo('{"a":{"\\u005f_proto__":1}}'), "forbidden-key"],
    [echo('{"a":1e400}'), "number-not-finite"],
    [echo(`{"a":${"9".repeat(400)}}`), "number-not-finite"],
    [echo('{"a":12345678901234567890}'), "number-inexact"],
    [echo('{"a":[-9007199254740993]}'), "number-inexact"],
    [echo(`{"a":${deep(70)}}`), "too-deep"],
    [deep(1_000_000).slice(0, 1_000_000), "too-deep"],
  ] as const)("%# is a parse error", async ([sent, reason]) => {
    const { send, recorded } = service();
    expect(parsed(await send(sent))).toMatchObject({ id: null, error: { code: -32700, data: { reason } } });
    expect(recorded).toEqual([]);
  });

  test.for([
    "9007199254740991",
    "-9007199254740991",
    "0",
    "9007199254740992",
    "9223372036854775808",
    "9223372036854776000",
    "12345678901234567890.5",
    "1.2345678901234567890",
    "123456789012345678e2",
    "1e300",
  ])("the number %s is taken", async (number) => {
    expect(parsed(await service().send(echo(`{"a":${number}}`))).result).toEqual({ a: Number(number) });
  });

  test("nothing of the caller's reaches a prototype", async () => {
    const { call } = service();
    expect(await call("echo", { constructor: { prototype: { polluted: 1 } } })).toEqual({
      constructor: { prototype: { polluted: 1 } },
    });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("a message above the limit is refused before it is looked at", async () => {
    const { send } = service({ messageBytes: 64 });
    expect(parsed(await send(`[${" ".repeat(63)}]`))).toMatchObject({
      id: null,
      error: { code: -32013, data: { reason: "message-too-large", bytesMax: 64 } },
    });
  });

  test("depth up to the limit is taken, and no deeper limit than 512", async () => {
    expect(parsed(await service({ depth: 5 }).send(echo(`{"a":${deep(3)}}`))).result).toEqual({ a: [[[]]] });
    expect(parsed(await service({ depth: 5 }).send(echo(`{"a":${deep(4)}}`))).error?.code).toBe(-32700);
    expect(() => service({ depth: 513 })).toThrow("limits.depth is 513: give at most 512");
  });
});

describe("batches", () => {
  test("answer each item under its own id, also where a key is written twice in one of them", async () => {
    const { send } = service();
    const get = (id: string) => `{"jsonrpc":"2.0","method":"get_data","id":${id}}`;
    const twice = '{"jsonrpc":"2.0","method":"echo","params":{"a":"],\\"","a":[2]},"id":"né"}';
    const twiceId = '{"jsonrpc":"2.0","method":"get_data","id":3,"id":4}';
    const answers: readonly Response[] = JSON.parse(
      (await send(`[${get("1")}, ${twice},${twiceId},${get('"b"')}]`)) ?? "",
    );
    const invalid = { code: -32600, data: { reason: "duplicate-key" } };
    expect(answers).toMatchObject([
      { id: 1, result: ["hello", 5] },
      { id: "né", error: invalid },
      { id: null, error: invalid },
      { id: "b", result: ["hello", 5] },
    ]);
    for (const broken of [`[${twice},{"a":01}]`, `[${twice}`, `[${twice}]]`, `[${twice},]`])
      expect(parsed(await send(broken))).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test("above the limit, or where there are none, are one invalid request", async () => {
    const { send } = service();
    const hundredThousand = `[${Array.from({ length: 100_000 }, () => "1").join(",")}]`;
    expect(parsed(await send(hundredThousand))).toMatchObject({
      id: null,
      error: { code: -32600, data: { reason: "batch-too-long", callsMax: 50 } },
    });
    const ones = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 1));
    expect(parsed(await send(ones(51))).error?.data).toMatchObject({ reason: "batch-too-long" });
    expect(JSON.parse((await send(ones(50))) ?? "")).toHaveLength(50);
    const single = testService(interfaceWith({ batch: false }), trialHandlers().handlers);
    expect(parsed(await single.send("[]")).error?.data).toEqual({ reason: "batch-not-supported" });
  });

  test("are carried out one after the other, and answered in order", async () => {
    const { send, recorded, waiting, release } = service();
    const item = (id: number, method: string): object => ({ jsonrpc: "2.0", id, method });
    const text = send(
      JSON.stringify([
        item(1, "wait"),
        item(2, "get_data"),
        { jsonrpc: "2.0", method: "update" },
        item(3, "wait"),
      ]),
    );
    await expect.poll(waiting).toBe(1);
    expect(recorded.map(({ method }) => method)).toEqual(["wait"]);
    release();
    await expect.poll(waiting).toBe(1);
    release();
    const ids: unknown = JSON.parse((await text) ?? "").map(({ id }: Response) => id);
    expect(ids).toEqual([1, 2, 3]);
  });
});

describe("any message", () => {
  const parameters = { numRuns: runs(300) };

  test("is taken exactly as JSON.parse takes it", async () => {
    const { send } = service();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ depthSize: "small" }), async (value) => {
        const sent = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "echo", params: { value } });
        fc.pre(!sent.includes('"__proto__":'));
        expect(parsed(await send(sent)).result).toEqual(JSON.parse(JSON.stringify({ value })));
      }),
      parameters,
    );
  });

  test("that is damaged is answered, and parsed only where JSON.parse parses it", async () => {
    const { send } = service();
    const whole = Buffer.from(
      '[{"jsonrpc":"2.0","id":"né\\u0041","method":"echo","params":{"a":[1.5e3,null,true]}}]',
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
        const sent = isCut ? whole.subarray(0, at) : Buffer.from(whole);
        if (!isCut) sent[at] = byte;
        const text = await send(Buffer.from(sent));
        // A single id that went missing makes a notification of the call.
        if (text === undefined) return;
        const answer: unknown = JSON.parse(text);
        const isParseError = !Array.isArray(answer) && parsed(text).error?.code === -32700;
        if (!isParseError) JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(sent));
      }),
      parameters,
    );
  });
});
