import type { JsonObject, JsonValue } from "../../contract/index.ts";
import type { FaultDetail } from "../fault.ts";
import { multilineName } from "./limits.ts";
import { foldName, isObject } from "./members.ts";

/**
 * The fault of a request that holds a control character (D-47): with the field, where it is in a value of the payload,
 * and the offset of its first byte in the body in any case.
 */
export function controlFault(payload: JsonObject, atByte: number): FaultDetail {
  const path = pathOfControl(payload, undefined);
  const detail = { reason: "control-character", data: { atByte } };
  if (path === undefined) return { fieldName: "request", ...detail };
  const fieldName = path.findLast((step) => typeof step === "string") ?? "payload";
  return { fieldName: String(fieldName), pointer: pointerOf(path), ...detail };
}

type Path = readonly (string | number)[];

/** The names and indexes that lead to the first text with a control character. The depth of a body is bounded. */
function pathOfControl(value: JsonValue, name: string | undefined): Path | undefined {
  if (typeof value === "string") {
    const isMultiline = name !== undefined && foldName(name) === multilineName;
    return hasControl(value, isMultiline) ? [] : undefined;
  }
  const members: readonly (readonly [string | number, JsonValue | undefined])[] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, member] of members) {
    const inner =
      member === undefined ? undefined : pathOfControl(member, typeof step === "string" ? step : undefined);
    if (inner !== undefined) return [step, ...inner];
  }
  return undefined;
}

function hasControl(text: string, isMultiline: boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isMultiline && (unit === 0x0a || unit === 0x0d)) continue;
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return false;
}

/** A JSON Pointer (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
