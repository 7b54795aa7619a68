import type { JsonObject, JsonRpcMethodDescriptor, JsonValue } from "../../contract/index.ts";
import type { JsonRpcCall } from "./decode.ts";
import { echoedName } from "./echoed-name.ts";

export type NamedParams =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly data: JsonObject };

type Called = Pick<JsonRpcMethodDescriptor, "params" | "parameters" | "open">;

/**
 * Gives every parameter its name (section 4.2). Positions follow the order of the fields; `null` in the place of an
 * optional parameter that is not nullable means that it is absent. Empty params fit every style.
 */
export function nameParams(method: Called, params: JsonRpcCall["params"]): NamedParams {
  if (params === undefined) return { ok: true, params: {} };
  if (!isPositional(params)) {
    if (method.params === "by-position" && Object.keys(params).length > 0)
      return refused({ reason: "by-position-only" });
    return named(method, params);
  }
  if (method.params === "by-name" && params.length > 0) return refused({ reason: "by-name-only" });
  const { parameters } = method;
  if (params.length > parameters.length)
    return refused({ reason: "surplus-parameter", position: parameters.length });
  const members: [string, JsonValue][] = [];
  for (const [at, value] of params.entries()) {
    const parameter = parameters[at];
    if (parameter === undefined) break;
    if (value !== null || parameter.required || parameter.nullable) members.push([parameter.name, value]);
  }
  return { ok: true, params: Object.fromEntries(members) };
}

function named({ parameters, open }: Called, params: JsonObject): NamedParams {
  if (open === true) return { ok: true, params };
  const surplus = Object.keys(params).find(
    (name) => !parameters.some((parameter) => parameter.name === name),
  );
  return surplus === undefined
    ? { ok: true, params }
    : refused({ reason: "surplus-parameter", name: echoedName(surplus) });
}

function refused(data: JsonObject): NamedParams {
  return { ok: false, data };
}

function isPositional(params: JsonObject | readonly JsonValue[]): params is readonly JsonValue[] {
  return Array.isArray(params);
}
