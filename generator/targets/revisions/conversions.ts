import { diffModels, pairFields, pairTypes, pairValues, type Change } from "../../diff/index.ts";
import {
  resolve,
  typeOf,
  type FieldModel,
  type NumberShape,
  type ObjectTypeShape,
  type ServiceModel,
  type Shape,
  type TaggedShape,
  type TypeModel,
  type UnionShape,
} from "../../model/index.ts";
import { claim } from "../../print/interface-names.ts";
import { stringLiteral } from "../../print/literals.ts";
import { conversionOf, type Way } from "./by-rule.ts";
import {
  byHandName,
  functionOf,
  type Convert,
  type ConverterFunction,
  type HandWritten,
  explicitMember,
  placeFacts,
  Locals,
  objectOf,
  objectWithout,
  isNumber,
  shapeName,
  valuesOf,
  type Values,
} from "./converter.ts";
import { fieldPlace, gives, itemPlace, takes, withoutNull, type Place } from "./place.ts";

/** Converts values between two revisions; gathers the functions that this takes. */
export class Conversions {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
  readonly changes: readonly Change[];
  readonly #types: ReadonlyMap<string, TypeModel>;
  readonly #byHand: ReadonlyMap<string, readonly Change[]>;
  readonly #aliases = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** Pairs of types that are not the same: known better with each walk, until nothing is learnt. */
  readonly #different = new Set<string>();
  #queue: (() => void)[] = [];
  #met = new Set<string>();
  #functions = new Map<string, ConverterFunction>();
  #handWritten = new Map<string, HandWritten>();

