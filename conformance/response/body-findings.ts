import { formatValue, type Finding } from "./finding.ts";
import type { ServiceResponse } from "./read-response.ts";
import { repeatedName } from "./repeated-name.ts";

/** Whether a body is JSON, and has each name of an object once, whatever the protocol. */
export function bodyFindings(answer: ServiceResponse, level: Finding["level"]): readonly Finding[] {
  if (answer.json === undefined) {
    const found = `HTTP ${answer.status} ${answer.text.slice(0, 200)}`;
    return [{ check: "json", level, expected: "a JSON body", found }];
  }
  const repeated = repeatedName(answer.text);
  if (repeated === undefined) return [];
  return [
    {
      check: "names",
      level: "document",
      expected: "each name of an object once",
      found: `${formatValue(repeated)} twice`,
      ofEveryAnswer: true,
    },
  ];
}
