import type {
  JsonObject,
  JsonRpcInterfaceDescriptor,
  JsonRpcMethodDescriptor,
  PayloadValidator,
  ValidationError,
} from "../contract/index.ts";
import {
  echoedName,
  nameParams,
  numberTexts,
  readExactNumbers,
  type DecodedCall,
} from "../protocol/json-rpc/index.ts";
import { callError, type CallError } from "./call-error.ts";
import { ContractError } from "./failure.ts";

export interface ValidCall {
  readonly kind: "valid";
  readonly payload: object;
}

/** Whether parameters of a method of the interface are numbers with all their digits. */
export function hasExactNumbers({ methods }: JsonRpcInterfaceDescriptor): boolean {
  return Object.values(methods).some(({ plans }) => plans?.params !== undefined);
}

/**
 * Names the params, validates them, and fills in the defaults of the spec. `readsExactly`: the interface has parameters with
 * all their digits; these get them, and other integers that a number cannot hold are refused here.
 */
export function validate(
  method: JsonRpcMethodDescriptor,
  { params, paramsBytes }: Pick<DecodedCall, "params" | "paramsBytes">,
  readsExactly = false,
): ValidCall | CallError {
  const named = nameParams(method, params);
  if (!named.ok) return callError("invalidParams", named.data);
  if (!method.validate(named.params)) return callError("invalidParams", violationOf(method.validate));
  if (readsExactly && paramsBytes !== undefined) {
    const texts = nameParams(method, numberTexts(paramsBytes));
    const refused = texts.ok ? readExactNumbers(named.params, texts.params, method.plans?.params) : undefined;
    if (refused !== undefined)
      return callError("invalidParams", { field: echoedPath(refused.field), reason: refused.reason });
  }
  return { kind: "valid", payload: method.fillDefaults?.(named.params) ?? named.params };
}

/** Values of an enum or a discriminator that an error lists: a longer list is in the reference. */
const allowedMax = 32;

/** Where and why a value does not fit, and what it may be: no part of the value itself, which may be a secret. */
export function violationOf({ errors }: PayloadValidator): JsonObject {
  const [first] = errors ?? [];
  if (first === undefined) return { reason: "invalid" };
  const { allowedValues } = first.params;
  const isShort = Array.isArray(allowedValues) && allowedValues.length <= allowedMax;
  return { field: pointerOf(first), reason: first.keyword, ...(isShort && { allowed: allowedValues }) };
}

/** @throws ContractError where a result, as it is sent, does not fit the spec. */
export function checkResult(
  { name, validateResult }: { readonly name: string; readonly validateResult?: PayloadValidator },
  sentText: string,
): void {
  if (validateResult === undefined || validateResult(JSON.parse(sentText))) return;
  const { field = "", reason } = violationOf(validateResult);
  throw new ContractError(
    `the result of ${name} does not fit the spec at ${field === "" ? "its root" : String(field)} (${String(reason)}): ` +
      "correct its handler or the spec",
  );
}

/** A JSON Pointer (RFC 6901) that includes the name of a missing or surplus member. */
function pointerOf({ instancePath, params }: ValidationError): string {
  const member = params["missingProperty"] ?? params["additionalProperty"];
  const path = echoedPath(instancePath);
  if (typeof member !== "string") return path;
  return `${path}/${echoedName(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A pointer whose names may be those of a map, which callers choose. */
function echoedPath(pointer: string): string {
  return pointer.split("/").map(echoedName).join("/");
}
