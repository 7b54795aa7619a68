import { isUtf8 } from "node:buffer";
import { finding, type Finding, formatValue, ofEvery, startOf } from "./finding.ts";
import type { ServiceResponse } from "./read-response.ts";

/**
 * The findings on a body: JSON in UTF-8, and each name of an object once, whatever the protocol. Callers' JSON parsers
 * fail at some bytes though the rest can be read (RFC 8259, section 8.1).
 */
export function bodyFindings(answer: ServiceResponse, level: Finding["level"]): readonly Finding[] {
  const { body, startsWithMark, json, text } = answer;
  const findings: Finding[] = [];
  const add = (check: string, expected: string, found: string): void => {
    findings.push(finding(check, "document", expected, found, ofEvery));
  };
  if (startsWithMark)
    add("byte-order-mark", "a body that begins with JSON (RFC 8259, section 8.1)", "a byte order mark");
  if (!isUtf8(body)) add("utf-8", "a body in UTF-8 (RFC 8259, section 8.1)", "bytes that are none");
  const repeated = json === undefined ? undefined : repeatedName(text);
  if (repeated !== undefined)
    add("names", "each name of an object once", `${formatValue(repeated.name)} twice`);
  // At `document` it is an answer that had to be a result; how errors look is about all of them.
  const more = level === "document" ? {} : ofEvery;
  return json === undefined
    ? [...findings, finding("json", level, "a JSON body", startOf(answer), more)]
    : findings;
}

/** Whether an answer over HTTP says that it is JSON, as one of these media types. */
export function mediaTypeFindings(
  { headers, isMessage }: ServiceResponse,
  accepted: readonly string[],
): readonly Finding[] {
  const type = headers["content-type"] ?? "";
  const essence = type.split(";")[0]?.trim().toLowerCase() ?? "";
  if (isMessage === true || accepted.includes(essence)) return [];
  return [finding("content-type", "decisions", "application/json", type || "nothing", ofEvery)];
}

/** A name that an object of a JSON text has twice. */
interface RepeatedName {
  readonly name: string;
  /** Where it stands again, and where it stood first: offsets in the text. */
  readonly at: number;
  readonly firstAt: number;
}

/**
 * The first name that an object of a JSON text has twice; undefined where each is there once. Readers take the first
 * value, the last one or refuse the text (RFC 8259, section 4), so such a text says different things to each.
 */
export function repeatedName(json: string): RepeatedName | undefined {
  const open: (Map<string, number> | undefined)[] = [];
  let textAt = 0;
  let textEnd = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{") open.push(new Map());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      textAt = at;
      at = endOfText(json, at);
      textEnd = at + 1;
    } else if (character === ":") {
      const names = open.at(-1);
      const name = String(JSON.parse(json.slice(textAt, textEnd)));
      const firstAt = names?.get(name);
      if (firstAt !== undefined) return { name, at: textAt, firstAt };
      names?.set(name, textAt);
    }
  }
  return undefined;
}

/** The closing quote. An expression would run out of stack at a text of some megabytes. */
function endOfText(json: string, open: number): number {
  let at = open + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}
