import { payloadFields } from "../suite/methods.ts";
import type { FieldShape, Reading, Shape } from "../suite/shape.ts";
import type { PayloadShape } from "../suite/suite.ts";
import { escaped, isJsonObject, memberOf } from "./json.ts";
import { type Problem, problemsOf } from "./problems.ts";

/** A value under canonical names, and which names it has twice. */
export interface Renamed {
  readonly payload: unknown;
  /** JSON Pointers, in canonical names. */
  readonly doubled: readonly string[];
  /** By JSON Pointer in canonical names: the name as it is written, of a doubled one the last. */
  readonly written: ReadonlyMap<string, string>;
}

/** Names with the same key are the same name. */
type KeyOf = (name: string) => string;

/** Reads a payload as a service does, ignoring the case of names (D-11). */
export function canonicalNames(payload: PayloadShape, value: unknown, reading: Reading): Renamed {
  const walk = new Walk(reading, (name) => name.toLowerCase());
  return {
    payload: walk.object(payloadFields(payload), value, ""),
    doubled: walk.doubled,
    written: walk.written,
  };
}

/** A value of a shape, whose names are spelt as the shape has them, or as one of their further spellings. */
export function canonicalValue(shape: Shape, value: unknown, reading: Reading, keyOf: KeyOf): Renamed {
  const walk = new Walk(reading, keyOf);
  return { payload: walk.value(shape, value, ""), doubled: walk.doubled, written: walk.written };
}

class Walk {
  readonly doubled: string[] = [];
  readonly written = new Map<string, string>();
  readonly #reading: Reading;
  readonly #keyOf: KeyOf;

  constructor(reading: Reading, keyOf: KeyOf) {
    this.#reading = reading;
    this.#keyOf = keyOf;
  }

  value(shape: Shape, value: unknown, at: string): unknown {
    const resolved = this.#reading.resolve(shape);
    switch (resolved.kind) {
      case "object":
        return this.object(resolved.fields, value, at);
      case "array":
        return this.#items(value, at, () => resolved.items);
      case "tuple":
        return this.#items(value, at, (index) => resolved.items[index]);
      case "nullable":
        return this.value(resolved.shape, value, at);
      case "map":
        return isJsonObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, part]) => [
                name,
                this.value(resolved.values, part, `${at}/${escaped(name)}`),
              ]),
            )
          : value;
      case "tagged": {
        const tag = memberOf(value, resolved.discriminator);
        const chosen = resolved.cases.find((each) => each.tag === tag);
        return chosen === undefined ? value : this.value(chosen.shape, value, at);
      }
      default:
        return value;
    }
  }

  #items(value: unknown, at: string, shapeAt: (index: number) => Shape | undefined): unknown {
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown, index) => {
      const shape = shapeAt(index);
      return shape === undefined ? item : this.value(shape, item, `${at}/${index}`);
    });
  }

  object(fields: readonly FieldShape[], value: unknown, at: string): unknown {
    if (!isJsonObject(value)) return value;
    const byName = new Map<string, FieldShape>();
    for (const field of fields)
      for (const name of [field.name, ...field.spellings].map(this.#keyOf))
        if (!byName.has(name)) byName.set(name, field);
    const entries = new Map<string, unknown>();
    for (const [name, part] of Object.entries(value)) {
      const field = byName.get(this.#keyOf(name));
      const canonical = field?.name ?? name;
      const pointer = `${at}/${escaped(canonical)}`;
      if (entries.has(canonical)) this.doubled.push(pointer);
      this.written.set(pointer, name);
      entries.set(canonical, field === undefined ? part : this.value(field.shape, part, pointer));
    }
    return Object.fromEntries(entries);
  }
}

/** All that is wrong with a payload; with several forms, with the form that it comes closest to. */
export function payloadProblems(payload: PayloadShape, value: unknown, reading: Reading): readonly Problem[] {
  if (payload.kind === "single") return problemsOf(payload.shape, value, reading);
  const { forms, selectedBy } = payload;
  const byForm = forms.map((form) => ({ form, problems: problemsOf(form.shape, value, reading) }));
  if (!isJsonObject(value)) return byForm[0]?.problems ?? [];
  if (selectedBy === "stored") {
    const misfits = Object.entries(value).flatMap(([name, part]) =>
      formFieldProblems(payload, name, part, reading),
    );
    const closest = byForm.toSorted((a, b) => a.problems.length - b.problems.length)[0];
    return [...(closest?.problems ?? []), ...misfits];
  }
  const chosen = byForm.filter(({ form }) => {
    const selector = form.shape.fields.find(({ name }) => name === selectedBy);
    // A body without the selector is of the form that may lack it.
    if (selector?.presence.kind === "optional" && (memberOf(value, selectedBy) ?? undefined) === undefined)
      return true;
    return (
      selector !== undefined && problemsOf(selector.shape, memberOf(value, selectedBy), reading).length === 0
    );
  });
  const none: Problem = {
    at: `/${selectedBy}`,
    kind: "form",
    expected: `one of ${forms.map(({ name }) => name).join(", ")}`,
    found: memberOf(value, selectedBy),
  };
  return chosen.length === 0 ? [none] : chosen.flatMap(({ problems }) => problems);
}

/** A field has to fit the field of that name of any form that has one. */
function formFieldProblems(
  payload: Extract<PayloadShape, { kind: "forms" }>,
  name: string,
  value: unknown,
  reading: Reading,
): readonly Problem[] {
  const fields = payload.forms.flatMap((form) => form.shape.fields.filter((field) => field.name === name));
  const found = fields.map((field) => problemsOf(field.shape, value, reading));
  if (found.length === 0 || found.some((problems) => problems.length === 0)) return [];
  return (found[0] ?? []).map((problem) => ({ ...problem, at: `/${escaped(name)}${problem.at}` }));
}

/** Whether a JSON value is a payload that validation lets through to the handler. */
export function acceptsPayload(payload: PayloadShape, value: unknown, reading: Reading): boolean {
  return payloadProblems(payload, value, reading).length === 0;
}
