/** Any value that JSON (RFC 8259) can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A value as text; of an error its message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
