import { omitUndefined, RpcError } from "../../contract/index.ts";
import { PipelineFault } from "../fault.ts";
import { earlierPointer } from "./pointer.ts";
import type { Route } from "./route.ts";

/**
 * The error that a handler has thrown, in the words of the caller's revision: a code that it does not know becomes one
 * that it does, with the code itself as the reason. What the handler may not throw is no answer in any revision.
 */
export function failureFor(route: Route | undefined, error: unknown): unknown {
  if (route === undefined || route.steps.length === 0) return error;
  if (!(error instanceof RpcError) || error instanceof PipelineFault) return error;
  if (route.target.errors[error.code] === undefined)
    return new Error(`${route.target.name} does not declare ${error.code}`, { cause: error });
  const code = route.steps.reduceRight((later, { adapter }) => adapter.errors?.[later] ?? later, error.code);
  const { field, ...detail } = error.detail;
  const reason = detail.reason ?? (code === error.code ? undefined : wordOf(error.code));
  return new RpcError(code, {
    ...detail,
    ...omitUndefined({ field: field === undefined ? undefined : earlierPointer(route.steps, field), reason }),
  });
}

function wordOf(code: string): string {
  return code.toLowerCase().replaceAll("_", "-");
}
