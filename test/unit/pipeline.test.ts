import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import {
  omitUndefined,
  RpcError,
  unimplemented,
  type ErrorDescriptor,
  type SignedInterfaceDescriptor,
  type JsonObject,
  type MethodDescriptor,
  type PayloadValidator,
} from "../../runtime/contract/index.ts";
import {
  createCallers,
  createPipeline,
  createVerifier,
  type AnyHandler,
  type PipelineRules,
  type RawRequest,
  type RawResponse,
} from "../../runtime/pipeline/index.ts";
import { signedEnvelope, type SchemeVerifier } from "../../runtime/auth/index.ts";
import { DuplicateRecordError, type Clock, type Store } from "../../runtime/store/ports/index.ts";
import { type WriteContext } from "../../runtime/pipeline/handler-context.ts";
import type { Caller } from "../../runtime/auth/auth-services.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { idSource, sealer } from "../../runtime/operations/system/index.ts";
import {
  institutions,
  users,
  apiKeys,
  deviceKeys,
  oldestEvents,
  dueMails,
  apiKeyById,
  deviceKeyById,
  userByName,
  answers as answersTable,
  answersBefore,
} from "../../runtime/store/tables/index.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { categories, categoryByName } from "../../ledger/tables/index.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const apiKey = "0123456789abcdef";
const credential = `Basic ${Buffer.from(`una:${apiKey}`).toString("base64")}`;
const day = 24 * 60 * 60 * 1000;

let nowMs = 0;
let elapsedMs = 0;
const clock: Clock = { now: () => nowMs, elapsedMs: () => elapsedMs, schedule: () => () => {} };
let store: Store;
let callers: ReturnType<typeof createCallers>;
let logged: string[];

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  logged = [];
  store = createMemoryStore();
  callers = createCallers({ store, clock });
  await store.write(async (tx) => {
    await tx.insert(institutions, { id: "bank", name: "Bank" });
    await tx.insert(users, {
      userName: "una",
      institutionId: "bank",
      realm: "ledger",
      email: "una@example.com",
      scopes: ["*"],
      otpFailures: 0,
      createdAt: nowMs,
    });
    const hash = createHash("sha256").update(apiKey).digest("hex");
    await tx.insert(apiKeys, { id: "a1", userName: "una", hash, createdAt: nowMs });
    const publicKeyPem = key.publicKey.export({ type: "spki", format: "pem" }).toString();
    await tx.insert(deviceKeys, {
      keyId: "k1",
      userName: "una",
      status: "ACTIVE",
      publicKeyPem,
      createdAt: nowMs,
    });
  });
});

const errors: Record<string, ErrorDescriptor> = Object.fromEntries(
  ["BAD", "DENIED", "CONFLICT", "INTERNAL", "TAKEN"].map((code) => [
    code,
    { code, message: `${code} {field}`, httpStatus: code === "INTERNAL" ? 500 : 400, rpcCode: -1 },
  ]),
);

function methodOf(
  effect: MethodDescriptor["effect"],
  more: Partial<MethodDescriptor> = {},
): MethodDescriptor {
  return {
    name: "Do",
    section: "1",
    effect,
    transport: { kind: "enveloped", auth: ["credential", "keyId", "signature"], jsonrpc: true },
    payload: {
      fields: [
        { name: "Amount", exact: true },
        { name: "List", shape: () => ({ fields: [{ name: "Sum", exact: true }] }) },
        { name: "Word" },
      ],
    },
    result: {
      fields: [
        { name: "Value" },
        { name: "Paid", exact: true },
        { name: "Rows", alsoSentAs: "rows", shape: () => ({ fields: [{ name: "Id" }] }) },
      ],
    },
    validate: () => true,
    errors,
    ...more,
  };
}

