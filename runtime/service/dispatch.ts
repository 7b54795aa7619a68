import { omitUndefined, RpcError, type JsonRpcInterfaceDescriptor } from "../contract/index.ts";
import { declaredValue, printValue } from "../protocol/json-rpc/index.ts";
import { createRepetitionRecords, KeptMeanwhile, type RepetitionRequest } from "./idempotency.ts";
import type { AnyHandler, CallContext, CallInfo, ServiceOptions, Store } from "./options.ts";
import type { CallError } from "./call-error.ts";
import { checkResult } from "./validate.ts";

/** A call that may be carried out. */
export interface ReadyCall {
  readonly info: CallInfo;
  readonly payload: object;
  readonly handler: AnyHandler;
  readonly notify?: CallContext["notify"];
  readonly repetition?: RepetitionRequest;
}

/** The outcome of a handler. */
export type Dispatched = { readonly kind: "done"; readonly resultText: string } | CallError;

/** Runs the handler over one view, or in one transaction. Rejects with what the handler threw. */
export type Dispatch = (call: ReadyCall) => Promise<Dispatched>;

/** Without a store nothing is shared between calls. */
const noStore: Store = { read: (run) => run({}), write: (run) => run({}) };

export function createDispatch({ name }: JsonRpcInterfaceDescriptor, options: ServiceOptions): Dispatch {
  const { store = noStore, context } = options;
  const checksResults = options.checkResults ?? process.env["NODE_ENV"] !== "production";
  const records = store.repetitions && createRepetitionRecords(name, store.repetitions);

  async function run(call: ReadyCall, fromStore: object): Promise<string> {
    const { info, handler, payload } = call;
    const own: CallContext = omitUndefined({ auth: info.auth, signal: info.signal, notify: call.notify });
    const application = context === undefined ? {} : await context(info);
    const result = await handler(payload, { error: buildError, ...application, ...fromStore, ...own });
    // The caller has received the timeout already: its writes are rolled back.
    info.signal.throwIfAborted();
    const text = printValue(declaredValue(result, info.method.plans?.result));
    // What is checked is what is sent: members that are undefined are not.
    if (checksResults) checkResult(info.method, text);
    return text;
  }

  async function write(call: ReadyCall): Promise<Dispatched> {
    const { repetition } = call;
    const { auth } = call.info;
    return store.write(async (transaction): Promise<Dispatched> => {
      const known = repetition && (await records?.find(transaction, auth, repetition));
      if (known !== undefined) return known;
      const resultText = await run(call, transaction);
      if (repetition !== undefined) await records?.keep(transaction, auth, repetition, resultText);
      return { kind: "done", resultText };
    }, call.info);
  }

  return async (call) => {
    if (call.info.method.effect === "read")
      return { kind: "done", resultText: await store.read((view) => run(call, view), call.info) };
    try {
      return await write(call);
    } catch (error) {
      if (error instanceof KeptMeanwhile) return write(call);
      throw error;
    }
  };
}

function buildError(code: string, detail?: RpcError["detail"]): RpcError {
  return new RpcError(code, detail);
}
