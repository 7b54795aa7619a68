import { EventEmitter, once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import {
  createService,
  rpcHandler,
  type AnyHandler,
  type CallReport,
  type Failure,
  type Repetition,
  type ServiceOptions,
  type Store,
} from "../../runtime/index.ts";
import type { ServedInterface } from "../../runtime/service/index.ts";
import { violationOf } from "../../runtime/protocol/json-rpc/protocol.ts";
import { rpcStdio } from "../../runtime/transport/stdio/index.ts";
import { testPeer, testService } from "../../runtime/testing.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import {
  RpcError,
  type ConvertedMethod,
  type JsonRpcInterfaceDescriptor,
} from "../../runtime/contract/index.ts";
import { jsonRpc } from "../../runtime/protocol/json-rpc/index.ts";
import { serveRevisions } from "../../runtime/service/service.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { until } from "../until.ts";
import { trialHandlers } from "./handlers.ts";
import { faults, interfaceWith, method, methods } from "./interface.ts";

function service(options: ServiceOptions = {}, changes: Partial<JsonRpcInterfaceDescriptor> = {}) {
  const trial = trialHandlers();
  const failures: Failure[] = [];
  const reports: CallReport[] = [];
  const own = createService(interfaceWith(changes), trial.handlers, {
    onFailure: (failure) => failures.push(failure),
    onCall: (report) => reports.push(report),
    ...options,
  });
  return { ...trial, failures, reports, peer: testPeer(own), own };
}

/** A connection that stays open. */
function open(own: ServedInterface) {
  const evidence = { body: Buffer.alloc(0), header: () => [], httpMethod: "GET", target: "/rpc" };
  const session = own.open({ transport: "websocket", evidence });
  return async (name: string): Promise<unknown> => {
    const { text = "null" } = await session.answer(
      Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: name, method: name })),
    );
    return JSON.parse(text);
  };
}

describe("errors", () => {
  test("a declared one is sent as the spec words it, its cause reported", async () => {
    const { peer, failures } = service();
    await expect(peer.call("fail", ["declared"])).rejects.toMatchObject({
      code: -32010,
      message: "Gone",
      data: { task: "t1" },
    });
    expect(failures).toMatchObject([{ interfaceName: "trial", method: "fail", error: { code: "GONE" } }]);
  });

  test.for(["undeclared", "wrong data", "circle", "by accident"])(
    "%s: an internal error without details, the rest reported",
    async (how) => {
      const { peer, failures } = service();
      await expect(peer.call("fail", [how])).rejects.toMatchObject({
        code: -32603,
        message: "Internal error",
        data: undefined,
      });
      expect(failures).toHaveLength(1);
    },
  );

  test("a hook that throws changes no answer", async () => {
    const broken = (): never => {
      throw new Error("the hook is broken");
    };
    const { peer } = service({ onCall: broken });
    expect(await peer.call("get_data")).toEqual(["hello", 5]);
  });

  test("every call is reported once, by the name of what it came to", async () => {
    const { peer, reports } = service();
    await peer.call("get_data");
    await peer.notify("update");
    await expect(peer.call("foobaz")).rejects.toThrow("Method not found");
    await expect(peer.call("subtract", [])).rejects.toThrow("Invalid params");
    expect(
      reports.map(({ method: name, outcome, isNotification }) => [name, outcome, isNotification]),
    ).toEqual([
      ["get_data", "ok", false],
      ["update", "ok", true],
      [undefined, "METHOD_NOT_FOUND", false],
      ["subtract", "INVALID_PARAMS", false],
    ]);
  });
});

