import { payloadFields } from "../suite/payload-shapes.ts";
import type { FieldShape, Reading, Shape } from "../suite/shape.ts";
import type { PayloadShape } from "../suite/suite.ts";
import { escaped, isJsonObject } from "./json.ts";

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
        const tag = isJsonObject(value)
          ? Object.entries(value).find(([name]) => name === resolved.discriminator)
          : undefined;
        const chosen = resolved.cases.find((each) => each.tag === tag?.[1]);
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
