import { hash, type KeyObject } from "node:crypto";
import type { BankContext, Rules } from "../../../ledger/domain/rules.ts";
import type { Policy } from "../../../runtime/pipeline/handler-context.ts";
import { currentRequest } from "../current-request.ts";
import type { AnyOptions, ChangeOptions, RequestHead } from "../fault.ts";

type Callers = AnyOptions["callers"];
export type Principal = NonNullable<Awaited<ReturnType<Callers["principal"]>>>;
type Verify = AnyOptions["verifier"]["verify"];

/** The directory of callers is changed. */
export function withCallers(
  change: (sound: Callers, options: AnyOptions) => Partial<Callers>,
): ChangeOptions {
  return (options) => ({ ...options, callers: { ...options.callers, ...change(options.callers, options) } });
}

/** What is known of each user is changed. */
export function withPrincipal(
  change: (principal: Principal, options: AnyOptions) => Principal | Promise<Principal>,
): ChangeOptions {
  return withCallers((sound, options) => ({
    async principal(userName) {
      const found = await sound.principal(userName);
      return found === undefined ? undefined : change(found, options);
    },
  }));
}

/** Signatures are verified otherwise. */
export function withVerifier(
  change: (
    sound: Verify,
    options: AnyOptions,
  ) => (key: KeyObject, bytes: Buffer, signature: Buffer) => Promise<boolean>,
): ChangeOptions {
  return (options) => {
    const verify = change((...parts) => options.verifier.verify(...parts), options);
    return {
      ...options,
      verifier: {
        verify: (key, bytes, signature) => verify(key, Buffer.from(bytes), Buffer.from(signature)),
      },
    };
  };
}

/** Signatures of requests of some kind are not verified. */
export function unverified(isOfKind: (options: AnyOptions) => boolean): ChangeOptions {
  return withVerifier(
    (sound, options) =>
      async (...parts) =>
        isOfKind(options) || sound(...parts),
  );
}

/** Whether the payload of the current request does not fit its operation. */
export function isMalformed({ interfaceDescriptor }: AnyOptions, method: string, payload: object): boolean {
  return interfaceDescriptor.methods[method]?.validate(payload) === false;
}

export function hashOfKey(apiKey: string): Buffer {
  return hash("sha256", apiKey, "buffer");
}

/** Whether the bytes are those that were sent, not another form of the same value. */
export function isAsSent(bytes: Buffer): boolean {
  return currentRequest().text.includes(bytes.toString());
}

export function withPolicy(policy: Partial<Policy>): ChangeOptions {
  return (options) => ({
    ...options,
    ports: { ...options.ports, policy: { ...options.ports.policy, ...policy } },
  });
}

export function withRules(rules: Partial<Rules>): ChangeOptions {
  return withContext((context) => {
    const present = "rules" in context && typeof context.rules === "object" ? context.rules : {};
    return { rules: { ...present, ...rules } };
  });
}

export function withRiskScorer(score: BankContext["riskScorer"]["score"]): ChangeOptions {
  return withContext(() => ({ riskScorer: { score } }));
}

/** Changes members of what the bank's handlers find in their context. */
function withContext(change: (context: object) => object): ChangeOptions {
  return (options) => {
    const { context = {} } = options.ports;
    return { ...options, ports: { ...options.ports, context: { ...context, ...change(context) } } };
  };
}

/** One header of each request is changed; `undefined` removes it. */
export function withHeader(
  name: string,
  change: (value: string) => string | undefined,
): (head: RequestHead) => RequestHead {
  return ({ target, headers }) => {
    const value = headers[name];
    const changed = typeof value === "string" ? change(value) : undefined;
    const { [name]: _former, ...others } = headers;
    return { target, headers: changed === undefined ? others : { ...others, [name]: changed } };
  };
}
