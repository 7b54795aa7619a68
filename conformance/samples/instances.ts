import { type FieldShape, type ObjectShape, pathGroups, type Shape } from "../suite/shape.ts";
import { accepts, isJsonObject, leadsTo, memberOf, wireNames } from "../values/index.ts";
import { type SampleReading, scalarSample, scalarSamples } from "./scalar-samples.ts";

/** How much of what may be absent an instance has: nothing, or everything near the root. */
export type Fullness = "minimal" | "maximal";

/** A value that fits a shape. Throws for a shape that no finite value fits. */
export function instanceOf(shape: Shape, fullness: Fullness, reading: SampleReading): unknown {
  return new InstanceBuilder(fullness, reading).build(shape, "");
}

/** A value of a field. */
export function fieldInstance(
  field: FieldShape,
  at: string,
  fullness: Fullness,
  reading: SampleReading,
): unknown {
  return new InstanceBuilder(fullness, reading).field(field, at);
}

class InstanceBuilder {
  readonly #fullness: Fullness;
  readonly #reading: SampleReading;
  /** Named types around the one being built. */
  readonly #open: string[] = [];
  /** How many values have been built. */
  #values = 0;

  constructor(fullness: Fullness, reading: SampleReading) {
    this.#fullness = fullness;
    this.#reading = reading;
  }

  field(field: FieldShape, at: string): unknown {
    return this.#reading.given?.(field, at) ?? this.build(field.shape, at);
  }