describe("results", () => {
  const wrong = { subtract: async () => "19" };
  const descriptor = interfaceWith({ methods: { subtract: methods["subtract"] ?? method("subtract") } });

  test("one that does not fit the spec is an internal error, unless nobody wants to know", async () => {
    const failures: Failure[] = [];
    const onFailure = (failure: Failure): number => failures.push(failure);
    const checked = testService(descriptor, wrong, { onFailure });
    await expect(checked.call("subtract", [1, 1])).rejects.toMatchObject({ code: -32603 });
    expect(String(failures[0]?.error)).toContain(
      "the result of subtract does not fit the spec at its root (type)",
    );
    const unchecked = testService(descriptor, wrong, { checkResults: false });
    expect(await unchecked.call("subtract", [1, 1])).toBe("19");
  });

  test.each([
    ["/a", "required", { missingProperty: "b/c~" }, "/a/b~1c~0"],
    ["", "additionalProperties", { additionalProperty: "x" }, "/x"],
    ["/a/0", "type", { type: "string" }, "/a/0"],
  ])("where a value at %s fails by %s is said: %j", (instancePath, keyword, params, field) => {
    const errors = [{ instancePath, keyword, params }];
    const validate = Object.assign(() => false, { errors });
    expect(violationOf(validate)).toEqual({ field, reason: keyword });
    expect(violationOf(() => false)).toEqual({ reason: "invalid" });
  });

  test("a bigint keeps its digits, and nothing is null", async () => {
    const { peer } = service();
    expect(await peer.send('{"jsonrpc":"2.0","id":1,"method":"fail","params":["bigint"]}')).toBe(
      '{"jsonrpc":"2.0","result":{"exact":12345678901234567890},"id":1}',
    );
    expect(await peer.call("update")).toBeNull();
  });

  test("a fraction where an integer would be a bigint stays a number", async () => {
    const echo = method("echo", { open: true, plans: { params: { items: () => ({ number: "bigint" }) } } });
    const peer = testService(interfaceWith({ methods: { echo } }), {
      echo: async (payload: object) => Object.values(payload).map((value) => typeof value),
    });
    expect(await peer.call("echo", { a: 0.5, b: 2 })).toEqual(["number", "bigint"]);
  });

  test("defaults of the spec are filled in before the handler", async () => {
    const filled = method("echo", { open: true, fillDefaults: (params) => ({ size: 10, ...params }) });
    const peer = testService(interfaceWith({ methods: { echo: filled } }), {
      echo: async (payload: object) => payload,
    });
    expect(await peer.call("echo", { size: 5 })).toEqual({ size: 5 });
    expect(await peer.call("echo")).toEqual({ size: 10 });
  });
});

