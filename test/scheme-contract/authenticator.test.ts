import { describe, expect, test } from "vitest";
import {
  type AuthEvent,
  createAuthenticator,
  type SecuredInterface,
} from "../../runtime/auth/authenticator.ts";
import type { AuthScheme, Evidence, SchemeVerifier, Verdict } from "../../runtime/auth/port.ts";
import type { SecurityAlternative } from "../../runtime/contract/json-rpc.ts";

const methods = {
  user: [{ user: [] }],
  writer: [{ user: ["write"] }],
  either: [{ user: ["write"] }, { machine: [], signed: [] }],
  optional: [{ user: ["write"] }, {}],
  open: [],
} satisfies Record<string, readonly SecurityAlternative[]>;

const tasks: SecuredInterface = {
  name: "tasks",
  schemes: { user: { kind: "x-user" }, machine: { kind: "x-machine" }, signed: { kind: "x-signed" } },
  methods: Object.fromEntries(Object.entries(methods).map(([name, security]) => [name, { name, security }])),
};

const evidence: Evidence = {
  body: new Uint8Array(),
  header: () => [],
  httpMethod: "POST",
  target: "/rpc",
};
const known = (caller: string, scopes: readonly string[] = [], expiresAtMs?: number): Verdict => ({
  kind: "identity",
  identity: { caller, scopes, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) },
});
const missing: Verdict = { kind: "missing" };

type Verdicts = Readonly<Record<string, Verdict | (() => Verdict)>>;

/** Schemes that give what they are told, an authenticator over them, and what they were asked. */
function harness(verdicts: Verdicts, verifies: AuthScheme["verifies"] = "request") {
  const asked: string[] = [];
  const events: AuthEvent[] = [];
  let nowMs = 1_000_000;
  const verifier = (name: string): SchemeVerifier => ({
    kind: `x-${name}`,
    bind: () => ({
      verifies,
      challenge: `X-${name}`,
      verify: () => {
        asked.push(name);
        const verdict = verdicts[name] ?? missing;
        return typeof verdict === "function" ? verdict() : verdict;
      },
    }),
  });
  const verifiers = { user: verifier("user"), machine: verifier("machine"), signed: verifier("signed") };
  const options = { clock: { now: () => nowMs }, onEvent: (event: AuthEvent) => void events.push(event) };
  const request = createAuthenticator(tasks, verifiers, options).begin(evidence);
  const call = (method: keyof typeof methods) =>
    request.authorize({ name: method, security: methods[method] }, { method });
  return { call, asked, events, wait: (ms: number) => void (nowMs += ms) };
}

const refused = (...challenges: readonly string[]) => ({
  kind: "unauthenticated",
  challenges,
  refusal: expect.anything(),
});
const granted = (...names: readonly string[]) => ({
  kind: "granted",
  auth: Object.fromEntries(names.map((name) => [name, expect.anything()])),
});

describe("security of a method", () => {
  test.each<[string, keyof typeof methods, Verdicts, unknown]>([
    ["open", "open", {}, granted()],
    ["an identity", "user", { user: known("ann") }, granted("user")],
    ["no credentials", "user", {}, refused("X-user")],
    ["scopes granted", "writer", { user: known("ann", ["read", "write"]) }, granted("user")],
    ["scopes lacking", "writer", { user: known("ann", ["read"]) }, { kind: "forbidden" }],
    ["first alternative", "either", { user: known("ann", ["write"]) }, granted("user")],
    [
      "second alternative alone",
      "either",
      { machine: known("m"), signed: known("s") },
      granted("machine", "signed"),
    ],
    [
      "first rejected, second holds",
      "either",
      { user: { kind: "rejected" }, machine: known("m"), signed: known("s") },
      granted("machine", "signed"),
    ],
    [
      "one part of an AND missing",
      "either",
      { machine: known("m") },
      refused("X-user", "X-machine", "X-signed"),
    ],
    [
      "other part of an AND missing",
      "either",
      { signed: known("s") },
      refused("X-user", "X-machine", "X-signed"),
    ],
    [
      "one part of an AND replayed",
      "either",
      { machine: known("m"), signed: { kind: "replayed" } },
      refused("X-user", "X-machine", "X-signed"),
    ],
    ["scopes lacking in one, the other not tried", "either", { user: known("ann") }, { kind: "forbidden" }],
    ["optional, no credentials", "optional", {}, granted()],
    ["optional, credentials that hold", "optional", { user: known("ann", ["write"]) }, granted("user")],
    ["optional, scopes lacking: without identity", "optional", { user: known("ann") }, granted()],
    ["optional, credentials rejected", "optional", { user: { kind: "rejected" } }, refused("X-user")],
    [
      "more credentials used than are remembered",
      "optional",
      { user: { kind: "exhausted", retryAfterMs: 1_500 } },
      { kind: "exhausted", retryAfterMs: 1_500 },
    ],
    ["optional, credentials expired", "optional", { user: { kind: "expired" } }, refused("X-user")],
  ])("%s", async (_name, method, verdicts, outcome) => {
    expect(await harness(verdicts).call(method)).toEqual(outcome);
  });

  test("every refusal has the same outcome", async () => {
    const kinds = ["missing", "malformed", "rejected", "expired", "replayed"] as const;
    const outcomes = await Promise.all(kinds.map((kind) => harness({ user: { kind } }).call("user")));
    for (const outcome of outcomes) expect(outcome).toEqual(refused("X-user"));
  });
});

