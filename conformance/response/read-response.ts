import { type Frame, jsonRpcFrame } from "../base/frame.ts";
import type { WireAnswer } from "../request/transport.ts";
import type { ErrorEntry, MethodEntry } from "../suite/suite.ts";
import { isJsonObject, memberOf, parsedJson } from "../values/index.ts";

/** An answer, as far as it could be read. */
export interface ServiceResponse extends WireAnswer {
  /** The JSON of the body; `undefined` if it is not one. */
  readonly json: unknown;
  /** Without a byte order mark. */
  readonly text: string;
  readonly startsWithMark: boolean;
  readonly error: ReadError | undefined;
  /** The names of its members. */
  readonly frame: Frame;
}

interface ReadError {
  readonly code: unknown;
  readonly message: unknown;
  readonly data: unknown;
}

/** `errors` are those of the interface: an error whose code is a number on the wire is read by its name. */
export function readResponse(
  answer: WireAnswer,
  errors: readonly ErrorEntry[] = [],
  frame: Frame = jsonRpcFrame,
): ServiceResponse {
  const written = answer.body.toString("utf8");
  const startsWithMark = written.startsWith("\uFEFF");
  const text = startsWithMark ? written.slice(1) : written;
  const json = parsedJson(text);
  const error = memberOf(json, frame.error);
  return {
    ...answer,
    text,
    startsWithMark,
    json,
    frame,
    error: isJsonObject(error)
      ? {
          code: nameOf(memberOf(error, "code"), errors),
          message: memberOf(error, "message"),
          data: memberOf(error, "data"),
        }
      : undefined,
  };
}

/** The result of an answer that looks like a success; undefined of any other. */
export function resultOf(answer: ServiceResponse, method: MethodEntry): unknown {
  // `error: null` is not an error: some services send it with every result.
  const { json, frame } = answer;
  if (!isJsonObject(json) || (memberOf(json, frame.error) ?? undefined) !== undefined) return undefined;
  if (answer.status < 200 || answer.status > 299) return undefined;
  if (method.transport.kind !== "flat") return memberOf(json, frame.result);
  if (method.result.kind !== "object") return json;
  const { fields } = method.result;
  const isEmptyResult = fields.every(({ presence }) => presence.kind !== "required");
  if (Object.keys(json).length === 0) return isEmptyResult ? json : undefined;
  // Where an error looks like nothing known, it has none of the result's members, but those of every envelope.
  const names = fields.map(({ name }) => name);
  const own = names.filter((name) => !envelopeNames.has(name));
  const distinguishing = own.length === 0 ? names : own;
  return distinguishing.some((name) => memberOf(json, name) !== undefined) ? json : undefined;
}

const envelopeNames: ReadonlySet<string> = new Set(["id", "jsonrpc", "error", "result"]);

/** How the name of a member stands in a JSON text, as a regular expression. */
export function writtenName(name: string): string {
  return JSON.stringify(name).replaceAll(/\W/g, String.raw`\$&`);
}

/** Whether a service says that it has no such operation. */
export function saysUnknownMethod({ status, error }: ServiceResponse): boolean {
  if (status === 404 || status === 501) return true;
  if (error === undefined) return false;
  const words = [error.code, error.message, memberOf(error.data, "reason")].join(" ");
  const number = memberOf(error.data, "rpcCode");
  return (
    number === -32601 ||
    error.code === -32601 ||
    /unknown[- _]?method|method[- _]?not[- _]?found|not[- _]?implemented|unimplemented|unsupported/i.test(
      words,
    )
  );
}

/** Whether an answer names a code, in whatever shape: the document does not say how an error looks. */
export function namesCode({ text }: ServiceResponse, code: string | undefined): boolean {
  return code !== undefined && new RegExp(`(?<![A-Za-z0-9_])${code}(?![A-Za-z0-9_])`).test(text);
}

/** The name of the error with this code on the wire, quoted if the name stands for a number. */
function nameOf(code: unknown, errors: readonly ErrorEntry[]): unknown {
  const known = errors.find((error) => error.wireCode === code && code !== undefined);
  if (known !== undefined) return known.code;
  const isNumbered = errors.some((error) => error.wireCode !== undefined && error.code === code);
  return isNumbered ? JSON.stringify(code) : code;
}

/** The words of an answer: of a page those that it shows, in one line, of anything else the text as it is. */
export function wordsOf(text: string): string {
  if (!/^\s{0,20}<(?:!doctype html|html)\b/i.test(text)) return text;
  const words = text
    .replaceAll(/<[^<>]*>/g, " ")
    .split(/\s/)
    .filter((each) => each !== "")
    .join(" ");
  return `a page that says: ${words}`;
}
