import { RpcError, type InterfaceDescriptor } from "../../../contract/index.ts";
import { DuplicateRecordError, type Writes } from "../../../store/ports/index.ts";
import type { Callers } from "../../../auth/auth-services.ts";
import type { FaultFactory } from "../../../protocol/signed-envelope/fault.ts";
import type { OutboxListener } from "../options.ts";
import { encodeResult } from "../../../protocol/signed-envelope/encode.ts";
import { checkResult } from "../../validate.ts";
import { encodeFor, storedResult, repeatedFor, type Route } from "../revisions/index.ts";
import type { ValidCall } from "../validate/index.ts";
import { createIdempotencyRecords, requestHashOf } from "./idempotency-records.ts";
import {
  type DispatchPorts,
  nothingAfterCommit,
  readContext,
  writeContext,
  type AfterCommit,
  type EventOrigin,
} from "./context.ts";

export interface DispatchOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly ports: DispatchPorts;
  readonly callers: Callers;
  readonly eventOrigin: EventOrigin;
  readonly fault: FaultFactory;
  readonly onOutbox: OutboxListener | undefined;
  readonly checkResults: boolean | undefined;
}

/** ValidCall → the JSON text of the result: runs the handler over one view, or in one transaction. */
export type Dispatch = (call: ValidCall, route: Route) => Promise<string>;

/** The result of a committed transaction. */
type Committed =
  | { readonly kind: "answered"; readonly resultText: string }
  /** The handler failed, but asked to commit what it had written (`commitOnFailure`). */
  | { readonly kind: "refused"; readonly error: RpcError };

export function createDispatch(options: DispatchOptions): Dispatch {
  const { interfaceDescriptor, ports, eventOrigin, fault } = options;
  const answered = createAnswered(options.checkResults ?? process.env["NODE_ENV"] !== "production");
  const records = createIdempotencyRecords(ports.clock, ports.sealer);

  /** The result is encoded before the commit: what cannot be answered is not done. */
  async function work(call: ValidCall, route: Route, tx: Writes, after: AfterCommit): Promise<Committed> {
    const { target } = route;
    const requestHash =
      target.effect === "create" ? requestHashOf(interfaceDescriptor.name, call, route) : undefined;
    const known = requestHash === undefined ? undefined : await records.find(tx, requestHash);
    if (known !== undefined) return { kind: "answered", resultText: repeatedFor(route, known) };
    const context = writeContext(ports, call.caller, tx, eventOrigin, after, target.name);
    let result: object;
    let resultText: string;
    try {
      result = await route.handler(call.payload, context);
      resultText = answered(route, result);
    } catch (error) {
      if (after.commitOnFailure && error instanceof RpcError) return { kind: "refused", error };
      throw error;
    }
    if (requestHash !== undefined)
      await records.keep(
        tx,
        { institutionId: call.caller.institutionId, requestHash },
        storedResult(route, result, resultText),
      );
    return { kind: "answered", resultText };
  }

  function read(call: ValidCall, route: Route): Promise<string> {
    return ports.store.read(async (view) =>
      answered(route, await route.handler(call.payload, readContext(ports, call.caller, view))),
    );
  }

  async function write(call: ValidCall, route: Route): Promise<string> {
    let after = nothingAfterCommit();
    const committed = await ports.store.write(
      (tx) => {
        after = nothingAfterCommit();
        return work(call, route, tx, after);
      },
      { caller: call.caller.userName },
    );
    followUp(after, options);
    if (committed.kind === "refused") throw committed.error;
    return committed.resultText;
  }

  return async function dispatch(call, route) {
    try {
      return await (route.target.effect === "read" ? read(call, route) : write(call, route));
    } catch (error) {
      if (error instanceof DuplicateRecordError) throw fault("conflict", { cause: error });
      throw error;
    }
  };
}

/** Gives the text of a handler's result in the words of its caller. Throws where the result is to be checked and does not fit. */
function createAnswered(checksResults: boolean): (route: Route, result: object) => string {
  return (route, result) => {
    const text = encodeFor(route, result);
    if (checksResults)
      checkResult(route.target, route.steps.length === 0 ? text : encodeResult(route.target, result));
    return text;
  };
}

/** Does what a handler asked for beside its writes. */
function followUp(after: AfterCommit, { callers, onOutbox }: DispatchOptions): void {
  for (const userName of after.invalidated) callers.invalidate(userName);
  const { mails, events, deliveries } = after;
  if (mails || events || deliveries) onOutbox?.({ mails, events, deliveries });
}
