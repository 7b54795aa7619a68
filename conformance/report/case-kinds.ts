import type { Outcome } from "../session/outcome.ts";

/** The kinds of cases, in the order in which people ask. */
export const caseKinds = [
  "present",
  "examples",
  "least and most",
  "required",
  "empty, null",
  "types",
  "values",
  "formats",
  "bounds",
  "spellings",
  "unknown",
  "credential",
  "signature",
  "order of checks",
  "envelope",
  "transport",
  "sequences",
  "exploration",
  "other",
] as const;

export type CaseKind = (typeof caseKinds)[number];

/** The kind of a case, as its id tells. */
export function caseKindOf({ id, method }: Pick<Outcome, "id" | "method">): CaseKind {
  const parts = (id.startsWith(`${method}/`) ? id.slice(method.length + 1) : id).split("/");
  const [first = ""] = parts;
  if (first.startsWith("payload")) return payloadKind(parts);
  if (first === "authentication")
    return /signature|bytes|stranger|flipped|p1363|canonical/.test(parts.slice(1).join("/"))
      ? "signature"
      : "credential";
  return byFirst.get(first) ?? "other";
}

const byFirst: ReadonlyMap<string, CaseKind> = new Map<string, CaseKind>([
  ["contact", "present"],
  ["present", "present"],
  ["example", "examples"],
  ["order", "order of checks"],
  ["envelope", "envelope"],
  ["unknown-method", "envelope"],
  ["revision", "envelope"],
  ["json", "envelope"],
  ["http-method", "transport"],
  ["path", "transport"],
  ["content-type", "transport"],
  ["content-encoding", "transport"],
  ["headers", "signature"],
  ["selection", "envelope"],
  ["scenario", "sequences"],
  ["exploration", "exploration"],
]);

/** A name says what was changed; the last part of a payload case's id begins with it. */
const payloadKinds: readonly (readonly [RegExp, CaseKind])[] = [
  [/(?:^|\s)(?:minimal|maximal)$|^in-full$/, "least and most"],
  [/^(?:absent|none-of|of-)/, "required"],
  [/^(?:empty|null|blank|0-items)/, "empty, null"],
  [/^(?:spelled-|two-spellings)/, "spellings"],
  [/^unknown-property/, "unknown"],
  [/^unknown(?:-without|$)/, "unknown"],
  [
    /^(?:value|unknown-value|other-case|trailing-blank|inherited-name|the-constant|not-the-constant)/,
    "values",
  ],
  [/^(?:string|number|true|false|array|object|null-among|numeric-text)/, "types"],
  [/date|url|pem|address|time|astral/, "formats"],
  [/\d|fraction|twice/, "bounds"],
];

function payloadKind(parts: readonly string[]): CaseKind {
  const last = parts.at(-1) ?? "";
  return payloadKinds.find(([pattern]) => pattern.test(last))?.[1] ?? "other";
}