describe("limits", () => {
  test("a handler that never ends is given up, and does not hold up others", async () => {
    const { pass } = timersByHand();
    const { peer, failures, waiting } = service({ limits: { timeoutMs: 1000, callsAtOnce: 1 } });
    const call = peer.call("wait");
    const givenUp = expect(call).rejects.toMatchObject({ code: -32050, data: { reason: "timeout" } });
    await until(() => waiting() === 1);
    pass(999);
    await nextTurn();
    expect(failures).toEqual([]);
    pass(1);
    await givenUp;
    expect(await peer.call("get_data")).toEqual(["hello", 5]);
    expect(failures).toMatchObject([{ method: "wait", error: { name: "OutOfTime" } }]);
  });

  test("a caller who leaves ends calls that change nothing, and no others", async () => {
    const begun: string[] = [];
    const failures: unknown[] = [];
    const reports: CallReport[] = [];
    const change = Promise.withResolvers<void>();
    const stores = { created: 0 };
    const own = createService(
      interfaceWith({
        methods: {
          look: method("look"),
          heedless: method("heedless"),
          create: method("create", { effect: "create" }),
        },
      }),
      {
        look: async (_payload: object, { signal }: { readonly signal: AbortSignal }) => {
          begun.push("look");
          await once(new EventEmitter(), "never", { signal });
        },
        heedless: async () => {
          begun.push("heedless");
          await change.promise;
        },
        create: async (_payload: object, { signal }: { readonly signal: AbortSignal }) => {
          begun.push("create");
          await change.promise;
          signal.throwIfAborted();
          stores.created += 1;
        },
      },
      { onCall: (report) => reports.push(report), onFailure: ({ error }) => failures.push(error) },
    );
    const evidence = { body: Buffer.alloc(0), header: () => [], httpMethod: "POST", target: "/rpc" };
    const session = own.open({ transport: "websocket", evidence });
    const ask = (name: string) => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: name }));
    const answers = ["look", "heedless", "create"].map((name) => session.answer(ask(name)));
    answers.push(session.answer(Buffer.from(`[${String(ask("create"))},${String(ask("look"))}]`)));
    await expect.poll(() => begun.length).toBe(4);
    session.leave();
    change.resolve();
    await Promise.all(answers);
    expect(reports.map(({ method: name, outcome }) => `${name} ${outcome}`).toSorted()).toEqual([
      "create ok",
      "create ok",
      "heedless abandoned",
      "look abandoned",
      "look abandoned",
    ]);
    expect(begun.filter((name) => name === "look")).toHaveLength(1);
    expect([stores.created, failures]).toEqual([2, []]);
  });

  test("a batch gives way to the rest of the process", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const busy = async (): Promise<void> => void vi.advanceTimersByTime(2);
    const peer = testPeer(createService(interfaceWith({ methods: { busy: method("busy") } }), { busy }));
    const batch = JSON.stringify(Array.from({ length: 30 }, () => ({ jsonrpc: "2.0", method: "busy" })));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await peer.send(batch);
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  test("a batch has no more of its calls carried out where the answers of batches have no room", async () => {
    const { peer, recorded, release, waiting, reports } = service({ limits: { batchAnswersBytes: 1000 } });
    const text = "x".repeat(600);
    const batch = (...names: readonly string[]): string =>
      JSON.stringify(
        names.map((name, id) => ({
          jsonrpc: "2.0",
          id,
          method: name,
          params: name === "echo" ? { text } : {},
        })),
      );
    const held = peer.send(batch("echo", "wait"));
    await expect.poll(waiting).toBe(1);
    const refused = { error: { code: -32050, data: { reason: "overloaded", retryAfter: 1 } } };
    expect(JSON.parse((await peer.send(batch("echo", "echo"))) ?? "")).toMatchObject([
      { result: { text } },
      refused,
    ]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "UNAVAILABLE"]);
    expect(recorded.map(({ method: name }) => name)).toEqual(["echo", "wait", "echo"]);
    release();
    expect(JSON.parse((await held) ?? "")).toMatchObject([{ result: { text } }, { result: "done" }]);
    expect(JSON.parse((await peer.send(batch("echo", "echo", "echo"))) ?? "")).toMatchObject([
      { result: { text } },
      { result: { text } },
      refused,
    ]);
  });

  test("a batch has the time of one message: calls after the end of it are not carried out", async () => {
    const { pass } = timersByHand();
    const { peer, recorded, waiting } = service({ limits: { timeoutMs: 1000 } });
    const call = (name: string): object => ({ jsonrpc: "2.0", id: name, method: name });
    const text = peer.send(JSON.stringify([call("wait"), call("get_data")]));
    await until(() => waiting() === 1);
    pass(1000);
    expect(JSON.parse((await text) ?? "")).toMatchObject([
      { id: "wait", error: { data: { reason: "timeout" } } },
      { id: "get_data", error: { data: { reason: "timeout" } } },
    ]);
    expect(recorded.map(({ method: name }) => name)).toEqual(["wait"]);
  });

  test("calls wait for a place, and are refused where the queue is full", async () => {
    const { peer, waiting, release, recorded } = service({ limits: { callsAtOnce: 2, callsQueued: 1 } });
    const calls = [peer.call("wait"), peer.call("wait"), peer.call("get_data")];
    await expect(peer.call("get_data")).rejects.toMatchObject({
      code: -32050,
      data: { reason: "overloaded" },
    });
    expect([waiting(), recorded.length]).toEqual([2, 2]);
    release();
    expect(await Promise.all(calls)).toEqual(["done", "done", ["hello", 5]]);
  });

  test("where the queue is full, the peer that has most loses its last call", async () => {
    const { own, waiting, release, recorded } = service({ limits: { callsAtOnce: 2, callsQueued: 2 } });
    const [greedy, one, another, late] = [open(own), open(own), open(own), open(own)];
    const hanging = ["wait", "wait", "wait", "wait"].map(greedy);
    const calls = [one("get_data"), another("get_data")];
    const overloaded = { error: { data: { reason: "overloaded" } } };
    expect(await Promise.all(hanging.slice(2))).toMatchObject([overloaded, overloaded]);
    // Each of those that wait has but this one.
    expect(await late("get_data")).toMatchObject(overloaded);
    expect(await greedy("get_data")).toMatchObject(overloaded);
    await expect.poll(waiting).toBe(2);
    release();
    expect(await Promise.all(calls)).toMatchObject([{ result: ["hello", 5] }, { result: ["hello", 5] }]);
    expect(recorded.map(({ method: name }) => name)).toEqual(["wait", "wait", "get_data", "get_data"]);
  });

  test("a place that comes free goes to the peer that has fewest calls at work", async () => {
    const { own, waiting, release, recorded } = service({ limits: { callsAtOnce: 2 } });
    const [greedy, other] = [open(own), open(own)];
    const calls = [greedy("wait"), greedy("wait"), greedy("named"), other("get_data")];
    await expect.poll(waiting).toBe(2);
    release();
    await Promise.all(calls);
    expect(recorded.map(({ method: name }) => name)).toEqual(["wait", "wait", "get_data", "named"]);
  });

  test("rates count calls, those of a batch one by one, and refused ones too", async () => {
    let nowMs = 0;
    const { own } = service({ rate: { callsPerMinute: 60, burst: 3 }, clock: { now: () => nowMs } });
    const one = testPeer(own, { peerAddress: "10.0.0.1" });
    const call = { jsonrpc: "2.0", id: 1, method: "subtract", params: [1] };
    const codes = async (count: number): Promise<readonly number[]> => {
      const text = await one.send(JSON.stringify(Array.from({ length: count }, () => call)));
      const answers: readonly { readonly error: { readonly code: number } }[] = JSON.parse(text ?? "[]");
      return answers.map(({ error }) => error.code);
    };
    expect(await codes(5)).toEqual([-32602, -32602, -32602, -32029, -32029]);
    expect(await testPeer(own, { peerAddress: "10.0.0.2" }).call("get_data")).toEqual(["hello", 5]);
    await expect(one.call("get_data")).rejects.toMatchObject({ data: { retryAfter: 1 } });
    nowMs = 1000;
    expect(await one.call("get_data")).toEqual(["hello", 5]);
  });
});