describe("schemes of one request", () => {
  test("run once for all calls, and only where a call asks for them", async () => {
    const { call, asked } = harness({ user: known("ann", ["write"]) });
    await call("open");
    expect(asked).toEqual([]);
    await Promise.all([call("user"), call("writer"), call("either")]);
    expect(asked).toEqual(["user"]);
  });

  test("run for each call where they judge calls", async () => {
    const { call, asked } = harness({ user: known("ann") }, "call");
    await call("user");
    await call("user");
    expect(asked).toEqual(["user", "user"]);
  });

  test.each([60_000, -60_000])("run again on a connection after a minute: the clock %d ms on", async (ms) => {
    let verdict = known("ann");
    const { call, asked, wait } = harness({ user: () => verdict });
    expect(await call("user")).toMatchObject({ kind: "granted" });
    verdict = { kind: "rejected" };
    wait(ms - Math.sign(ms));
    expect(await call("user")).toMatchObject({ kind: "granted" });
    expect(asked).toEqual(["user"]);
    wait(Math.sign(ms));
    expect(await call("user")).toMatchObject({ kind: "unauthenticated" });
    expect(asked).toEqual(["user", "user"]);
  });

  test("an identity ends with its time, also on a connection that lives on", async () => {
    const { call, wait } = harness({ user: known("ann", [], 1_060_000) });
    expect(await call("user")).toEqual(granted("user"));
    wait(59_999);
    expect(await call("user")).toEqual(granted("user"));
    wait(1);
    expect(await call("user")).toEqual(refused("X-user"));
  });

  test("a scheme that fails makes the call unavailable, is reported, and is tried again", async () => {
    let fails = true;
    const flaky = (): Verdict => {
      if (fails) throw new Error("keys cannot be read");
      return known("ann", ["write"]);
    };
    const { call, events } = harness({ user: flaky });
    expect(await call("optional")).toEqual({ kind: "unavailable", cause: expect.any(Error) });
    expect(events).toEqual([
      { scheme: "user", method: "optional", result: "failed", reason: "keys cannot be read" },
    ]);
    fails = false;
    expect(await call("optional")).toEqual(granted("user"));
  });

  test("reports a refusal with its reason, and no missing credentials", async () => {
    const { call, events } = harness({ user: { kind: "rejected", reason: "unknown key" } });
    await call("user");
    expect(events).toEqual([{ scheme: "user", method: "user", result: "rejected", reason: "unknown key" }]);
    const anonymous = harness({});
    await anonymous.call("user");
    expect(anonymous.events).toEqual([]);
  });
});

describe("at the start", () => {
  const one: SchemeVerifier = {
    kind: "x-user",
    bind: () => ({ verifies: "request", verify: () => missing }),
  };
  const user = { name: "tasks", schemes: { user: { kind: "x-user" } }, methods: {} };

  test("a verifier that is missing, of another kind, or of no scheme is refused", () => {
    expect(() => createAuthenticator(user, {})).toThrow(/scheme user \(x-user\).*add `user` to the `auth`/);
    expect(() => createAuthenticator(user, { user: { ...one, kind: "jwt" } })).toThrow(/of kind x-user/);
    expect(() => createAuthenticator(user, { user: one, staff: one })).toThrow(/no authentication scheme/);
  });

  test("names that every object has are no verifiers", () => {
    const odd = { ...user, schemes: { toString: { kind: "x-user" } } };
    expect(() => createAuthenticator(odd, {})).toThrow(/has no verifier/);
  });

  test("a method that asks for an undeclared scheme is refused", () => {
    const odd = { ...user, methods: { list: { name: "list", security: [{ staff: [] }] } } };
    expect(() => createAuthenticator(odd, { user: one })).toThrow(/needs the authentication scheme staff/);
  });
});
