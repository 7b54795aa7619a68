import type { SchemeVerifier } from "../../../runtime/auth/port.ts";
import type { AnyHandler } from "../../../runtime/index.ts";
import type { JsonRpcInterfaceDescriptor } from "../../../runtime/contract/index.ts";

/** A message and its headers, as the service is going to read them. */
export interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** What goes back. */
export interface Outgoing {
  readonly status: number;
  readonly text: string;
}

/** A bug of a service of `tasks.yaml`. */
export interface StandardFault {
  readonly id: string;
  readonly description: string;
  readonly descriptor?: (right: JsonRpcInterfaceDescriptor) => JsonRpcInterfaceDescriptor;
  readonly handlers?: (right: Readonly<Record<string, AnyHandler>>) => Readonly<Record<string, AnyHandler>>;
  readonly verifiers?: (
    right: Readonly<Record<string, SchemeVerifier>>,
  ) => Readonly<Record<string, SchemeVerifier>>;
  /** Before the service reads a message. */
  readonly incoming?: (incoming: Incoming) => Incoming;
  /** After the service has answered it. */
  readonly outgoing?: (outgoing: Outgoing, incoming: Incoming) => Outgoing;
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of a changed value; the text as it was where nothing is changed, so that a fault is that fault alone. */
function printed(changed: unknown, json: unknown, text: string): string {
  const after = JSON.stringify(changed);
  return after === JSON.stringify(json) ? text : after;
}

/** Changes each response object of an answer. */
function eachAnswer(change: (answer: Json) => Json): NonNullable<StandardFault["outgoing"]> {
  return (outgoing) => {
    const json = parsed(outgoing.text);
    const changed = (value: unknown): unknown => (isObject(value) ? change(value) : value);
    if (json === undefined) return outgoing;
    const after = Array.isArray(json) ? json.map(changed) : changed(json);
    return { ...outgoing, text: printed(after, json, outgoing.text) };
  };
}

function eachError(change: (error: Json) => Json): NonNullable<StandardFault["outgoing"]> {
  return eachAnswer((answer) =>
    isObject(answer["error"]) ? { ...answer, error: change(answer["error"]) } : answer,
  );
}

function codeInstead(from: number, to: number): NonNullable<StandardFault["outgoing"]> {
  return eachError((error) => (error["code"] === from ? { ...error, code: to } : error));
}

/** Changes a message where it is one request object. */
function message(change: (call: Json) => unknown): NonNullable<StandardFault["incoming"]> {
  return (incoming) => {
    const json = parsed(incoming.text);
    return isObject(json) ? { ...incoming, text: printed(change(json), json, incoming.text) } : incoming;
  };
}

/** Changes a list that is answered. */
function list(change: (answers: readonly unknown[]) => unknown): NonNullable<StandardFault["outgoing"]> {
  return (outgoing) => {
    const json = parsed(outgoing.text);
    return Array.isArray(json) ? { ...outgoing, text: printed(change(json), json, outgoing.text) } : outgoing;
  };
}

/** A verifier whose interface asks for less than the spec. */
function asking(
  scheme: string,
  options: Readonly<Record<string, unknown>>,
): NonNullable<StandardFault["verifiers"]> {
  return (right) =>
    changedVerifier(right, scheme, (verifier) => ({
      ...verifier,
      bind: (declared, binding) =>
        verifier.bind(JSON.parse(JSON.stringify({ ...declared, ...options })), binding),
    }));
}

function changedVerifier(
  right: Readonly<Record<string, SchemeVerifier>>,
  scheme: string,
  change: (verifier: SchemeVerifier) => SchemeVerifier,
): Readonly<Record<string, SchemeVerifier>> {
  const verifier = right[scheme];
  return verifier === undefined ? right : { ...right, [scheme]: change(verifier) };
}

/** A clock that says the same time always: nothing expires. */
function clockless(scheme: string, nowOf: (text: string) => number): NonNullable<StandardFault["verifiers"]> {
  return (right) =>
    changedVerifier(right, scheme, (verifier) => ({
      ...verifier,
      bind(declared, binding) {
        let nowMs = Date.now();
        const bound = verifier.bind(declared, { ...binding, clock: { now: () => nowMs } });
        return {
          ...bound,
          async verify(evidence) {
            const text = ["authorization", "x-signature", "signature-input"]
              .flatMap((name) => evidence.header(name))
              .join(" ");
            const at = nowOf(text);
            nowMs = Number.isFinite(at) ? at : Date.now();
            const verdict = await bound.verify(evidence);
            return verdict.kind === "identity"
              ? { ...verdict, identity: { caller: verdict.identity.caller, scopes: verdict.identity.scopes } }
              : verdict;
          },
        };
      },
    }));
}

/** The time that a token itself says it was issued at. */
function issuedAt(text: string): number {
  const claims = parsed(Buffer.from(/\.([\w-]+)\./.exec(text)?.[1] ?? "", "base64url").toString());
  return isObject(claims) ? Number(claims["iat"]) * 1000 : Number.NaN;
}

/** Nothing is remembered, so that nothing is a replay. */
function forgetful(scheme: string): NonNullable<StandardFault["verifiers"]> {
  return (right) =>
    changedVerifier(right, scheme, (verifier) => ({
      ...verifier,
      bind: (declared, binding) => {
        const replays = { take: async () => ({ kind: "taken" }) as const };
        return verifier.bind(declared, { ...binding, replays });
      },
    }));
}

/** Takes what the right verifier refuses, where a condition holds. */
function lenient(
  scheme: string,
  when: (text: string, kind: string) => boolean,
): NonNullable<StandardFault["verifiers"]> {
  return (right) =>
    changedVerifier(right, scheme, (verifier) => ({
      ...verifier,
      bind(declared, binding) {
        const bound = verifier.bind(declared, binding);
        return {
          ...bound,
          async verify(evidence) {
            const verdict = await bound.verify(evidence);
            const text = ["authorization", "x-signature", "x-api-key", "client-cert", "signature"]
              .flatMap((name) => evidence.header(name))
              .join(" ");
            if (verdict.kind === "identity" || !when(text, verdict.kind)) return verdict;
            const scopes = ["tasks:write", "tasks:read", "profile"];
            return { kind: "identity", identity: { caller: "ann", scopes } };
          },
        };
      },
    }));
}

/** A token's head. */
function headOf(text: string): Json {
  const head = parsed(Buffer.from(/Bearer ([\w-]+)\./.exec(text)?.[1] ?? "", "base64url").toString());
  return isObject(head) ? head : {};
}

function reprinted(text: string): string {
  const json = parsed(text);
  return json === undefined ? text : JSON.stringify(json);
}

const protocol: readonly StandardFault[] = [
  {
    id: "notification-answered",
    description: "Answers notifications.",
    outgoing: (outgoing) =>
      outgoing.text === "" ? { status: 200, text: '{"jsonrpc":"2.0","result":null,"id":null}' } : outgoing,
  },
  {
    id: "notification-error-answered",
    description: "Answers notifications of unknown methods.",
    outgoing: (outgoing, { text }) =>
      outgoing.text === "" && text.includes("NoService")
        ? {
            status: 200,
            text: '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}',
          }
        : outgoing,
  },
  {
    id: "notification-status",
    description: "Answers notifications with the status of a result.",
    outgoing: (outgoing) => (outgoing.text === "" ? { ...outgoing, status: 200 } : outgoing),
  },
  {
    id: "error-masked",
    description: "Answers an error as another one that has its code.",
    outgoing: eachError((error) =>
      isObject(error["data"]) && "since" in error["data"]
        ? { ...error, message: "Gone", data: { id: "1", title: "Write", state: "OPEN" } }
        : error,
    ),
  },
  {
    id: "batch-reversed",
    description: "Answers a batch in the opposite order.",
    outgoing: list((all) => all.toReversed()),
  },
  {
    id: "batch-first-only",
    description: "Answers the first call of a batch.",
    outgoing: list((all) => all[0]),
  },
  {
    id: "batch-stops",
    description: "Stops a batch at the first error.",
    outgoing: list((all) => {
      const at = all.findIndex((each) => isObject(each) && each["error"] !== undefined);
      return at < 0 ? all : all.slice(0, at + 1);
    }),
  },
  {
    id: "batch-same-id-once",
    description: "Keeps one answer for each id.",
    outgoing: list((all) => [
      ...new Map(all.map((each) => [isObject(each) ? JSON.stringify(each["id"]) : "", each])).values(),
    ]),
  },
  {
    id: "batch-empty-answered",
    description: "Answers an empty batch with an empty list.",
    outgoing: (outgoing, { text }) => (text === "[]" ? { ...outgoing, text: "[]" } : outgoing),
  },
  {
    id: "batch-unlimited",
    description: "Takes batches of any length.",
    descriptor: (right) => ({ ...right, batch: { max: 100_000 } }),
  },
  {
    id: "batch-notifications-answered",
    description: "Answers a batch of notifications with an empty list.",
    outgoing: (outgoing, { text }) =>
      outgoing.text === "" && text.startsWith("[") ? { status: 200, text: "[]" } : outgoing,
  },
  {
    id: "id-as-text",
    description: "Sends ids back as strings.",
    outgoing: eachAnswer((answer) => ({
      ...answer,
      id: answer["id"] === null ? null : String(answer["id"]),
    })),
  },
  {
    id: "id-as-number",
    description: "Sends digits back as a number.",
    outgoing: eachAnswer((answer) => ({
      ...answer,
      id:
        typeof answer["id"] === "string" && /^\d+$/.test(answer["id"]) ? Number(answer["id"]) : answer["id"],
    })),
  },
  {
    id: "id-rounded",
    description: "Prints numbers of ids anew.",
    outgoing: (outgoing) => ({ ...outgoing, text: reprinted(outgoing.text) }),
  },
  {
    id: "id-null-notified",
    description: "Takes the id null for none.",
    outgoing: (outgoing, { text }) => {
      const call = parsed(text);
      return isObject(call) && call["id"] === null ? { status: 204, text: "" } : outgoing;
    },
  },
  {
    id: "id-missing",
    description: "Leaves the id out of errors.",
    outgoing: eachAnswer(({ id, ...answer }) => (answer["error"] === undefined ? { ...answer, id } : answer)),
  },
  {
    id: "jsonrpc-missing",
    description: "Leaves jsonrpc out of answers.",
    outgoing: eachAnswer(({ jsonrpc: _jsonrpc, ...answer }) => answer),
  },
  {
    id: "result-and-error",
    description: "Sends result null beside an error.",
    outgoing: eachAnswer((answer) => (answer["error"] === undefined ? answer : { ...answer, result: null })),
  },
  {
    id: "error-null",
    description: "Sends error null beside a result.",
    outgoing: eachAnswer((answer) => (answer["result"] === undefined ? answer : { ...answer, error: null })),
  },
  {
    id: "code-as-text",
    description: "Sends codes as strings.",
    outgoing: eachError((error) => ({ ...error, code: String(error["code"]) })),
  },
  {
    id: "message-missing",
    description: "Sends errors without a message.",
    outgoing: eachError(({ message: _message, ...error }) => error),
  },
  {
    id: "method-not-found-code",
    description: "Takes unknown methods for invalid requests.",
    outgoing: codeInstead(-32601, -32600),
  },
  {
    id: "invalid-params-code",
    description: "Takes wrong parameters for internal errors.",
    outgoing: codeInstead(-32602, -32603),
  },
  {
    id: "parse-error-code",
    description: "Takes broken JSON for an invalid request.",
    outgoing: codeInstead(-32700, -32600),
  },
  {
    id: "declared-code",
    description: "Sends another code than the declared one.",
    outgoing: codeInstead(-32010, -32000),
  },
  {
    id: "data-missing",
    description: "Leaves the data of errors out.",
    outgoing: eachError(({ data: _data, ...error }) => error),
  },
  {
    id: "error-status",
    description: "Answers errors with HTTP 400 where every status has to be 200.",
    outgoing: (outgoing) => (outgoing.text.includes('"error"') ? { ...outgoing, status: 400 } : outgoing),
  },
  {
    id: "version-ignored",
    description: "Takes any jsonrpc.",
    incoming: message((call) => (call["jsonrpc"] === undefined ? call : { ...call, jsonrpc: "2.0" })),
  },
  {
    id: "version-assumed",
    description: "Takes calls without jsonrpc.",
    incoming: message((call) => ("method" in call ? { jsonrpc: "2.0", ...call } : call)),
  },
  {
    id: "object-assumed-notification",
    description: 'Takes {"foo":1} for a notification.',
    outgoing: (outgoing, { text }) => (text === '{"foo":1}' ? { status: 204, text: "" } : outgoing),
  },
  {
    id: "surplus-position",
    description: "Ignores positions too many.",
    incoming: message((call) =>
      Array.isArray(call["params"])
        ? { ...call, params: call["params"].filter((each) => each !== true) }
        : call,
    ),
  },
  {
    id: "surplus-name",
    description: "Ignores names that it does not know.",
    descriptor: (right) => ({
      ...right,
      methods: Object.fromEntries(
        Object.entries(right.methods).map(([name, method]) => [name, { ...method, open: true as const }]),
      ),
    }),
  },
  {
    id: "by-name-only",
    description: "Takes no positions where both are taken.",
    descriptor: (right) => styled(right, "by-name"),
  },
  {
    id: "by-position-only",
    description: "Takes no names where both are taken.",
    descriptor: (right) => styled(right, "by-position"),
  },
  {
    id: "null-not-absent",
    description: "Refuses null in the place of an optional parameter.",
    descriptor: (right) => ({
      ...right,
      methods: Object.fromEntries(
        Object.entries(right.methods).map(([name, method]) => [
          name,
          { ...method, parameters: method.parameters.map((each) => ({ ...each, nullable: true })) },
        ]),
      ),
    }),
  },
  {
    id: "params-unchecked",
    description: "Does not look at parameters.",
    descriptor: (right) => ({
      ...right,
      methods: Object.fromEntries(
        Object.entries(right.methods).map(([name, method]) => [
          name,
          { ...method, validate: Object.assign(() => true, { errors: null }) as typeof method.validate },
        ]),
      ),
    }),
  },
  {
    id: "result-shape",
    description: "Sends a result that does not fit.",
    handlers: (right) => ({ ...right, list: async () => [{ id: 1 }] }),
  },
  {
    id: "result-null",
    description: "Sends null for a number.",
    handlers: (right) => ({ ...right, subtract: async () => null }),
  },
  {
    id: "subtract-swapped",
    description: "Takes positions in the wrong order.",
    handlers: (right) => ({
      ...right,
      subtract: async (payload) =>
        Number(Reflect.get(payload, "subtrahend")) - Number(Reflect.get(payload, "minuend")),
    }),
  },
  {
    id: "method-case",
    description: "Ignores the case of method names.",
    incoming: message((call) => ({
      ...call,
      ...(typeof call["method"] === "string" ? { method: call["method"].toLowerCase() } : {}),
    })),
  },
];

function styled(
  right: JsonRpcInterfaceDescriptor,
  params: "by-name" | "by-position",
): JsonRpcInterfaceDescriptor {
  return {
    ...right,
    methods: Object.fromEntries(
      Object.entries(right.methods).map(([name, method]) => [
        name,
        method.params === "either" ? { ...method, params } : method,
      ]),
    ),
  };
}

const authentication: readonly StandardFault[] = [
  { id: "jwt-expired", description: "Accepts expired tokens.", verifiers: clockless("user", issuedAt) },
  {
    id: "jwt-alg-none",
    description: "Accepts unsigned tokens.",
    verifiers: lenient("user", (text) => headOf(text)["alg"] === "none"),
  },
  {
    id: "jwt-hs256-public-key",
    description: "Takes the public key for a secret.",
    verifiers: lenient("user", (text) => headOf(text)["alg"] === "HS256"),
  },
  {
    id: "jwt-signature",
    description: "Does not verify signatures of tokens.",
    verifiers: lenient("user", (text, kind) => kind === "rejected" && headOf(text)["alg"] === "ES256"),
  },
  {
    id: "jwt-issuer",
    description: "Ignores the issuer of tokens.",
    verifiers: asking("user", { issuer: ["https://id.example", "https://stranger.example"] }),
  },
  {
    id: "jwt-audience",
    description: "Ignores whom tokens are for.",
    verifiers: asking("user", { audience: ["tasks", "strangers"] }),
  },
  {
    id: "scope-ignored",
    description: "Ignores scopes.",
    descriptor: (right) =>
      secured(right, (alternative) => Object.fromEntries(Object.keys(alternative).map((name) => [name, []]))),
  },
  {
    id: "scope-prefix",
    description: "Takes a scope that begins like the one asked for.",
    verifiers: (right) =>
      changedVerifier(right, "user", (verifier) => ({
        ...verifier,
        bind(declared, binding) {
          const bound = verifier.bind(declared, binding);
          return {
            ...bound,
            async verify(evidence) {
              const verdict = await bound.verify(evidence);
              return verdict.kind === "identity"
                ? {
                    ...verdict,
                    identity: {
                      ...verdict.identity,
                      scopes: verdict.identity.scopes.map((scope) => scope.replace(/x$/, "")),
                    },
                  }
                : verdict;
            },
          };
        },
      })),
  },
  {
    id: "and-is-or",
    description: "Takes one part where two have to hold.",
    descriptor: (right) => ({
      ...right,
      methods: Object.fromEntries(
        Object.entries(right.methods).map(([name, method]) => [
          name,
          {
            ...method,
            security: method.security.flatMap((each) =>
              Object.keys(each).length === 0
                ? [each]
                : Object.entries(each).map(([scheme, scopes]) => ({ [scheme]: scopes })),
            ),
          },
        ]),
      ),
    }),
  },
  {
    id: "second-alternative",
    description: "Takes the first alternative alone.",
    descriptor: (right) => ({
      ...right,
      methods: Object.fromEntries(
        Object.entries(right.methods).map(([name, method]) => [
          name,
          { ...method, security: method.security.slice(0, 1) },
        ]),
      ),
    }),
  },
  {
    id: "security-forgotten",
    description: "Lets everybody add.",
    descriptor: (right) => opened(right, "add"),
  },
  {
    id: "optional-mandatory",
    description: "Asks for credentials where they are optional.",
    descriptor: (right) => ({
      ...right,
      methods: Object.fromEntries(
        Object.entries(right.methods).map(([name, method]) => [
          name,
          { ...method, security: method.security.filter((each) => Object.keys(each).length > 0) },
        ]),
      ),
    }),
  },
  {
    id: "params-before-auth",
    description: "Tells strangers what is wrong with their parameters.",
    outgoing: (outgoing, { text, headers }) => {
      const call = parsed(text);
      const isWrong =
        isObject(call) &&
        call["method"] === "add" &&
        isObject(call["params"]) &&
        "x-unknown" in call["params"];
      return isWrong && headers["authorization"] === undefined && call["id"] !== undefined
        ? {
            status: 200,
            text: JSON.stringify({
              jsonrpc: "2.0",
              error: { code: -32602, message: "Invalid params" },
              id: call["id"],
            }),
          }
        : outgoing;
    },
  },
  { id: "hmac-body", description: "Does not cover the body.", verifiers: skipping("body") },
  { id: "hmac-path", description: "Does not cover the path.", verifiers: skipping("path") },
  {
    id: "hmac-expired",
    description: "Accepts old signatures.",
    verifiers: clockless("signed", (text) => Number(/t=(\d+)/.exec(text)?.[1]) * 1000),
  },
  { id: "hmac-replayed", description: "Accepts a signature twice.", verifiers: forgetful("signed") },
  {
    id: "message-signature-replayed",
    description: "Accepts a message signature twice.",
    verifiers: forgetful("sealed"),
  },
  {
    id: "message-signature-expired",
    description: "Accepts old message signatures.",
    verifiers: clockless("sealed", (text) => Number(/created=(\d+)/.exec(text)?.[1]) * 1000),
  },
  {
    id: "message-signature-coverage",
    description: "Does not ask what a signature covers.",
    verifiers: asking("sealed", { covers: ["@path"] }),
  },
  {
    id: "basic-password",
    description: "Looks at the user alone.",
    verifiers: lenient("person", (text) =>
      Buffer.from(text.replace("Basic ", ""), "base64").toString().startsWith("ann:"),
    ),
  },
  {
    id: "api-key-any",
    description: "Takes any key.",
    verifiers: lenient("machine", (text) => text.includes("key-")),
  },
  {
    id: "bearer-any",
    description: "Takes any token of the right length.",
    verifiers: lenient("token", (text) => /Bearer token-\w+$/.test(text)),
  },
  {
    id: "certificate-any",
    description: "Takes any certificate.",
    verifiers: lenient("proxied", (_text, kind) => kind === "rejected"),
  },
];

function secured(
  right: JsonRpcInterfaceDescriptor,
  change: (
    alternative: Readonly<Record<string, readonly string[]>>,
  ) => Readonly<Record<string, readonly string[]>>,
): JsonRpcInterfaceDescriptor {
  return {
    ...right,
    methods: Object.fromEntries(
      Object.entries(right.methods).map(([name, method]) => [
        name,
        { ...method, security: method.security.map(change) },
      ]),
    ),
  };
}

function opened(right: JsonRpcInterfaceDescriptor, name: string): JsonRpcInterfaceDescriptor {
  const method = right.methods[name];
  if (method === undefined) throw new Error(`there is no method ${name}`);
  return { ...right, methods: { ...right.methods, [name]: { ...method, security: [] } } };
}

/** An HMAC that is right except for a part of the request that it ignores, which is taken as signed. */
function skipping(part: "body" | "path"): NonNullable<StandardFault["verifiers"]> {
  return (right) =>
    changedVerifier(right, "signed", (verifier) => ({
      ...verifier,
      bind(declared, binding) {
        const bound = verifier.bind(declared, binding);
        return {
          ...bound,
          async verify(evidence) {
            const verdict = await bound.verify(evidence);
            if (verdict.kind !== "rejected") return verdict;
            const signed =
              part === "body"
                ? { ...evidence, body: Buffer.concat([Buffer.from(evidence.body), Buffer.from(" ")]) }
                : { ...evidence, target: `${evidence.target}/x` };
            return bound.verify(signed);
          },
        };
      },
    }));
}

export const standardFaults: readonly StandardFault[] = [...protocol, ...authentication];

/** Faults that no case finds: whether a number is the right one, a spec does not say. */
export const missed: readonly string[] = ["subtract-swapped"];