describe("authentication", () => {
  const key: SchemeVerifier = {
    kind: "api-key",
    bind: () => ({
      verifies: "request",
      verify: (evidence) => {
        const [name] = evidence.header("x-key");
        if (name === "broken") throw new Error("the keys cannot be reached");
        if (name === undefined) return { kind: "missing" };
        if (name === "hasty") return { kind: "exhausted", retryAfterMs: 1_500 };
        return name === "ann"
          ? { kind: "identity", identity: { caller: { name }, scopes: ["read"] } }
          : { kind: "expired" };
      },
    }),
  };
  const secured = {
    read: method("read", { security: [{ key: ["read"] }] }),
    write: method("write", { security: [{ key: ["write"] }], schema: { required: ["never"] } }),
  };
  const seen: object[] = [];
  const own = createService(
    interfaceWith({ schemes: { key: { kind: "api-key" } }, methods: secured }),
    {
      read: async (_payload: object, context: object) => {
        seen.push(Reflect.get(context, "auth"), Reflect.get(context, "db"));
        return "read";
      },
      write: async () => "written",
    },
    { auth: { key }, context: ({ auth }) => ({ db: { owner: auth["key"]?.caller } }), onFailure() {} },
  );
  const as = (name: string) => testPeer(own, { headers: { "X-Key": name } });

  test("is judged before params, and tells the handler who calls", async () => {
    await expect(testPeer(own).call("write")).rejects.toMatchObject({ code: -32001, data: undefined });
    await expect(as("bob").call("write")).rejects.toMatchObject({ code: -32001, data: undefined });
    await expect(as("ann").call("write")).rejects.toMatchObject({ code: -32003, data: undefined });
    await expect(as("broken").call("read")).rejects.toMatchObject({ code: -32050 });
    await expect(as("hasty").call("read")).rejects.toMatchObject({ code: -32029, data: { retryAfter: 2 } });
    expect(await as("ann").call("read")).toBe("read");
    expect(seen).toEqual([
      { key: { caller: { name: "ann" }, scopes: ["read"] } },
      { owner: { name: "ann" } },
    ]);
  });
});

