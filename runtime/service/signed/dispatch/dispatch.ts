import { createHash } from "node:crypto";
import type { InterfaceDescriptor } from "../../../contract/index.ts";
import { DuplicateRecordError, type Clock, type Sealer } from "../../../store/ports/index.ts";
import type { FaultFactory } from "../../../protocol/signed-envelope/fault.ts";
import { encodeResult } from "../../../protocol/signed-envelope/encode.ts";
import { checkResult } from "../../validate.ts";
import type { UnitOfWork } from "../../unit-of-work.ts";
import { encodeFor, storedResult, repeatedFor, type Route } from "../revisions/index.ts";
import type { ValidCall } from "../validate/index.ts";
import { createKeptAnswers } from "../../engine-store.ts";
import { canonicalBytes } from "../../../auth/signing/index.ts";

export interface DispatchOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly unit: UnitOfWork;
  readonly ports: { readonly clock: Clock; readonly sealer: Sealer };
  readonly fault: FaultFactory;
  readonly checkResults: boolean | undefined;
}

/** ValidCall → the JSON text of the result: runs the handler over one view, or in one transaction. */
export type Dispatch = (call: ValidCall, route: Route, signal: AbortSignal) => Promise<string>;

export function createDispatch(options: DispatchOptions): Dispatch {
  const { interfaceDescriptor, unit, ports, fault } = options;
  const answered = createAnswered(options.checkResults ?? process.env["NODE_ENV"] !== "production");
  const records = createKeptAnswers(ports.clock, ports.sealer);

  function read({ caller, payload }: ValidCall, route: Route, signal: AbortSignal): Promise<string> {
    return unit.read({ caller, operation: route.target.name, signal }, async (context) =>
      answered(route, await route.handler(payload, context)),
    );
  }

  function write(call: ValidCall, route: Route, signal: AbortSignal): Promise<string> {
    const { caller, payload } = call;
    const { effect, name: operation } = route.target;
    return unit.write({ caller, operation, signal }, async (context, tx) => {
      const requestHash =
        effect === "create" ? requestHashOf(interfaceDescriptor.name, call, route) : undefined;
      const known = requestHash === undefined ? undefined : await records.find(tx, requestHash);
      if (known !== undefined) return repeatedFor(route, known);
      const result = await route.handler(payload, context);
      // The caller has been answered already: what was written is rolled back.
      signal.throwIfAborted();
      // Before the commit: what cannot be answered is not done.
      const text = answered(route, result);
      if (requestHash === undefined) return text;
      const { institutionId } = caller;
      await records.keep(tx, { institutionId, requestHash }, storedResult(route, result, text));
      return text;
    });
  }

  return async function dispatch(call, route, signal) {
    try {
      return await (route.target.effect === "read" ? read : write)(call, route, signal);
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

/**
 * Names a request: interface, user, key, method, request id and payload in canonical form, so that a retry through
 * a proxy that re-serialises is still the same. Nothing for a request that has no identity.
 */
export function requestHashOf(
  interfaceName: string,
  call: ValidCall,
  { identity }: Route,
): string | undefined {
  const { caller, requestIdentity, envelope } = call;
  if (requestIdentity === undefined) return undefined;
  const parts = [interfaceName, caller.userName, caller.keyId ?? "", identity, requestIdentity];
  return createHash("sha256")
    .update(JSON.stringify(parts))
    .update(canonicalBytes(envelope.payload))
    .digest("hex");
}
