import { RpcError, type InterfaceDescriptor } from "../../contract/index.ts";
import { DuplicateRecordError, type StoreTransaction } from "../../ports/index.ts";
import type { CallerDirectory } from "../authenticate/index.ts";
import { encodeResult } from "../encode/index.ts";
import type { FaultFactory } from "../fault.ts";
import type { AnyHandler, OutboxListener, PipelinePorts } from "../options.ts";
import type { ValidCall } from "../validate/index.ts";
import { createAnswers, requestHashOf } from "./answers.ts";
import { nothingAfterCommit, readContext, writeContext, type AfterCommit } from "./context.ts";

export interface DispatchOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  readonly ports: PipelinePorts;
  readonly callers: CallerDirectory;
  readonly eventSource: string;
  readonly fault: FaultFactory;
  readonly onOutbox: OutboxListener | undefined;
}

/** ValidCall → the JSON text of the result: runs the handler over one view, or in one transaction. */
export type Dispatch = (call: ValidCall) => Promise<string>;

/** What came of a transaction that was committed. */
type Committed =
  | { readonly kind: "answered"; readonly resultText: string }
  /** Refused, but what was written has to stay (`keepOnFailure`). */
  | { readonly kind: "refused"; readonly error: RpcError };

export function createDispatch(options: DispatchOptions): Dispatch {
  const { interfaceDescriptor, handlers, ports, callers, eventSource, fault } = options;
  const answers = createAnswers(ports.clock, ports.sealer);

  function handlerOf({ method }: ValidCall): AnyHandler {
    const handler = handlers.get(method.name);
    if (handler === undefined) throw new Error(`${method.name} was composed without a handler`);
    return handler;
  }

  function read(call: ValidCall): Promise<string> {
    const handler = handlerOf(call);
    return ports.store.read(async (view) =>
      encodeResult(call.method, await handler(call.payload, readContext(ports, call.caller, view))),
    );
  }

  /** The result is encoded before the commit: what cannot be answered is not done. */
  async function work(call: ValidCall, tx: StoreTransaction, after: AfterCommit): Promise<Committed> {
    const requestHash =
      call.method.effect === "create" ? requestHashOf(interfaceDescriptor.name, call) : undefined;
    const known = requestHash === undefined ? undefined : await answers.find(tx, requestHash);
    if (known !== undefined) return { kind: "answered", resultText: known };
    const context = writeContext(ports, call.caller, tx, eventSource, after);
    let resultText: string;
    try {
      resultText = encodeResult(call.method, await handlerOf(call)(call.payload, context));
    } catch (error) {
      if (after.keepOnFailure && error instanceof RpcError) return { kind: "refused", error };
      throw error;
    }
    if (requestHash !== undefined) await answers.keep(tx, requestHash, resultText);
    return { kind: "answered", resultText };
  }

  async function write(call: ValidCall): Promise<string> {
    let after = nothingAfterCommit();
    const committed = await ports.store.transact((tx) => {
      after = nothingAfterCommit();
      return work(call, tx, after);
    });
    for (const userName of after.forgotten) callers.forget(userName);
    const { mails, events, deliveries } = after;
    if (mails || events || deliveries) options.onOutbox?.({ mails, events, deliveries });
    if (committed.kind === "refused") throw committed.error;
    return committed.resultText;
  }

  return async (call) => {
    try {
      return await (call.method.effect === "read" ? read(call) : write(call));
    } catch (error) {
      if (error instanceof DuplicateRecordError) throw fault("conflict", { cause: error });
      throw error;
    }
  };
}