  constructor(old: ServiceModel, recent: ServiceModel) {
    this.old = old;
    this.new = recent;
    this.changes = diffModels(old, recent);
    this.#types = pairTypes(old, recent);
    this.#byHand = Map.groupBy(
      this.changes.filter((change) => conversionOf(change)?.conversion === "by-hand"),
      (change) => `${conversionOf(change)?.way} ${change.path}`,
    );
  }

  get functions(): readonly ConverterFunction[] {
    return [...this.#functions.values()];
  }

  get handWritten(): readonly HandWritten[] {
    return [...this.#handWritten.values()];
  }

  /** Runs a walk over everything that is converted until it comes to the same as before. */
  settle<T>(walk: () => T): T {
    for (;;) {
      const known = this.#different.size;
      this.#met = new Set();
      this.#functions = new Map();
      this.#handWritten = new Map();
      const result = walk();
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) next();
      if (this.#different.size === known) return result;
    }
  }

  convert(place: Place, old: Shape, recent: Shape): Convert {
    if (old.kind === "ref" || recent.kind === "ref") return this.#reference(place, old, recent);
    if (this.#isByHand(place)) return this.#wholeByHand(place);
    if (old.kind === "object" && recent.kind === "object")
      return this.#unit(place, this.#objectBody(place, old, recent));
    if (old.kind === "array" && recent.kind === "array") {
      const items = this.convert(itemPlace(place), old.items, recent.items);
      return items && ((value) => `${value}.map(${functionOf(items)})`);
    }
    if (isNumber(old) && isNumber(recent)) return this.#number(place, old, recent);
    if (old.kind === "boolean" && recent.kind === "boolean")
      return this.#constant(place, old.const, recent.const);
    const values = { old: valuesOf(old), new: valuesOf(recent) };
    if (values.old !== undefined && values.new !== undefined)
      return this.#texts(place, values.old, values.new);
    if (old.kind === "nullable" && recent.kind === "nullable") {
      const inner = this.convert(withoutNull(place), old.shape, recent.shape);
      return inner && ((value) => `(${value} === null ? null : ${inner(value)})`);
    }
    if (old.kind === "tagged" && recent.kind === "tagged" && old.discriminator === recent.discriminator)
      return this.#tagged(place, old, recent);
    if (old.kind === "null" && recent.kind === "null") return undefined;
    if (old.kind === "union" && recent.kind === "union" && this.#areSame(place, old, recent))
      return undefined;
    return this.#wholeByHand(place);
  }

  /** Whether every alternative stays as it is. Where one does not, nothing tells which one a value is. */
  #areSame(place: Place, old: UnionShape, recent: UnionShape): boolean {
    if (old.alternatives.length !== recent.alternatives.length) return false;
    return old.alternatives.every((each, at) => {
      const now = recent.alternatives[at];
      const path = `${place.path}|${at}`;
      return now !== undefined && this.convert({ ...place, path }, each, now) === undefined;
    });
  }

  /** Each case by its own type. A tag that the later revision no longer has is passed on, and refused. */
  #tagged(place: Place, old: TaggedShape, recent: TaggedShape): Convert {
    const { discriminator } = recent;
    const cases = recent.cases.flatMap(({ tag, shape }) => {
      const before = old.cases.find((each) => each.tag === tag);
      if (before === undefined) return [];
      const convert = this.convert({ ...place, path: `${place.path}/${tag}` }, before.shape, shape);
      if (convert === undefined) return [];
      const converted = convert("value");
      const [model, given] = place.way === "down" ? [this.old, before.shape] : [this.new, shape];
      const tagged = declares(model, given, discriminator)
        ? converted
        : `{ ...${converted}, ${stringLiteral(discriminator)}: ${stringLiteral(tag)} }`;
      return [`case ${stringLiteral(tag)}: return ${tagged};`];
    });
    const isGone =
      place.way === "up" && old.cases.some(({ tag }) => !recent.cases.some((each) => each.tag === tag));
    if (cases.length === 0 && !isGone) return undefined;
    const rest = isGone ? "passedOn(value)" : "value";
    return this.#unit(
      place,
      `switch (value[${stringLiteral(discriminator)}]) {\n${cases.join("\n")}\ndefault: return ${rest};\n}`,
    );
  }

  /** The changes that ask people for something at a place. */
  askedAt(way: Way | "method", path: string): readonly Change[] {
    return this.#byHand.get(`${way} ${path}`) ?? [];
  }

  /**
   * Converts a payload of several forms field by field: which form it is of is for the later revision's validator to
   * say. Undefined where something of it has to be asked for.
   */
  convertMerged(
    place: Place,
    old: ObjectTypeShape,
    recent: ObjectTypeShape,
  ): { readonly convert: Convert } | undefined {
    if (this.#askedBelow(place).length > 0) return undefined;
    const body = this.#objectBody(place, old, recent);
    if (this.#handWritten.delete(this.#nameOf(place))) return undefined;
    const passed = body?.replace(/return (.*);$/s, (_whole, value: string) => `return passedOn(${value});`);
    return { convert: this.#unit(place, passed) };
  }

  /** Has people convert everything at a place. */
  #wholeByHand(place: Place): Convert {
    return this.byHand(place, gives(place), this.#askedBelow(place));
  }

  byHand(place: Place, result: string, changes: readonly Change[]): Convert {
    const name = this.#nameOf(place);
    this.#handWritten.set(name, { name, takes: takes(place), gives: result, changes });
    return (value) => `${byHandName}.${name}(${value})`;
  }

  addAlias(name: string, type: string): void {
    this.#aliases.set(name, type);
  }

  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  addHandWritten(asked: HandWritten): void {
    this.#handWritten.set(asked.name, asked);
  }

  /** A name that no function has, the same in each walk. */
  nameFor(key: string, wanted: string): string {
    const known = this.#names.get(key) ?? claim(wanted, this.#taken);
    this.#names.set(key, known);
    return known;
  }

  #nameOf({ way, path, name }: Place): string {
    return this.nameFor(`${way} ${path}`, way + name.charAt(0).toUpperCase() + name.slice(1));
  }

  #isByHand({ way, path }: Place): boolean {
    return this.askedAt(way, path).length > 0;
  }

  #askedBelow({ way, path }: Place): readonly Change[] {
    const inside = (key: string): boolean =>
      key === `${way} ${path}` || key.startsWith(`${way} ${path}/`) || key.startsWith(`${way} ${path}[`);
    return [...this.#byHand].flatMap(([key, changes]) => (inside(key) ? changes : []));
  }

  #reference(place: Place, old: Shape, recent: Shape): Convert {
    const before = old.kind === "ref" ? typeOf(this.old, old) : undefined;
    const now = recent.kind === "ref" ? typeOf(this.new, recent) : undefined;
    if (before !== undefined && now !== undefined && this.#types.get(now.name) === before)
      return this.#namedPair(place.way, before, now);
    const met = `${shapeName(old)} ${shapeName(recent)}`;
    if (place.trail.includes(met)) return this.#wholeByHand(place);
    const inner = { ...place, trail: [...place.trail, met] };
    return this.convert(inner, before?.shape ?? old, now?.shape ?? recent);
  }

  #namedPair(way: Way, before: TypeModel, now: TypeModel): Convert {
    const place: Place = {
      way,
      path: `types/${now.name}`,
      name: now.names.type,
      old: `earlier.${before.names.type}`,
      new: `later.${now.names.type}`,
      trail: [],
    };
    const key = `${way} ${now.name}`;
    if (!this.#met.has(key)) {
      this.#met.add(key);
      this.#queue.push(() => this.#namedBody(key, place, before.shape, now.shape));
    }
    return this.#different.has(key) ? (value) => `${this.#nameOf(place)}(${value})` : undefined;
  }

  #namedBody(key: string, place: Place, old: Shape, recent: Shape): void {
    const converted = this.convert(place, old, recent);
    if (converted === undefined) return;
    this.#different.add(key);
    if (!this.#functions.has(this.#nameOf(place))) this.#unit(place, `return ${converted("value")};`);
  }

  /** A function that converts what stands at a place. */
  #unit(place: Place, body: string | undefined): Convert {
    if (body === undefined) return undefined;
    const name = this.#nameOf(place);
    this.#functions.set(name, { name, takes: takes(place), gives: gives(place), body });
    return (value) => `${name}(${value})`;
  }

  #objectBody(place: Place, old: ObjectTypeShape, recent: ObjectTypeShape): string | undefined {
    const isUp = place.way === "up";
    const { pairs } = pairFields(old, recent);
    const [sources, targets] = isUp ? [old.fields, recent.fields] : [recent.fields, old.fields];
    const pairOf = new Map(pairs.map((pair) => [isUp ? pair.new : pair.old, pair]));
    const kept = new Set<FieldModel>();
    const members: string[] = [];
    const asked: { readonly name: string; readonly changes: readonly Change[] }[] = [];
    const locals = new Locals();
    for (const target of targets) {
      const pair = pairOf.get(target);
      const changes = this.askedAt(place.way, `${place.path}/${pair?.new.name ?? target.name}`);
      const source = pair && (isUp ? pair.old : pair.new);
      const isNeeded = target.presence.kind === "required" && source?.presence.kind !== "required";
      if (changes.length > 0 || isNeeded) {
        asked.push({ name: target.name, changes });
        continue;
      }
      if (pair === undefined || source === undefined) continue;
      const inner = this.convert(
        fieldPlace(place, placeFacts(pair.old), placeFacts(pair.new)),
        pair.old.shape,
        pair.new.shape,
      );
      if (inner === undefined && source.name === target.name) kept.add(source);
      else members.push(explicitMember(source, target, inner, locals.of(source.name)));
    }
    const dropped = sources.filter((field) => !kept.has(field));
    const isWider = kept.size === 0 && sources.length + targets.length > 0;
    if (members.length + asked.length === 0 && !isWider && (!isUp || dropped.length === 0)) return undefined;
    if (asked.length > 0) {
      const names = asked.map(({ name }) => JSON.stringify(name)).join(" | ");
      const made = this.byHand(
        place,
        `Pick<${gives(place)}, ${names}>`,
        asked.flatMap(({ changes }) => changes),
      );
      if (made !== undefined) members.push(`...${made("value")}`);
    }
    return kept.size === 0 ? objectOf(sources, members, locals) : objectWithout(dropped, members, locals);
  }

  #texts(place: Place, old: Values, recent: Values): Convert {
    const [from, to] = place.way === "up" ? [old, recent] : [recent, old];
    if (to === "any") return undefined;
    if (from === "any") {
      if (place.way === "down") return this.#wholeByHand(place);
      return (value) => `passedOn<${gives(place)}>(${value})`;
    }
    if (old === "any" || recent === "any") return undefined;
    const { pairs, removed, added } = pairValues(old, recent);
    const cases: string[] = [];
    const asked = new Map<string, readonly Change[]>();
    if (place.way === "up" && removed.length > 0)
      cases.push(...removed.map(({ value }) => `case ${stringLiteral(value)}:`), "return passedOn(value);");
    for (const { value } of place.way === "up" ? [] : added)
      asked.set(value, this.askedAt(place.way, `${place.path}/${value}`));
    for (const pair of pairs) {
      const [source, target] = place.way === "up" ? [pair.old, pair.new] : [pair.new, pair.old];
      const changes = this.askedAt(place.way, `${place.path}/${pair.new.value}`);
      if (changes.length > 0) asked.set(source.value, changes);
      else if (source.value !== target.value)
        cases.push(`case ${stringLiteral(source.value)}: return ${stringLiteral(target.value)};`);
    }
    if (cases.length + asked.size === 0) return undefined;
    if (asked.size > 0) {
      const values = [...asked.keys()].map(stringLiteral);
      const name = this.#nameOf(place);
      this.#handWritten.set(name, {
        name,
        takes: values.join(" | "),
        gives: gives(place),
        changes: [...asked.values()].flat(),
      });
      cases.push(...values.map((value) => `case ${value}:`), `return ${byHandName}.${name}(value);`);
    }
    return this.#unit(place, `switch (value) {\n${cases.join("\n")}\ndefault: return value;\n}`);
  }

  #number(place: Place, old: NumberShape, recent: NumberShape): Convert {
    const constant = this.#constant(place, old.const, recent.const);
    if (constant !== undefined) return constant;
    const [from, to] = place.way === "up" ? [old, recent] : [recent, old];
    if ((from.kind === "money") === (to.kind === "money")) return undefined;
    return from.kind === "money"
      ? (value) => `Number(${value}.lexeme)`
      : (value) => `decimal(String(${value}))`;
  }

  #constant(place: Place, old: unknown, recent: unknown): Convert {
    const [from, to] = place.way === "up" ? [old, recent] : [recent, old];
    if (to === undefined || from === to) return undefined;
    if (place.way === "down") return this.#wholeByHand(place);
    return (value) => `passedOn<${gives(place)}>(${value})`;
  }
}

/** Whether the type of a case has the member that tells the cases apart: it need not. */
function declares(model: ServiceModel, shape: Shape, discriminator: string): boolean {
  const resolved = resolve(model, shape);
  return resolved.kind === "object" && resolved.fields.some(({ name }) => name === discriminator);
}
