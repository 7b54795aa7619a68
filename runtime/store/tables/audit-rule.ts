import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "../../contract/index.ts";
import type { AuditChange } from "../records/audit.ts";

/**
 * How an audit entry records a field that changed:
 * - `value`: its values before and after, as text.
 * - `digest`: the SHA-256 of each, lower-case hex.
 * - `hidden`: that it changed, no more: personal data, free text and secrets.
 * - `silent`: nothing: it follows from the entry itself.
 * - a function: the part of the value that may be recorded.
 */
export type Treatment<V> = "value" | "digest" | "hidden" | "silent" | ((value: V) => string);

/** How each field of a record is recorded. */
export type AuditedFields<R> = { readonly [Field in keyof Required<R>]: Treatment<Required<R>[Field]> };

/** Fields that an entry says by itself. */
export const knownToEntries = {
  id: "silent",
  institutionId: "silent",
  createdAt: "silent",
  updatedAt: "silent",
} as const;

/** The changed fields of a record; of one that was added or removed, all fields that it has. */
export function changesBetween<R extends object>(
  fields: AuditedFields<R>,
  before: Partial<R> | undefined,
  after: Partial<R> | undefined,
): readonly AuditChange[] {
  const changes: AuditChange[] = [];
  for (const field of namesOf(fields)) {
    const treatment = fields[field];
    const [old, now] = [before?.[field], after?.[field]];
    if (treatment === "silent" || isSame(old, now)) continue;
    if (treatment === "hidden") {
      changes.push({ field });
      continue;
    }
    const [from, to] = [recorded(treatment, old), recorded(treatment, now)];
    changes.push({ field, ...omitUndefined({ from, to }) });
  }
  return changes;
}

/** The fields whose values entries tell. */
export function recordedFields<R extends object>(fields: AuditedFields<R>): readonly string[] {
  return namesOf(fields).filter((field) => fields[field] !== "silent" && fields[field] !== "hidden");
}

/** The recorded values of a record's fields, if its audit entries are complete. */
export function recordedValues<R extends object>(
  fields: AuditedFields<R>,
  record: Partial<R>,
): ReadonlyMap<string, string | undefined> {
  const values = new Map<string, string | undefined>();
  for (const field of namesOf(fields)) {
    const treatment = fields[field];
    if (treatment !== "silent" && treatment !== "hidden")
      values.set(field, recorded(treatment, record[field]));
  }
  return values;
}

function recorded<V>(
  treatment: Exclude<Treatment<V>, "hidden" | "silent">,
  value: V | undefined,
): string | undefined {
  const text = textOf(value);
  if (text === undefined || value === undefined) return undefined;
  if (typeof treatment === "function") return treatment(value);
  return treatment === "digest" ? createHash("sha256").update(text).digest("hex") : text;
}

/** Most fields are as they were, and comparing their values takes less time than making their texts. */
function isSame(old: unknown, now: unknown): boolean {
  return isDeepStrictEqual(old, now) || textOf(old) === textOf(now);
}

/** A text as it is, anything else as JSON, amounts as their digits. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? `${member}` : member,
  );
}

function namesOf<R extends object>(fields: AuditedFields<R>): readonly (keyof R & string)[] {
  const names: (keyof R & string)[] = [];
  for (const name in fields) names.push(name);
  return names;
}
