import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "../contract/index.ts";
import type { AuditChange } from "../ports/index.ts";
import { digestOf, type AuditedTable, type Treatment } from "./audited-tables.ts";

/** The changed fields of a record; of one that was added or removed, all fields that it has. */
export function changesBetween<R extends object>(
  table: AuditedTable<R>,
  before: R | undefined,
  after: R | undefined,
): readonly AuditChange[] {
  const changes: AuditChange[] = [];
  for (const field of fieldsOf(table)) {
    const treatment = table.fields[field];
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

/** The recorded values of a record's fields, if its audit entries are complete. */
export function recordedValues<R extends object>(
  table: AuditedTable<R>,
  record: R,
): ReadonlyMap<string, string | undefined> {
  const values = new Map<string, string | undefined>();
  for (const field of fieldsOf(table)) {
    const treatment = table.fields[field];
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
  return treatment === "digest" ? digestOf(text) : text;
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

function fieldsOf<R extends object>({ fields }: AuditedTable<R>): readonly (keyof R & string)[] {
  const names: (keyof R & string)[] = [];
  for (const name in fields) names.push(name);
  return names;
}