describe("a store", () => {
  /** Keeps values in a Map; a transaction that rejects leaves nothing behind. */
  function mapStore() {
    const kept = { titles: [] as string[], repetitions: new Map<string, Repetition>() };
    const log: string[] = [];
    const store: Store<object, { titles: string[]; repetitions: Map<string, Repetition> }> = {
      async read(run) {
        log.push("read");
        return run({});
      },
      async write(run) {
        const own = { titles: [...kept.titles], repetitions: new Map(kept.repetitions) };
        const result = await run(own);
        log.push("commit");
        Object.assign(kept, own);
        return result;
      },
      repetitions: {
        ownerOf: () => "ann",
        find: async ({ repetitions }, { key }) => repetitions.get(key),
        async keep({ repetitions }, { key }, repetition) {
          // Another process has kept it since this transaction began.
          if (kept.repetitions.has(key)) return false;
          repetitions.set(key, repetition);
          return true;
        },
      },
    };
    return { store, kept, log };
  }

  function creating(options: ServiceOptions = {}) {
    const { store, kept, log } = mapStore();
    const pending: (() => void)[] = [];
    const own = createService(
      interfaceWith({
        methods: {
          create: method("create", { effect: "create", open: true, errors: methods["create"]?.errors ?? {} }),
          get_data: method("get_data"),
        },
      }),
      {
        create: async (payload: object, context: { titles: string[] }) => {
          const title = String(Reflect.get(payload, "title"));
          context.titles.push(title);
          if (title === "slow") await new Promise<void>((resolve) => pending.push(resolve));
          if (title === "bad") throw new RpcError("GONE", { data: { task: "x" } });
          return { title, number: context.titles.length };
        },
        get_data: async () => 1,
      },
      { store, onFailure() {}, ...options },
    );
    const withKey = (key: string) => testPeer(own, { headers: { "Idempotency-Key": key } });
    return { own, kept, log, withKey, pending };
  }

  test("reads in a view, writes in a transaction that a failure rolls back", async () => {
    const { own, kept, log } = creating();
    const peer = testPeer(own);
    await peer.call("get_data");
    expect(await peer.call("create", { title: "one" })).toEqual({ title: "one", number: 1 });
    await expect(peer.call("create", { title: "bad" })).rejects.toMatchObject({ code: -32010 });
    expect([kept.titles, log]).toEqual([["one"], ["read", "commit"]]);
  });

  test("a call that ran out of time is rolled back when it ends after all", async () => {
    const { pass } = timersByHand();
    const { own, kept, log, pending } = creating({ limits: { timeoutMs: 1000 } });
    const call = testPeer(own).call("create", { title: "slow" });
    const givenUp = expect(call).rejects.toMatchObject({ code: -32050 });
    await until(() => pending.length === 1);
    pass(1000);
    await givenUp;
    for (const end of pending) end();
    await testPeer(own).call("create", { title: "next" });
    expect([kept.titles, log]).toEqual([["next"], ["commit"]]);
  });

  test("a call with the same Idempotency-Key is answered from memory, another with that key refused", async () => {
    const { withKey, kept } = creating();
    expect(await withKey("k1").call("create", { title: "one" })).toEqual({ title: "one", number: 1 });
    expect(await withKey("k1").call("create", { title: "one" })).toEqual({ title: "one", number: 1 });
    await expect(withKey("k1").call("create", { title: "two" })).rejects.toMatchObject({
      code: -32600,
      data: { reason: "idempotency-key-reused" },
    });
    await expect(withKey("k2").call("create", { title: "bad" })).rejects.toMatchObject({ code: -32010 });
    expect(await withKey("k2").call("create", { title: "good" })).toEqual({ title: "good", number: 2 });
    expect(kept.titles).toEqual(["one", "good"]);
  });

  test("a key that is empty or too long is refused", async () => {
    const { withKey, kept } = creating();
    for (const key of ["", "k".repeat(256)])
      await expect(withKey(key).call("create", { title: "one" })).rejects.toMatchObject({
        code: -32600,
        data: { reason: "idempotency-key-invalid" },
      });
    expect(kept.titles).toEqual([]);
    await withKey("k".repeat(255)).call("create", { title: "one" });
    expect(kept.titles).toEqual(["one"]);
  });

  test("the key of a handshake is none of its calls", async () => {
    const { own, kept } = creating();
    const header = (name: string): readonly string[] => (name === "idempotency-key" ? ["k"] : []);
    const evidence = { body: Buffer.alloc(0), header, httpMethod: "GET", target: "/rpc" };
    const session = own.open({ transport: "websocket", evidence });
    for (const title of ["one", "two"])
      await session.answer(
        Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "create", params: { title } })),
      );
    expect(kept.titles).toEqual(["one", "two"]);
  });

  test("each call of a batch has a key of its own", async () => {
    const { withKey, kept } = creating();
    const batch = JSON.stringify(
      [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "create", params: { title: "same" } })),
    );
    const first = await withKey("k").send(batch);
    expect(await withKey("k").send(batch)).toBe(first);
    expect(kept.titles).toEqual(["same", "same"]);
  });

  test("of two at once with the same key one is carried out", async () => {
    const { withKey, kept, pending } = creating();
    const both = [
      withKey("k").call("create", { title: "slow" }),
      withKey("k").call("create", { title: "slow" }),
    ];
    await expect.poll(() => pending.length).toBe(2);
    const one = { title: "slow", number: 1 };
    pending.shift()?.();
    expect(await both[0]).toEqual(one);
    pending.shift()?.();
    expect(await both[1]).toEqual(one);
    expect(kept.titles).toEqual(["slow"]);
  });
});