  build(shape: Shape, at: string): unknown {
    if (this.#open.length > 500) throw new Error(`no finite value fits the type ${this.#open.at(-1)}`);
    this.#values += 1;
    switch (shape.kind) {
      case "ref": {
        this.#open.push(shape.type);
        const value = this.build(this.#reading.resolve(shape), at);
        this.#open.pop();
        return value;
      }
      case "object":
        return this.#object(shape, at);
      case "array":
        return this.#array(shape, at);
      case "null":
      case "json":
        return null;
      case "nullable":
        return this.#isFull() && !this.#isOpen(shape.shape) ? this.build(shape.shape, at) : null;
      case "map":
        return this.#isFull() && !this.#isOpen(shape.values) ? this.#map(shape, at) : {};
      case "tuple":
        return shape.items.map((item, index) => this.build(item, `${at}/${index}`));
      case "union":
        return this.#union(shape, at);
      case "tagged":
        return this.#tagged(shape, at);
      default:
        return scalarSample(shape, this.#reading);
    }
  }

  #array(shape: Extract<Shape, { kind: "array" }>, at: string): unknown[] {
    const least = shape.itemsMin ?? 0;
    const isCircular = this.#isOpen(shape.items);
    const count = Math.max(least, !this.#isFull() || isCircular || shape.itemsMax === 0 ? 0 : 1);
    if (count > 1 && shape.unique) return [...scalarSamples(shape.items, count, this.#reading)];
    return Array.from({ length: count }, (_, index) => this.build(shape.items, `${at}/${index}`));
  }

  #map({ keys, values }: Extract<Shape, { kind: "map" }>, at: string): object {
    const name = keys === undefined ? "name" : String(this.build(keys, at));
    return { [name]: this.build(values, `${at}/${name}`) };
  }

  /** The first that has a value without one of a type that is being built. */
  #alternative(alternatives: readonly Shape[]): Shape {
    const chosen = alternatives.find((each) => this.#ends(each)) ?? alternatives[0];
    if (chosen === undefined) throw new Error("a union has no alternatives");
    return chosen;
  }

  /** Where only one may fit, a value of the first alternative that no other takes too, as far as one is found. */
  #union({ alternatives, exactlyOne }: Extract<Shape, { kind: "union" }>, at: string): unknown {
    const first = this.#alternative(alternatives);
    const value = this.build(first, at);
    const isOneOf = (each: unknown) =>
      alternatives.filter((alternative) => accepts(alternative, each, this.#reading)).length === 1;
    if (!exactlyOne || isOneOf(value)) return value;
    for (const alternative of alternatives) {
      if (!this.#ends(alternative)) continue;
      for (const fullness of [this.#fullness, "minimal", "maximal"] as const) {
        const other = instanceOf(alternative, fullness, this.#reading);
        if (isOneOf(other)) return other;
        const kept = this.#unfitFor(alternatives, alternative, other);
        if (isOneOf(kept)) return kept;
      }
    }
    return value;
  }

  /** An object with a further member for each other alternative that it fits: one whose value is wrong there. */
  #unfitFor(alternatives: readonly Shape[], own: Shape, value: unknown): unknown {
    const named = this.#fieldsOf(own);
    let unfit = value;
    for (const other of alternatives) {
      if (other === own || !isJsonObject(unfit) || !accepts(other, unfit, this.#reading)) continue;
      for (const field of this.#fieldsOf(other)) {
        if (named.some(({ name }) => name === field.name)) continue;
        const wrong = [null, true, 1, "text", [], {}].find(
          (each) => !accepts(field.shape, each, this.#reading),
        );
        if (wrong === undefined) continue;
        unfit = { ...unfit, [wireNames(field, this.#reading)[0] ?? field.name]: wrong };
        break;
      }
    }
    return unfit;
  }

  #fieldsOf(shape: Shape): readonly FieldShape[] {
    const resolved = this.#reading.resolve(shape);
    return resolved.kind === "object" ? resolved.fields : [];
  }

  #tagged({ discriminator, cases }: Extract<Shape, { kind: "tagged" }>, at: string): unknown {
    const chosen = this.#alternative(cases.map(({ shape }) => shape));
    const tag = cases.find(({ shape }) => shape === chosen)?.tag;
    return { ...Object(this.build(chosen, at)), [discriminator]: tag };
  }

  #object(shape: ObjectShape, at: string): object {
    const entries = new Map<string, unknown>();
    const add = (field: FieldShape) => {
      const value = this.field(field, `${at}/${field.name}`);
      for (const name of wireNames(field, this.#reading)) entries.set(name, value);
    };
    const fieldsNamed = (names: readonly string[]) => shape.fields.filter(({ name }) => names.includes(name));
    const alternatives = new Set(shape.exactlyOneOf.flatMap((group) => group.slice(1)));
    for (const field of shape.fields) {
      if (field.presence.kind === "required") add(field);
      else if (!this.#isFull() || this.#isOpen(field.shape) || alternatives.has(field.name)) continue;
      else add(field);
    }
    for (const group of [...shape.atLeastOneOf, ...shape.exactlyOneOf]) {
      if (group.some((name) => entries.has(name))) continue;
      const [first, ...others] = fieldsNamed(group);
      const chosen =
        [first, ...others].find((field) => field !== undefined && this.#ends(field.shape)) ?? first;
      if (chosen !== undefined) add(chosen);
    }
    for (const group of pathGroups(shape)) {
      if (group.some((path) => leadsTo(Object.fromEntries(entries), path))) continue;
      const path = group.find((each) => this.#leads(shape, each)) ?? group[0] ?? [];
      const field = shape.fields.find(({ name }) => name === path[0]);
      if (field === undefined) continue;
      const value = this.#along(field, path.slice(1), entries.get(field.name), `${at}/${field.name}`);
      for (const name of wireNames(field, this.#reading)) entries.set(name, value);
    }
    for (const group of shape.exactlyOnePath ?? []) {
      const present = group.filter((path) => leadsTo(Object.fromEntries(entries), path));
      for (const path of present.slice(1)) this.#cut(shape, path, entries);
    }
    for (const field of shape.fields) {
      const { presence } = field;
      if (presence.kind !== "required-when" || entries.has(field.name)) continue;
      if (presence.values.some((value) => value === entries.get(presence.field))) add(field);
    }
    const order = shape.fields.flatMap((field) => [...wireNames(field, this.#reading)]);
    return Object.fromEntries(
      order.filter((name) => entries.has(name)).map((name) => [name, entries.get(name)]),
    );
  }

  /** Takes the last part of a path away that may be absent, from the members of an object. */
  #cut(shape: ObjectShape, [name = "", ...rest]: readonly string[], members: Map<string, unknown>): boolean {
    const field = shape.fields.find((each) => each.name === name);
    if (field === undefined) return false;
    const names = wireNames(field, this.#reading);
    const inner = this.#reading.resolve(field.shape);
    const value = members.get(name);
    if (rest.length > 0 && inner.kind === "object" && isJsonObject(value)) {
      const within = new Map<string, unknown>(Object.entries(value));
      if (this.#cut(inner, rest, within)) {
        for (const each of names) members.set(each, Object.fromEntries(within));
        return true;
      }
    }
    if (field.presence.kind === "required") return false;
    for (const each of names) members.delete(each);
    return true;
  }

  /** A value of a field that has one at the end of a path within. */
  #along(field: FieldShape, [next, ...rest]: readonly string[], known: unknown, at: string): unknown {
    const value = known ?? this.field(field, at);
    const shape = this.#reading.resolve(field.shape);
    const inner = shape.kind === "object" ? shape.fields.find(({ name }) => name === next) : undefined;
    if (inner === undefined || !isJsonObject(value)) return value;
    const held = memberOf(value, inner.name);
    return { ...value, [inner.name]: this.#along(inner, rest, held, `${at}/${inner.name}`) };
  }

  /** Whether there is a value at the end of a path without one of a type that is being built. */
  #leads(shape: Shape, [name, ...rest]: readonly string[]): boolean {
    const resolved = this.#reading.resolve(shape);
    if (name === undefined) return this.#ends(shape);
    const field = resolved.kind === "object" ? resolved.fields.find((each) => each.name === name) : undefined;
    return field !== undefined && this.#ends(field.shape) && this.#leads(field.shape, rest);
  }

  /** Where many types refer to many, everything would be without end: a maximal instance stops to add at some size. */
  #isFull(): boolean {
    return this.#fullness === "maximal" && this.#open.length < 6 && this.#values < 60;
  }

  /** Whether there is a value of the shape without one of a type that is being built, or of those in `within`. */
  #ends(shape: Shape, within: readonly string[] = this.#open): boolean {
    switch (shape.kind) {
      case "ref":
        return (
          !within.includes(shape.type) && this.#ends(this.#reading.resolve(shape), [...within, shape.type])
        );
      case "array":
        return (shape.itemsMin ?? 0) === 0 || this.#ends(shape.items, within);
      case "tuple":
        return shape.items.every((item) => this.#ends(item, within));
      case "union":
        return shape.alternatives.some((each) => this.#ends(each, within));
      case "tagged":
        return shape.cases.some((each) => this.#ends(each.shape, within));
      case "object": {
        const ends = (field: FieldShape | undefined) =>
          field !== undefined && this.#ends(field.shape, within);
        const groups = [...shape.atLeastOneOf, ...shape.exactlyOneOf];
        return (
          shape.fields.every((field) => field.presence.kind !== "required" || ends(field)) &&
          groups.every((group) =>
            group.some((name) => ends(shape.fields.find((each) => each.name === name))),
          ) &&
          pathGroups(shape).every((group) =>
            group.some(([first]) => ends(shape.fields.find((each) => each.name === first))),
          )
        );
      }
      default:
        return true;
    }
  }

  #isOpen(shape: Shape): boolean {
    if (shape.kind === "ref") return this.#open.includes(shape.type);
    return shape.kind === "array" && this.#isOpen(shape.items);
  }
}
