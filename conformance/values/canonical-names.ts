import type { PayloadShape } from "../suite/suite.ts";
import { isJsonObject } from "./json.ts";
import type { FieldShape, Reading, Shape } from "../suite/shape.ts";

/** A payload under canonical names, and which names it has twice. */
export interface Renamed {
  readonly payload: unknown;
  /** JSON Pointers. */
  readonly doubled: readonly string[];
}

/** Reads a payload as a service does, ignoring the case of names (D-11). */
export function canonicalNames(payload: PayloadShape, value: unknown, reading: Reading): Renamed {
  const doubled: string[] = [];
  const fields =
    payload.kind === "single" ? payload.shape.fields : payload.forms.flatMap(({ shape }) => shape.fields);
  return { payload: renamedObject(fields, value, "", reading, doubled), doubled };
}

function renamed(shape: Shape, value: unknown, at: string, reading: Reading, doubled: string[]): unknown {
  const resolved = reading.resolve(shape);
  if (resolved.kind === "object") return renamedObject(resolved.fields, value, at, reading, doubled);
  if (resolved.kind !== "array" || !Array.isArray(value)) return value;
  return value.map((item, index) => renamed(resolved.items, item, `${at}/${index}`, reading, doubled));
}

function renamedObject(
  fields: readonly FieldShape[],
  value: unknown,
  at: string,
  reading: Reading,
  doubled: string[],
): unknown {
  if (!isJsonObject(value)) return value;
  const byName = new Map<string, FieldShape>();
  for (const field of fields) {
    for (const name of [field.name, ...field.spellings])
      if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), field);
  }
  const entries = new Map<string, unknown>();
  for (const [name, part] of Object.entries(value)) {
    const field = byName.get(name.toLowerCase());
    const canonical = field?.name ?? name;
    if (entries.has(canonical)) doubled.push(`${at}/${canonical}`);
    entries.set(
      canonical,
      field === undefined ? part : renamed(field.shape, part, `${at}/${canonical}`, reading, doubled),
    );
  }
  return Object.fromEntries(entries);
}