describe("the start", () => {
  const { handlers } = trialHandlers();

  test.for([
    [{ timeoutMs: Infinity }, "limits.timeoutMs is Infinity: give at most 2147483647"],
    [{ timeoutMs: 0 }, "limits.timeoutMs is 0: give at least 1"],
    [{ callsAtOnce: 0 }, "limits.callsAtOnce is 0: give at least 1"],
    [{ callsQueued: NaN }, "limits.callsQueued is NaN: give at least 0"],
    [{ messageBytes: 0.5 }, "limits.messageBytes is 0.5: give a positive integer"],
  ] as const)("fails for the limits %j", ([limits, message]) => {
    expect(() => createService(interfaceWith(), handlers, { limits })).toThrow(message);
  });

  test("fails where handlers are missing or have no method", () => {
    const { subtract: _left, ...rest } = handlers;
    expect(() => createService(interfaceWith(), rest)).toThrow(
      "no handler for subtract: add it to the handlers",
    );
    expect(() => createService(interfaceWith(), { ...handlers, foo: async () => 1 })).toThrow(
      "a handler for foo",
    );
  });

  test.for([
    [
      2,
      "was generated for version 2 of the contract, this runtime has version 1: install the runtime package",
    ],
    [-1, "generate it again"],
  ] as const)("fails for version %i of the contract", ([contract, message]) => {
    const generated = JSON.parse(JSON.stringify({ ...interfaceWith(), methods: {}, contract }));
    expect(() => createService(generated, {})).toThrow(message);
  });

  test("fails for a transport that the spec does not declare", () => {
    const none = createService(interfaceWith({ transports: [] }), handlers);
    expect(() => rpcHandler(none)).toThrow(
      "the trial interface is not declared for http: add it to `wire.transports`",
    );
    expect(() => rpcWebSocket(none)).toThrow("is not declared for websocket");
    expect(() => rpcStdio(none)).toThrow("is not declared for stdio");
  });

  test("takes the version before its own", () => {
    const generated = JSON.parse(JSON.stringify({ ...interfaceWith(), methods: {}, contract: 0 }));
    expect(() => createService(generated, {})).not.toThrow();
  });
});

