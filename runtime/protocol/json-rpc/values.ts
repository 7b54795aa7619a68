import {
  type JsonObject,
  type JsonRpcMethodDescriptor,
  type JsonValue,
  decimal,
  type Decimal,
  type ValuePlan,
} from "../../contract/index.ts";
import type { JsonRpcCall } from "./decode.ts";
import { isExactInteger, isTooPrecise } from "../../json/exact-decimal.ts";

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

/** A number that is refused: its JSON Pointer, and why. */
export interface InexactNumber {
  readonly field: string;
  /** `number-inexact`: no number holds it. `digits`: an amount has more than 15 significant digits. */
  readonly reason: "number-inexact" | "digits";
}

/**
 * Replaces the numbers of a validated value that are to have all their digits. `texts` is the same value with numbers
 * as they were sent. An integer that was sent as a fraction or with an exponent is printed as its number.
 */
export function readExactNumbers(
  value: object,
  texts: object,
  given: ValuePlan | undefined,
): InexactNumber | undefined {
  const plan = caseOf(value, given);
  for (const name of Object.keys(value)) {
    const inner = memberPlan(plan, name);
    const [member, text]: readonly unknown[] = [Reflect.get(value, name), Reflect.get(texts, name)];
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof member === "number") {
      const exact = exactNumber(member, String(text), inner?.number);
      if (typeof exact === "string") return { field: pointer, reason: exact };
      if (exact !== member) setMember(value, name, exact);
    } else if (member instanceof Object && text instanceof Object) {
      const refused = readExactNumbers(member, text, inner);
      if (refused !== undefined) return { ...refused, field: pointer + refused.field };
    }
  }
  return undefined;
}

function exactNumber(
  number: number,
  text: string,
  kind: ValuePlan["number"],
): number | bigint | Decimal | InexactNumber["reason"] {
  const isPlain = /^-?\d+$/.test(text);
  if (kind === "decimal") return isTooPrecise(text) ? "digits" : decimal(text);
  // Where a fraction may be, too, it stays one.
  if (kind === "bigint" && Number.isInteger(number)) return BigInt(isPlain ? text : number);
  return isPlain && !isExactInteger(text, number) ? "number-inexact" : number;
}

/** As a member, whatever its name. */
function setMember(value: object, name: string, member: unknown): void {
  const property = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(value, name, { ...property, value: member });
}

/** What is sent of a value: its declared members. The value itself where that is all of it. */
export function declaredValue(value: unknown, given: ValuePlan | undefined): unknown {
  if (given === undefined || given.number !== undefined || typeof value !== "object" || value === null)
    return value;
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const json: unknown = value.toJSON();
    return json === value ? value : declaredValue(json, given);
  }
  const plan = caseOf(value, given);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) => declaredValue(item, memberPlan(plan, String(at))));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const { members = {}, open } = plan;
  let isChanged = false;
  const sent: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const isKept =
      open === true || plan.members === undefined || Object.hasOwn(members, name) || name === plan.tag;
    const part: unknown = isKept ? declaredValue(member, memberPlan(plan, name)) : undefined;
    isChanged ||= !isKept || part !== member;
    if (isKept) sent.push([name, part]);
  }
  return isChanged ? Object.fromEntries(sent) : value;
}

function memberPlan({ members = {}, items }: ValuePlan = {}, name: string): ValuePlan | undefined {
  return (Object.hasOwn(members, name) ? members[name] : items)?.();
}

/** The plan of the case that a value names, which may have the member that names it. */
function caseOf(value: object, plan: ValuePlan = {}): ValuePlan {
  const { tag, cases = {}, ...rest } = plan;
  if (tag === undefined) return plan;
  const named: unknown = Reflect.get(value, tag);
  const found = typeof named === "string" && Object.hasOwn(cases, named) ? cases[named]?.() : undefined;
  // An unknown case is sent as its name only.
  return { members: {}, ...(found ?? rest), tag };
}

const lengthMax = 128;

/** A name that a caller chose, as an error repeats it: a name of a megabyte makes no answer of a megabyte. */
export function echoedName(name: string): string {
  return name.length <= lengthMax ? name : `${name.slice(0, lengthMax - 1).toWellFormed()}…`;
}
