import type {
  ErrorDescriptor,
  FieldShape,
  JsonObject,
  MethodDescriptor,
  ObjectShape,
} from "../../contract/index.ts";
import { omitUndefined } from "../../contract/index.ts";
import { oncePer } from "../../contract/once-per.ts";
import type { Refused } from "../port.ts";
import { documentedName } from "./validate.ts";

/** The response body around a result (section 1; flat operations have none around it). `id` is JSON. */
export function printResponse({ transport }: MethodDescriptor, id: string, resultText: string): string {
  if (transport.kind === "flat") return resultText;
  const error = transport.nullError === true ? ',"error":null' : "";
  const jsonrpc = transport.jsonrpc ? ',"jsonrpc":"2.0"' : "";
  return `{"id":${id},"result":${resultText}${error}${jsonrpc}}`;
}

export interface SentDetail extends Pick<Refused, "field" | "fieldName" | "reason" | "data"> {
  /** Replaces the integer that the spec gives the code. */
  readonly rpcCode?: number;
  /** Where the log says more under it. */
  readonly requestId?: string;
}

/** The response body of an error (D-01). `id` is JSON. */
export function printError(
  id: string,
  errorCode: string,
  descriptor: ErrorDescriptor,
  { field, fieldName, reason, data = {}, requestId, rpcCode = descriptor.rpcCode }: SentDetail,
): string {
  const name = fieldName ?? documentedName(field ?? "") ?? "payload";
  const detail: JsonObject = {
    ...omitUndefined({ field, reason }),
    ...data,
    ...omitUndefined({ requestId }),
    rpcCode,
  };
  const message = descriptor.message.replaceAll("{field}", () => name);
  const error = { code: descriptor.wireCode ?? errorCode, message, data: detail };
  return `{"id":${id},"error":${JSON.stringify(error)},"jsonrpc":"2.0"}`;
}

/**
 * A handler's result as JSON text: the documented fields only, in document order, and those spelt two ways under both
 * names (D-12). Other members that a handler returns are dropped: a record never leaks through a wide object.
 * Printing by shape takes half the time of building the object that `JSON.stringify` would print.
 */
export function printResult(result: object, shape: ObjectShape): string {
  if (!isRecord(result)) return "{}";
  let members = "";
  for (const field of printableOf(shape)) {
    const value = result[field.name];
    // For a field called `toString` that the handler left out, every object has a function.
    if (value === undefined || typeof value === "function") continue;
    const isPlain = typeof value === "string" && plainText.test(value);
    const text = isPlain ? value : printValue(value, field);
    for (const { bare, quoted } of field.keys) members += isPlain ? `${quoted}${text}"` : bare + text;
  }
  return `{${members.slice(1)}}`;
}

interface PrintableField {
  readonly name: string;
  /** Each of its names as JSON, after a comma: with a colon, and with the quote that a text begins with. */
  readonly keys: readonly { readonly bare: string; readonly quoted: string }[];
  readonly shape: (() => ObjectShape) | undefined;
}

const printableOf = oncePer((shape: ObjectShape) => shape.fields.map(printableField));

function printableField({ name, alsoSentAs, shape }: FieldShape): PrintableField {
  const names = alsoSentAs === undefined ? [name] : [name, alsoSentAs];
  const keys = names.map((each) => `,${JSON.stringify(each)}:`);
  return { name, keys: keys.map((bare) => ({ bare, quoted: `${bare}"` })), shape };
}

function printValue(value: unknown, field: PrintableField): string {
  if (typeof value === "string") return printText(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  // In a list, what JSON has no word for is null, as in all JSON of JavaScript.
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (field.shape === undefined) return printShapeless(value);
  if (!Array.isArray(value)) return printResult(value, field.shape());
  const items: readonly unknown[] = value;
  return `[${items.map((item) => printValue(item, field)).join(",")}]`;
}

/** An amount prints the digits it was made of (D-37), here without the detour over `toJSON`. */
function printShapeless(value: object): string {
  return "lexeme" in value && typeof value.lexeme === "string" ? value.lexeme : JSON.stringify(value);
}

const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function printText(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}

function isRecord(object: object): object is Readonly<Record<string, unknown>> {
  return !Array.isArray(object);
}
