import { isJsonObject, type Problem } from "../../../conformance/values/index.ts";

/** Why a value does not fit its type; `name` is the member that is missing or too much. */
export function problemWords({ kind, expected, found, known }: Problem, name: string): string {
  switch (kind) {
    case "absent":
      return `\`${name}\` is missing`;
    case "surplus":
      return `there is no field \`${name}\``;
    case "empty":
      return "a required text is not empty";
    case "value":
      return known === undefined
        ? `it can only be ${expected}`
        : `${inWords(found)} is not one of its values`;
    case "alternative":
      return `expected a value ${expected}`;
    case "group":
    case "repeated":
      return `expected ${expected}`;
    case "items":
      return `expected ${expected}, found ${Array.isArray(found) ? found.length : "none"}`;
    case "type":
      return `expected ${expected}, found ${kindOf(found)}`;
    default:
      return `expected ${expected}, found ${inWords(found)}`;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isJsonObject(value)) return "an object";
  return typeof value === "string" || typeof value === "number" ? `a ${typeof value}` : String(value);
}

/** A value in a message; long texts are cut. */
function inWords(value: unknown): string {
  const text = String(value);
  return text.length <= 60 ? `\`${text}\`` : `\`${text.slice(0, 57)}…\``;
}
