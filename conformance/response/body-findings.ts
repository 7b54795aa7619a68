import { isUtf8 } from "node:buffer";
import { formatValue, type Finding } from "./finding.ts";
import type { ServiceResponse } from "./read-response.ts";
import { repeatedName } from "./repeated-name.ts";

/** Whether a body is JSON in UTF-8, and has each name of an object once, whatever the protocol. */
export function bodyFindings(answer: ServiceResponse, level: Finding["level"]): readonly Finding[] {
  const findings = byteFindings(answer);
  if (answer.json === undefined) {
    const found = `HTTP ${answer.status} ${answer.text.slice(0, 200)}`;
    // At `document` it is an answer that had to be a result; how errors look is about all of them.
    const ofEvery = level === "document" ? {} : ({ ofEveryAnswer: true } as const);
    return [...findings, { check: "json", level, expected: "a JSON body", found, ...ofEvery }];
  }
  const repeated = repeatedName(answer.text);
  if (repeated === undefined) return findings;
  return [
    ...findings,
    {
      check: "names",
      level: "document",
      expected: "each name of an object once",
      found: `${formatValue(repeated.name)} twice`,
      ofEveryAnswer: true,
    },
  ];
}

/** Whether an answer over HTTP says that it is JSON, as one of these media types. */
export function mediaTypeFindings(
  { headers, isMessage }: ServiceResponse,
  accepted: readonly string[],
): readonly Finding[] {
  const type = headers["content-type"] ?? "";
  const essence = type.split(";")[0]?.trim().toLowerCase() ?? "";
  if (isMessage === true || accepted.includes(essence)) return [];
  return [
    {
      check: "content-type",
      level: "decisions",
      expected: "application/json",
      found: type || "nothing",
      ofEveryAnswer: true,
    },
  ];
}

/** The findings on bytes that callers' JSON parsers fail at, though the rest can be read: RFC 8259, section 8.1. */
function byteFindings({ body, startsWithMark }: ServiceResponse): readonly Finding[] {
  const findings: Finding[] = [];
  const common = { level: "document", ofEveryAnswer: true } as const;
  if (startsWithMark)
    findings.push({
      ...common,
      check: "byte-order-mark",
      expected: "a body that begins with JSON (RFC 8259, section 8.1)",
      found: "a byte order mark",
    });
  if (!isUtf8(body))
    findings.push({
      ...common,
      check: "utf-8",
      expected: "a body in UTF-8 (RFC 8259, section 8.1)",
      found: "bytes that are none",
    });
  return findings;
}
