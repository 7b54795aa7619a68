import type { FaultFactory } from "../fault.ts";
import { refusedPayload, schemaFaults, type ValidCall } from "../validate/index.ts";
import type { Route } from "./route.ts";
import { earlierPointer } from "./pointer.ts";

/** Makes a valid payload of a revision one that the handler takes. Throws what the later revision finds wrong with it. */
export function forHandler(call: ValidCall, route: Route, fault: FaultFactory): ValidCall {
  if (route.steps.length === 0) return call;
  let { payload } = call;
  for (const [at, { adapter, method }] of route.steps.entries()) {
    payload = adapter.up?.(payload) ?? payload;
    if (adapter.checked !== true || method.validate(asSent(payload))) continue;
    if (adapter.adapt !== undefined) {
      payload = adapter.adapt(payload);
      if (method.validate(asSent(payload))) continue;
    }
    const taken = route.steps.slice(0, at + 1);
    const faults = schemaFaults(method.validate.errors ?? []).map(({ pointer, reason }) => ({
      pointer: earlierPointer(taken, pointer),
      reason,
    }));
    throw refusedPayload(fault, faults, route.method.payload);
  }
  return { ...call, payload };
}

/** Amounts as the numbers that validators know. */
function asSent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(asSent);
  if ("lexeme" in value && typeof value.lexeme === "string") return Number(value.lexeme);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSent(member)]));
}