describe("an earlier revision of a standard interface", () => {
  const taken: unknown[] = [];
  /** `find` took `key` and gave `old` where its next revision takes `id`, and gives `found`. */
  function served(store: Store) {
    const find = method("find", {
      effect: "create",
      open: true,
      schema: { required: ["id"], properties: { id: { type: "string", minLength: 2 } } },
      errors: { GONE: faults.forbidden },
    });
    const former = method("find", { effect: "create", open: true, errors: { LOST: faults.forbidden } });
    const adapter: ConvertedMethod = {
      method: "find",
      up: (payload) => ({ id: String(Reflect.get(payload, "key")) }),
      down: (result) => ({ old: Reflect.get(result, "found") }),
      checked: true,
      renamed: { "/id": "key" },
      errors: { GONE: "LOST" },
    };
    const current = jsonRpc(interfaceWith({ revision: "2.0.0", methods: { find } }));
    const earlier = jsonRpc(interfaceWith({ methods: { find: former } }));
    const handler: AnyHandler = async (payload) => {
      taken.push(payload);
      if (Reflect.get(payload, "id") === "none") throw new RpcError("GONE");
      return { found: taken.length };
    };
    const services = serveRevisions(
      current,
      [{ protocol: earlier, methods: { find: adapter } }],
      { find: handler },
      () => ({ store }),
    );
    return async (revision: number, params: object): Promise<unknown> => {
      const header = (name: string) => (name === "idempotency-key" ? ["k"] : []);
      const evidence = { body: Buffer.alloc(0), header, httpMethod: "POST", target: "/rpc" };
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "find", params }));
      const answer = await services[revision]?.open({ transport: "http", evidence }).answer(body);
      return JSON.parse(answer?.text ?? "null");
    };
  }

  test("takes its own words, and answers in them: payloads, results, errors, faults", async () => {
    const call = served({ read: (run) => run({}), write: (run) => run({}) });
    expect(await call(0, { key: "ab" })).toMatchObject({ result: { old: 1 } });
    expect(taken).toEqual([{ id: "ab" }]);
    expect(await call(1, { id: "cd" })).toMatchObject({ result: { found: 2 } });
    expect(await call(0, { key: "none" })).toMatchObject({ error: { code: -32003 } });
    expect(await call(0, { key: "x" })).toMatchObject({
      error: { code: -32602, data: { field: "/key", reason: "minLength" } },
    });
  });

  test("repeats in its words what was kept in those of the present one", async () => {
    const kept = new Map<string, Repetition>();
    const call = served({
      read: (run) => run({}),
      write: (run) => run({}),
      repetitions: {
        ownerOf: () => "",
        find: async (_transaction, { key }) => kept.get(key),
        keep: async (_transaction, { key }, repetition) => kept.set(key, repetition).size > 0,
      },
    });
    const first = await call(0, { key: "ef" });
    expect(await call(0, { key: "ef" })).toEqual(first);
    expect([...kept.values()]).toMatchObject([{ resultText: '{"found":4}', revision: "2.0.0" }]);
  });
});
