import { ContractError, RpcError, type PayloadValidator } from "../contract/index.ts";
import {
  refuse,
  type CallIdentity,
  type DecodedCall,
  type Protocol,
  type Refused,
  type ServedMethod,
} from "../protocol/port.ts";
import type { AuthIdentities } from "../auth/port.ts";
import type { CallContext, CallInfo, RepetitionKey, Repetitions, ServiceOptions, Store } from "./options.ts";
import { encodeFor, keptResult, repeatedFor, type Route } from "./route.ts";

/** A call that may be carried out. */
export interface ReadyCall<Method extends ServedMethod> {
  readonly info: CallInfo;
  readonly payload: object;
  readonly route: Route<Method>;
  readonly notify?: CallContext["notify"];
  /** Asked where repetitions are remembered. */
  identify(): CallIdentity | Refused | undefined;
}

/** The outcome of a handler. */
export type Dispatched = { readonly kind: "done"; readonly resultText: string } | Refused;

/** Runs the handler over one view, or in one transaction. Rejects with what the handler threw. */
export type Dispatch<Method extends ServedMethod> = (call: ReadyCall<Method>) => Promise<Dispatched>;

/** Without a store nothing is shared between calls. */
const noStore: Store = { read: (run) => run({}), write: (run) => run({}) };

/** Thrown to roll a call back whose key another call has kept in the meantime. */
class KeptMeanwhile extends Error {
  override readonly name = "KeptMeanwhile";
}

export function createDispatch<Method extends ServedMethod, Call extends DecodedCall>(
  protocol: Protocol<Method, Call>,
  options: ServiceOptions,
): Dispatch<Method> {
  const { store = noStore, context } = options;
  const { repetitions } = store;
  const checksResults = options.checkResults ?? process.env["NODE_ENV"] !== "production";

  async function resultOf(
    { info, payload, route, notify }: ReadyCall<Method>,
    fromStore: object,
  ): Promise<unknown> {
    const { auth, signal } = info;
    const own: CallContext = notify === undefined ? { auth, signal } : { auth, signal, notify };
    const application = context === undefined ? undefined : await context(info);
    const result = await route.handler(payload, { error: buildError, ...application, ...fromStore, ...own });
    // The caller has received the timeout already: its writes are rolled back.
    signal.throwIfAborted();
    return result;
  }

  /** Checks the text as it is sent, before the commit: a call that cannot be answered is not done. */
  function textOf(route: Route<Method>, result: unknown): string {
    const isCurrent = route.steps.length === 0;
    const text = isCurrent ? protocol.printResult(route.method, result) : encodeFor(route, result, protocol);
    if (checksResults)
      checkResult(route.target, isCurrent ? text : protocol.printResult(route.target, result));
    return text;
  }

  async function write(call: ReadyCall<Method>): Promise<Dispatched> {
    const { info, route } = call;
    const identity = repetitions && call.identify();
    if (identity !== undefined && "fault" in identity) return identity;
    return store.write(async (transaction): Promise<Dispatched> => {
      const remembered =
        identity && repetitions && remember(protocol.name, repetitions, transaction, info.auth, identity);
      const known = await remembered?.find();
      if (known !== undefined && "fault" in known) return known;
      if (known !== undefined) return { kind: "done", resultText: repeatedFor(route, known, protocol) };
      const result = await resultOf(call, transaction);
      const resultText = textOf(route, result);
      await remembered?.keep(keptResult(route, result, resultText, protocol));
      return { kind: "done", resultText };
    }, info);
  }

  return (call) => {
    if (call.info.method.effect !== "read") return againIfKept(() => write(call));
    return store.read(async (view): Promise<Dispatched> => {
      const resultText = textOf(call.route, await resultOf(call, view));
      return { kind: "done", resultText };
    }, call.info);
  };
}

async function againIfKept<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof KeptMeanwhile) return write();
    throw error;
  }
}

/** What is remembered of a call, in its transaction. Only successes are kept. */
function remember(
  interfaceName: string,
  repetitions: Repetitions,
  transaction: object,
  auth: AuthIdentities,
  { key, requestHash }: CallIdentity,
) {
  const named: RepetitionKey = { interfaceName, owner: repetitions.ownerOf(auth), key };
  return {
    /** The first result of the same call, or the refusal of another call with the same key. */
    async find() {
      const known = await repetitions.find(transaction, named);
      if (known === undefined || known.requestHash === requestHash) return known;
      return refuse("invalidRequest", { reason: "idempotency-key-reused" });
    },
    /** @throws KeptMeanwhile where the key was kept since it was looked for. */
    async keep(result: { readonly resultText: string; readonly revision: string }) {
      if (!(await repetitions.keep(transaction, named, { requestHash, ...result })))
        throw new KeptMeanwhile();
    },
  };
}

function buildError(code: string, detail?: RpcError["detail"]): RpcError {
  return new RpcError(code, detail);
}

/** @throws ContractError where a result, as it is sent, does not fit the spec. */
function checkResult(
  { name, validateResult }: { readonly name: string; readonly validateResult?: PayloadValidator },
  sentText: string,
): void {
  if (validateResult === undefined || validateResult(JSON.parse(sentText))) return;
  throw new ContractError(
    `the result of ${name} does not fit the spec at ${placeOf(validateResult)}: correct its handler or the spec`,
  );
}

/** Where a value does not fit, and the keyword that says so. */
function placeOf({ errors }: PayloadValidator): string {
  const [first] = errors ?? [];
  if (first === undefined) return "its root (invalid)";
  const { instancePath, keyword, params } = first;
  const member = params["missingProperty"] ?? params["additionalProperty"];
  const path = typeof member === "string" ? `${instancePath}/${member}` : instancePath;
  return `${path === "" ? "its root" : path} (${keyword})`;
}