function interfaceOf(method: MethodDescriptor): SignedInterfaceDescriptor {
  return {
    protocol: "signed-envelope",
    name: "test",
    revision: "1.0.0",
    path: "/rpc",
    methods: { Do: method },
    errors,
    faults: {
      badInput: "BAD",
      unauthorized: "DENIED",
      badCredential: "DENIED",
      unknownKey: "DENIED",
      invalidSignature: "DENIED",
      conflict: "CONFLICT",
      rateLimited: "DENIED",
      unavailable: "DENIED",
      internal: "INTERNAL",
    },
    authScheme: "signedEnvelope",
    missingAuth: { credential: "DENIED", keyId: "DENIED", signature: "DENIED", apiKey: "DENIED" },
  };
}

interface Composition extends Pick<RawRequest, "admit" | "whenLeft"> {
  readonly auth?: SchemeVerifier<string, Caller>;
}

function compose(
  method: MethodDescriptor,
  handler: AnyHandler,
  rules: PipelineRules = {},
  { auth = signedEnvelope(), ...hooks }: Composition = {},
) {
  const pipeline = createPipeline({
    interfaceDescriptor: interfaceOf(method),
    handlers: { Do: handler },
    realm: "ledger",
    auth,
    ports: {
      store,
      clock,
      ids: idSource(clock),
      sealer: sealer(Buffer.alloc(32, 1)),
      policy: {
        interfaces: ["ledger"],
        subscriptionsPerUserMax: 1_000,
        httpCallbacks: false,
      },
    },
    callers,
    verifier: createVerifier(),
    log: { error: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`) },
    eventSource: "test",
    rules,
  });
  return (payloadText = "{}", id = "1"): Promise<RawResponse> => {
    const signature = sign("sha256", Buffer.from(payloadText), key.privateKey).toString("base64");
    const api = JSON.stringify({ credential, keyId: "k1", signature });
    const body = `{"method":"Do","id":"${id}","params":{"api":${api},"payload":${payloadText}}}`;
    return pipeline.answer({
      body: Buffer.from(body),
      requestId: "r1",
      httpMethod: "POST",
      target: "/rpc",
      header: () => [],
      ...hooks,
    });
  };
}

/** A handler of a writing method. */
function writing(handle: (context: WriteContext, payload: JsonObject) => Promise<object>): AnyHandler {
  return (payload: JsonObject, context: WriteContext) => handle(context, payload);
}

describe("a user with too many calls at once", () => {
  const hasty: SchemeVerifier<"signedEnvelope", Caller> = {
    kind: "signedEnvelope",
    bind: () => ({
      verifies: "call",
      async verify(_evidence, observer) {
        void observer?.identified("una");
        const caller = { userName: "una", institutionId: "bank" };
        return { kind: "identity", identity: { caller, scopes: ["*"] } };
      },
    }),
  };
  const silent: SchemeVerifier<"signedEnvelope", Caller> = {
    kind: "signedEnvelope",
    bind: (declared, binding) => {
      const { verify, ...bound } = hasty.bind(declared, binding);
      return { ...bound, verify: (evidence) => verify(evidence) };
    },
  };

  test.each([
    ["before its signature is looked at", signedEnvelope()],
    ["by whatever scheme", hasty],
    ["by a scheme that names no user", silent],
  ])("waits for its turn %s", async (_name, auth) => {
    const turn = Promise.withResolvers<boolean>();
    const order: string[] = [];
    const admit = (userName: string): Promise<boolean> => {
      order.push(userName);
      return turn.promise;
    };
    const handler = async (): Promise<object> => {
      order.push("handled");
      return {};
    };
    const answer = compose(methodOf("read"), handler, {}, { auth, admit })();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(["una"]);
    turn.resolve(true);
    expect((await answer).status).toBe(200);
    expect(order).toEqual(["una", "handled"]);
  });

  test.each([
    ["at once", signedEnvelope(), false],
    ["after a while", signedEnvelope(), Promise.resolve(false)],
    ["by whatever scheme", hasty, Promise.resolve(false)],
    ["by a scheme that names no user", silent, Promise.resolve(false)],
  ])("is refused %s, and told when to try again", async (_name, auth, admitted) => {
    const handler = (): never => {
      throw new Error("it was handled");
    };
    const answer = await compose(methodOf("read"), handler, {}, { auth, admit: () => admitted })();
    expect(answer).toMatchObject({
      headers: { "Retry-After": "1" },
      trace: { reason: "too-many-calls", userName: "una" },
    });
    expect(answer.trace.keyId).toBeUndefined();
    expect(logged).toEqual([]);
  });
});

describe("what a handler throws", () => {
  test("a code its method declares is answered with the method's text", async () => {
    const answer = await compose(methodOf("read"), async () => {
      throw new RpcError("TAKEN", { field: "/List/0/Sum", reason: "spent" });
    })();
    expect(answer.body).toBe(
      '{"id":"1","error":{"code":"TAKEN","message":"TAKEN Sum","data":{"field":"/List/0/Sum","reason":"spent","rpcCode":-1}},"jsonrpc":"2.0"}',
    );
    expect(answer.trace).toEqual({
      method: "Do",
      code: "TAKEN",
      reason: "spent",
      userName: "una",
      keyId: "k1",
    });
  });

  const internal =
    '{"id":"1","error":{"code":"INTERNAL","message":"INTERNAL payload","data":{"requestId":"r1","rpcCode":-1}},"jsonrpc":"2.0"}';
  test.each<[string, unknown]>([
    ["a code its method does not declare", new RpcError("UNHEARD_OF")],
    ["a method without a body", unimplemented("Do")],
    ["anything else", new Error("disk full")],
    ["no error at all", "just a text"],
  ])("%s is INTERNAL, its cause only in the log", async (_name, thrown) => {
    const answer = await compose(methodOf("read"), async () => {
      throw thrown;
    })();
    expect(answer.body).toBe(internal);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(thrown instanceof Error ? thrown.message : "just a text");
    expect(logged[0]).toContain('"requestId":"r1"');
  });

  test("no value of the request reaches the log, even if an error's text holds it", async () => {
    const cause = new Error(`inner ${apiKey} 123456`);
    await compose(methodOf("read"), async () => {
      throw new Error('cannot store {"Word":"swordfish","Amount":123456.78}', { cause });
    })('{"Word":"swordfish","List":[{"Sum":123456}],"Amount":123456.78}');
    expect(logged[0]).toContain("cannot store");
    expect(logged[0]).not.toMatch(/swordfish|123456/);
  });

  test("a record that was taken meanwhile is the conflict fault", async () => {
    const answer = await compose(methodOf("set"), async () => {
      throw new DuplicateRecordError("taken");
    })();
    expect(answer.body).toContain('"code":"CONFLICT"');
    expect(logged).toEqual([]);
  });

  test("a status of its own under errors.httpStatus: mapped", async () => {
    const failing: AnyHandler = async () => {
      throw new Error("x");
    };
    expect((await compose(methodOf("read"), failing, { httpStatus: "mapped" })()).status).toBe(500);
    expect((await compose(methodOf("read"), failing)()).status).toBe(200);
  });
});

describe("what a handler writes", () => {
  const addCategory = (tx: WriteContext, name: string) =>
    tx.store.insert(categories, { id: name, institutionId: "bank", name, createdAt: nowMs });
  const hasCategory = (name: string) =>
    store.read(async (view) => (await view.one(categoryByName, "bank", name)) !== undefined);

  test("is undone when it fails", async () => {
    await compose(
      methodOf("set"),
      writing(async (context) => {
        await addCategory(context, "c");
        throw new RpcError("TAKEN");
      }),
    )();
    expect(await hasCategory("c")).toBe(false);
  });

  test("stays when it asked so before it failed, and the failure is answered", async () => {
    const answer = await compose(
      methodOf("set"),
      writing(async (context) => {
        await addCategory(context, "c");
        context.commitOnFailure();
        throw new RpcError("TAKEN");
      }),
    )();
    expect(answer.body).toContain('"code":"TAKEN"');
    expect(await hasCategory("c")).toBe(true);
  });

  test("is undone after a bug, whatever it asked", async () => {
    await compose(
      methodOf("set"),
      writing(async (context) => {
        context.commitOnFailure();
        await addCategory(context, "c");
        throw new TypeError("bug");
      }),
    )();
    expect(await hasCategory("c")).toBe(false);
  });

  test("is undone when its result cannot be printed", async () => {
    const answer = await compose(
      methodOf("set"),
      writing(async (context) => {
        await addCategory(context, "c");
        return { Value: 1n };
      }),
    )();
    expect(answer.body).toContain('"code":"INTERNAL"');
    expect(await hasCategory("c")).toBe(false);
  });

  test("is undone when its time is over, and the caller is not kept waiting", async () => {
    const { pass } = timersByHand();
    const begun = Promise.withResolvers<AbortSignal>();
    const goOn = Promise.withResolvers<void>();
    const rolledBack = Promise.withResolvers<unknown>();
    const { write } = store;
    store.write = async (work, options) => {
      const written = write(work, options);
      written.catch(rolledBack.resolve);
      return written;
    };
    const answer = compose(
      methodOf("create"),
      writing(async (context) => {
        await addCategory(context, "c");
        begun.resolve(context.signal);
        await goOn.promise;
        return {};
      }),
      { callTimeMs: 1000 },
    )();
    const signal = await begun.promise;
    pass(999);
    expect(signal.aborted).toBe(false);
    pass(1);
    const { body, trace } = await answer;
    expect([trace.reason, signal.aborted]).toEqual(["timeout", true]);
    expect(body).toContain('"reason":"timeout"');
    expect(logged.join()).toContain("a call ran out of time");
    goOn.resolve();
    expect(await rolledBack.promise).toMatchObject({ name: "OutOfTime" });
    expect(await hasCategory("c")).toBe(false);
  });

  test("events and mails are written with it, mails sealed", async () => {
    await compose(
      methodOf("set"),
      writing(async (context) => {
        await context.events.record({
          name: "Done",
          topics: ["7"],
          group: "c1",
          payload: { a: 1 },
        });
        await context.mail.queue(
          { kind: "one-time-password", to: "x@example.com", otp: "424242", validMinutes: 5 },
          { institutionId: "bank", userName: "x", expiresAt: nowMs + 300_000 },
        );
        return {};
      }),
    )();
    const [events, mails] = await store.read(async (view) => [
      await view.many(oldestEvents, 9),
      await view.many(dueMails, nowMs, 9),
    ]);
    expect(events).toMatchObject([
      { name: "Done", institutionId: "bank", source: "test", payloadJson: '{"a":1}' },
    ]);
    const [mail] = mails;
    expect(mail).toMatchObject({ kind: "one-time-password", institutionId: "bank", userName: "x" });
    expect(mail?.messageSealed).not.toContain("example.com");
    expect(JSON.parse(sealer(Buffer.alloc(32, 1)).open(mail?.messageSealed ?? ""))).toEqual({
      kind: "one-time-password",
      to: "x@example.com",
      otp: "424242",
      validMinutes: 5,
    });
  });
});

test("however many calls of a caller arrive at once, the store is asked once for each thing, also after a failure", async () => {
  let [reads, isAway] = [0, true];
  const counting: Store = {
    ...store,
    read: (work) => {
      reads += 1;
      return isAway ? Promise.reject(new Error("away")) : store.read(work);
    },
  };
  const directory = createCallers({ store: counting, clock });
  const ask = () =>
    Promise.allSettled(
      Array.from({ length: 20 }, () => [
        directory.principal("una"),
        directory.principal("nobody"),
        directory.activeKey("k1", { institutionId: "bank" }),
      ]).flat(),
    );
  expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(reads).toBe(3);
  isAway = false;
  expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
  expect(reads).toBe(6);
});

describe("a revocation", () => {
  const revoke = writing(async (context) => {
    const record = await context.store.one(apiKeyById, "a1");
    if (record === undefined) throw new Error("no key");
    await context.store.replace(apiKeys, { ...record, revokedAt: nowMs });
    context.invalidateCaller("una");
    return {};
  });

  test("counts from the next call on", async () => {
    const call = compose(methodOf("set"), revoke);
    expect((await call()).body).toContain('"result"');
    expect((await call()).body).toContain('"code":"DENIED"');
  });

  test("is not undone by a lookup that was under way", async () => {
    const paused = Promise.withResolvers<void>();
    const slow: Store = {
      ...store,
      read: async (work) => {
        const found = await store.read(work);
        await paused.promise;
        return found;
      },
    };
    const directory = createCallers({ store: slow, clock });
    const before = directory.principal("una");
    await store.write(async (tx) => {
      const record = await tx.one(apiKeyById, "a1");
      if (record !== undefined) await tx.replace(apiKeys, { ...record, revokedAt: nowMs });
    });
    directory.invalidate("una");
    const after = directory.principal("una");
    paused.resolve();
    expect((await before)?.apiKeys[0]?.revokedAt).toBeUndefined();
    for (const found of [await after, await directory.principal("una")])
      expect(found?.apiKeys.filter(({ revokedAt }) => revokedAt === undefined)).toEqual([]);
  });

  test("empties what was remembered of a user's keys, and of names that did not exist", async () => {
    expect(await callers.activeKey("k1", { institutionId: "bank" })).toBeDefined();
    expect(await callers.principal("new")).toBeUndefined();
    await store.write(async (tx) => {
      const record = await tx.one(deviceKeyById, "k1");
      if (record !== undefined)
        await tx.replace(deviceKeys, { ...record, status: "REVOKED", revokedAt: nowMs });
    });
    expect(await callers.activeKey("k1", { institutionId: "bank" })).toBeDefined();
    await store.write(async (tx) => {
      const una = await tx.one(userByName, "una");
      if (una !== undefined) await tx.insert(users, { ...una, userName: "new" });
    });
    callers.invalidate("una");
    expect(await callers.activeKey("k1", { institutionId: "bank" })).toBeUndefined();
    expect(await callers.principal("new")).toBeDefined();
  });
});

describe("a repeated create (D-24)", () => {
  function counting() {
    let made = 0;
    return compose(
      methodOf("create"),
      writing(async () => ({ Value: (made += 1) })),
    );
  }
  const hour = day / 24;
  const pass = (ms: number): void => {
    nowMs += ms;
    elapsedMs += ms;
  };
  const valueOf = ({ body }: RawResponse) => /"Value":(\d+)/.exec(body)?.[1];

  test("is recognised for 24 hours", async () => {
    const call = counting();
    expect(valueOf(await call())).toBe("1");
    pass(day - 1);
    expect(valueOf(await call())).toBe("1");
    pass(1);
    expect(valueOf(await call())).toBe("2");
    pass(day - 1);
    expect(valueOf(await call())).toBe("2");
  });

  test.each([
    ["ahead", 25],
    ["back", -25],
  ])(
    "is recognised where the clock is set %s and right again meanwhile, also after days",
    async (_where, hours) => {
      const call = counting();
      for (const id of ["first", "days later"]) {
        const right = await call(undefined, id);
        nowMs += hours * hour;
        expect(valueOf(await call(undefined, id))).toBe(valueOf(right));
        const wrong = await call(undefined, `${id}, while it is wrong`);
        nowMs -= hours * hour;
        expect(valueOf(await call(undefined, id))).toBe(valueOf(right));
        expect(valueOf(await call(undefined, `${id}, while it is wrong`))).toBe(valueOf(wrong));
        pass(3 * day);
        await call(undefined, `${id}, then three days`);
      }
    },
  );

  test("is recognised where the clock is wrong at any hour of two days", async () => {
    for (const at of [1, 2, 22, 23, 24, 25, 26, 47, 48]) {
      const call = counting();
      for (let passed = 1; passed <= at; passed += 1) {
        await call(undefined, `${at}, hour ${passed}`);
        pass(hour);
      }
      const right = await call(undefined, `${at}`);
      pass(1);
      nowMs += 25 * hour;
      expect(valueOf(await call(undefined, `${at}`))).toBe(valueOf(right));
      nowMs -= 25 * hour;
      expect(valueOf(await call(undefined, `${at}`))).toBe(valueOf(right));
    }
  });

  test("is forgotten by a clock that was set right for good, two days later at the latest", async () => {
    const call = counting();
    await call(undefined, "while it is behind");
    nowMs += 25 * hour;
    expect(valueOf(await call())).toBe("2");
    pass(day + 1);
    expect(valueOf(await call())).toBe("2");
    pass(day + 1);
    expect(valueOf(await call())).toBe("3");
  });

  test("is forgotten after that, also by a new process: each call removes some of what is too old", async () => {
    async function kept(): Promise<number> {
      let count = 0;
      const counting = store.write(async (tx) => {
        count = await (await tx.take(answersBefore, nowMs + 400 * day, 1_000)).length;
        throw new Error("undone");
      });
      await expect(counting).rejects.toThrow("undone");
      return count;
    }
    const call = counting();
    for (let id = 0; id < 250; id += 1) await call(undefined, `old ${id}`);
    pass(day);
    const later = counting();
    await later(undefined, "new 1");
    expect(await kept()).toBe(201);
    for (let id = 2; id <= 6; id += 1) await later(undefined, `new ${id}`);
    expect(await kept()).toBe(6);
    // Also after the clock was ahead.
    nowMs += 365 * day;
    await later(undefined, "ahead");
    nowMs -= 365 * day;
    await later(undefined, "right");
    pass(day);
    await later(undefined, "a day later");
    expect(await kept()).toBe(3);
    pass(3 * day);
    await later(undefined, "days later");
    expect(await kept()).toBe(2);
  });

  test("with another payload or id is another", async () => {
    const call = counting();
    expect(valueOf(await call('{"Word":"a"}'))).toBe("1");
    expect(valueOf(await call('{ "Word": "a" }'))).toBe("1");
    expect(valueOf(await call('{"Word":"b"}'))).toBe("2");
    expect(valueOf(await call('{"Word":"a"}', "2"))).toBe("3");
  });

  test("runs again if it failed, and side by side runs once", async () => {
    let runs = 0;
    const call = compose(
      methodOf("create"),
      writing(async () => {
        runs += 1;
        if (runs === 1) throw new RpcError("TAKEN");
        return { Value: runs };
      }),
    );
    expect((await call()).body).toContain("TAKEN");
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers.map(valueOf)).toEqual(["2", "2", "2"]);
    expect(runs).toBe(2);
  });

  test("its first answer is kept sealed", async () => {
    const inserted: string[] = [];
    const unwatched = store;
    store = {
      ...unwatched,
      write: (work) =>
        unwatched.write((tx) =>
          work({
            ...tx,
            insert: async (table, ...records) => {
              if (table !== Object(answersTable)) return tx.insert(table, ...records);
              for (const record of records) inserted.push(JSON.stringify(record));
            },
          }),
        ),
    };
    await compose(
      methodOf("create"),
      writing(async () => ({ Value: "the secret" })),
    )();
    expect(inserted).toHaveLength(1);
    expect(inserted[0]).not.toContain("secret");
  });
});

describe("amounts (D-37)", () => {
  const echo = compose;
  test.each(["0.1", "12.50", "1e2", "123456789012345", "-0.000000000000001", "100000000000000000"])(
    "%s keeps its digits on the way in and out",
    async (lexeme) => {
      const answer = await echo(methodOf("read"), async (payload) => ({
        Paid: Reflect.get(payload, "Amount"),
      }))(`{"amount":${lexeme}}`);
      expect(answer.body).toBe(`{"id":"1","result":{"Paid":${lexeme}},"jsonrpc":"2.0"}`);
    },
  );

  test.each([
    ["Amount", '{"Amount":1234567890.123456}', "/Amount"],
    ["an item's", '{"List":[{"Sum":1},{"sum":9007199254740993}]}', "/List/1/Sum"],
  ])("%s more than 15 significant digits", async (_name, payload, pointer) => {
    const answer = await echo(methodOf("read"), async () => ({}))(payload);
    expect(answer.body).toContain(`"field":"${pointer}","reason":"digits"`);
  });
});

test("of many wrong fields the first is named and twenty more are listed", async () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, n])));
  const answer = await compose(methodOf("read"), async () => ({}), { unknownFields: "reject" })(many);
  const { error } = JSON.parse(answer.body);
  expect(error.data.field).toBe("/x0");
  expect(error.data.errors).toHaveLength(20);
});

test.each([
  ["read", true],
  ["set", false],
] as const)("a caller who leaves ends a call that only reads: %s", async (effect, ends) => {
  const begun = Promise.withResolvers<AbortSignal>();
  const goOn = Promise.withResolvers<void>();
  let leave: (() => void) | undefined;
  const answer = compose(
    methodOf(effect),
    async (_payload: object, { signal }: { readonly signal: AbortSignal }) => {
      begun.resolve(signal);
      await goOn.promise;
      signal.throwIfAborted();
      return {};
    },
    {},
    { whenLeft: (given) => (leave = given) },
  )();
  const signal = await begun.promise;
  leave?.();
  goOn.resolve();
  const { reason } = (await answer).trace;
  expect([signal.aborted, reason, logged]).toEqual([ends, ends ? "abandoned" : undefined, []]);
});

describe("results", () => {
  test("hold the documented fields in document order, and nothing else", async () => {
    const answer = await compose(methodOf("read"), async () => ({
      Rows: [{ Id: "1", passwordHash: "x" }],
      internal: "x",
      Value: 'a\u2028"é',
      Paid: undefined,
    }))();
    expect(answer.body).toBe(
      '{"id":"1","result":{"Value":"a\u2028\\"é","Rows":[{"Id":"1"}],"rows":[{"Id":"1"}]},"jsonrpc":"2.0"}',
    );
  });

  const validateResult: PayloadValidator = (sent) => {
    const fits = typeof Object(sent).Value === "string";
    if (!fits) validateResult.errors = [{ instancePath: "/Value", keyword: "type", params: {} }];
    return fits;
  };

  test.each(["read", "set", "create"] as const)(
    "one of a %s that does not fit the spec is an internal error with its place, unless nobody wants to know",
    async (effect) => {
      const wrong = (checkResults?: boolean) =>
        compose(
          methodOf(effect, { validateResult }),
          async () => ({ Value: 7 }),
          omitUndefined({ checkResults }),
        )();
      expect((await wrong()).body).toContain('"code":"INTERNAL"');
      expect(logged.join()).toContain("the result of Do does not fit the spec at /Value (type)");
      expect((await wrong(false)).body).toContain('"Value":7');
    },
  );

  test("what is checked is what is sent: without members that are undefined, and without those of no spec", async () => {
    const seen: unknown[] = [];
    const watching = (sent: unknown): boolean => seen.push(sent) > 0;
    await compose(methodOf("read", { validateResult: watching }), async () => ({
      Value: "a",
      Paid: undefined,
      Rows: [undefined, { Id: "1", passwordHash: "x" }],
    }))();
    expect(seen).toEqual([{ Value: "a", Rows: [null, { Id: "1" }], rows: [null, { Id: "1" }] }]);
  });
});

test("a method without a handler fails at composition", () => {
  const handlers: Record<string, AnyHandler> = {};
  expect(() =>
    createPipeline({
      interfaceDescriptor: interfaceOf(methodOf("read")),
      handlers,
      realm: "ledger",
      auth: signedEnvelope(),
      ports: {
        store,
        clock,
        ids: idSource(clock),
        sealer: sealer(Buffer.alloc(32)),
        policy: {
          interfaces: ["ledger"],
          subscriptionsPerUserMax: 1_000,
          httpCallbacks: false,
        },
      },
      callers,
      verifier: createVerifier(),
      log: { error: () => {} },
      eventSource: "test",
    }),
  ).toThrow("has no handler for Do");
});
