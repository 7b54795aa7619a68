import type {
  EventModel,
  FieldModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
  TaggedShape,
  TypeModel,
} from "../../model/service-model.ts";
import { payloadShapes } from "../../model/resolve.ts";
import { docComment } from "../../print/doc-comment.ts";
import { claim } from "../../print/interface-names.ts";
import type { Printable } from "../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, stringLiteral } from "../../print/literals.ts";
import { importedType } from "../../print/module.ts";
import { shapeNames, type ShapeNames } from "./shape-names.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

interface ShapeDeclarations {
  readonly declarations: readonly Printable[];
  /** The names of all declared constants. */
  readonly names: readonly string[];
}

/**
 * The constants of `shapes.ts`: one for each object that a payload or a result reaches, named types once. Events are
 * described where another revision has them otherwise.
 */
export function shapeDeclarations(
  model: ServiceModel,
  contract: string,
  withEvents: boolean,
): ShapeDeclarations {
  return new ShapePrinter(model, contract).print(model.types, model.methods, withEvents ? model.events : []);
}

/** A field as it is printed. */
interface PlainField {
  readonly name: string;
  readonly spellings: readonly string[];
  readonly alsoSentAs: string | undefined;
  readonly isMoney: boolean;
  readonly sensitive: boolean;
  /** The constant that it refers to. */
  readonly shape: string | undefined;
}

/** An object, as far as its shape is printed. */
interface PrintedObject {
  readonly kind: "object";
  readonly fields: readonly PrintedField[];
}

type PrintedField = Pick<FieldModel, "name" | "shape" | "spellings" | "alsoSentAs" | "sensitive">;

interface Declaration {
  readonly name: string;
  readonly isExported: boolean;
  readonly refersTo: readonly string[];
  readonly text: Printable;
}

/** The names of all declarations but those that nothing exported leads to: their types are parts of merged ones. */
function neededBy(declarations: readonly Declaration[]): ReadonlySet<string> {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const needed = new Set(declarations.flatMap(({ name, isExported }) => (isExported ? [name] : [])));
  for (const name of needed) for (const other of byName.get(name)?.refersTo ?? []) needed.add(other);
  return needed;
}

class ShapePrinter {
  readonly #names: ShapeNames;
  readonly #taken: Set<string>;
  readonly #ground: Ground;
  readonly #contract: string;
  readonly #declarations: Declaration[] = [];
  /** The objects that merge several: a field of one name in several forms. */
  readonly #merged: { readonly shapes: readonly PrintedObject[]; readonly name: string }[] = [];

  constructor(model: ServiceModel, contract: string) {
    this.#names = shapeNames(model);
    this.#taken = new Set(this.#names.taken);
    this.#ground = { types: new Map(model.types.map((type) => [type.name, type])), cases: new Map() };
    this.#contract = contract;
  }

  print(
    types: readonly TypeModel[],
    methods: readonly MethodModel[],
    events: readonly EventModel[],
  ): ShapeDeclarations {
    for (const type of types) {
      const isUsed = type.usedIn.some((use) => use !== "event" || events.length > 0);
      if (!isUsed) continue;
      const [element] = elementsOf(type.shape, this.#ground, type);
      if (element?.type !== type || element.shape.kind !== "object") continue;
      this.#declare(this.#names.type(type), [element.shape], type.section);
    }
    for (const method of methods) {
      const { payload, resultType, section } = method;
      const shapes = payloadShapes(payload);
      const payloadType = payload.kind === "single" ? payload.type : undefined;
      this.#declarePart(this.#names.payload(method), shapes, payloadType, section);
      const results = this.#objectsOf(method.result);
      const isOne = method.result.kind === "object";
      this.#declarePart(this.#names.result(method), results, isOne ? resultType : undefined, section);
    }
    for (const event of events) {
      const { payload, section } = event;
      const type = payload.kind === "ref" ? payload.type : undefined;
      this.#declarePart(this.#names.event(event), payload.kind === "object" ? [payload] : [], type, section);
    }
    const needed = neededBy(this.#declarations);
    const declarations = this.#declarations.filter(({ name }) => needed.has(name));
    return { declarations: declarations.map(({ text }) => text), names: [...this.#taken] };
  }

  /** The objects that a value may be. */
  #objectsOf(shape: Shape): readonly PrintedObject[] {
    return elementsOf(shape, this.#ground).flatMap((element) =>
      element.shape.kind === "object" ? [element.shape] : [],
    );
  }

  /** A payload or a result: fields of its own, or those of a named type. */
  #declarePart(
    name: string,
    shapes: readonly PrintedObject[],
    typeName: string | undefined,
    section: string | undefined,
  ): void {
    const type = typeName === undefined ? undefined : this.#ground.types.get(typeName);
    if (type === undefined) this.#declare(name, shapes, section, "export ");
    else {
      const target = this.#names.type(type);
      const shape = objectShape(this.#contract);
      const text = [docComment({ section }), `export const ${name}: `, shape, ` = ${target};`];
      this.#declarations.push({ name, isExported: true, refersTo: [target], text });
    }
  }

  /** An object, or several as one: the forms of a payload. */
  #declare(
    name: string,
    shapes: readonly PrintedObject[],
    section?: string,
    modifier: "" | "export " = "",
  ): void {
    const nested: (() => void)[] = [];
    const items = fieldVariants(shapes).map((variants) => this.#field(variants, name, nested));
    const text = [
      docComment({ section }),
      `${modifier}const ${name}: `,
      objectShape(this.#contract),
      " = ",
      objectLiteral([member("fields", fieldList(items))]),
      ";",
    ];
    const refersTo = items.flatMap(({ shape }) => shape ?? []);
    this.#declarations.push({ name, isExported: modifier !== "", refersTo, text });
    for (const declare of nested) declare();
  }

  /** A field as each of several forms has it. */
  #field(variants: readonly PrintedField[], owner: string, nested: (() => void)[]): PlainField {
    const { name, spellings, alsoSentAs, sensitive } = mergedField(variants);
    const elements = variants.flatMap((variant) => elementsOf(variant.shape, this.#ground));
    return {
      name,
      spellings: spellings.filter((each) => each.toLowerCase() !== name.toLowerCase()),
      alsoSentAs,
      isMoney: elements.some((element) => element.shape.kind === "money"),
      sensitive,
      shape: this.#shapeConstant(elements, owner, name, nested),
    };
  }

  /** The constant that describes the objects in a value, if there are any. */
  #shapeConstant(
    elements: readonly Element[],
    owner: string,
    field: string,
    nested: (() => void)[],
  ): string | undefined {
    const shapes = new Map(
      elements.flatMap(({ shape, type }) => (shape.kind === "object" ? [[shape, type] as const] : [])),
    );
    const [first] = shapes;
    if (first === undefined) return undefined;
    const [, type] = first;
    if (shapes.size === 1 && type !== undefined) return this.#names.type(type);
    const known = this.#merged.find(
      (merged) => merged.shapes.length === shapes.size && merged.shapes.every((shape) => shapes.has(shape)),
    );
    if (known !== undefined) return known.name;
    const name = claim(`${owner.replace(/Shape_*$/, "")}${capitalizedWord(field)}Shape`, this.#taken);
    if (shapes.size > 1) this.#merged.push({ shapes: [...shapes.keys()], name });
    nested.push(() => this.#declare(name, [...shapes.keys()]));
    return name;
  }
}

function objectShape(contract: string): Printable {
  return importedType("ObjectShape", contract);
}

function fieldList(fields: readonly PlainField[]): Printable {
  return arrayLiteral(fields.map((field) => objectLiteral(fieldMembers(field))));
}

function fieldMembers(field: PlainField): readonly Printable[] {
  const { name, spellings, alsoSentAs, isMoney, sensitive, shape } = field;
  return [
    member("name", stringLiteral(name)),
    spellings.length === 0 ? undefined : member("spellings", arrayLiteral(spellings.map(stringLiteral))),
    alsoSentAs === undefined ? undefined : member("alsoSentAs", stringLiteral(alsoSentAs)),
    isMoney ? member("exact", "true") : undefined,
    sensitive ? member("sensitive", "true") : undefined,
    shape === undefined ? undefined : member("shape", `() => ${shape}`),
  ].filter((each) => each !== undefined);
}

/** The shape of a value behind arrays, alternatives and named types, and the last named type on the way. */
interface Element {
  readonly shape: Exclude<Shape, ObjectTypeShape> | PrintedObject;
  readonly type?: TypeModel;
}

/** What the shapes of one module are read against. */
interface Ground {
  readonly types: ReadonlyMap<string, TypeModel>;
  /** Cases with the member that distinguishes them, by that: one is the same object wherever it is. */
  readonly cases: Map<PrintedObject, Map<string, PrintedObject>>;
}

/** The elements of a shape; none for a type that is made only of itself. */
export function elementsOf(
  shape: Shape,
  ground: Ground,
  within?: TypeModel,
  passed: ReadonlySet<TypeModel> = new Set(),
): readonly Element[] {
  const inside = (part: Shape): readonly Element[] => elementsOf(part, ground, within, passed);
  switch (shape.kind) {
    case "array":
      return inside(shape.items);
    case "nullable":
      return inside(shape.shape);
    case "union":
      return shape.alternatives.flatMap(inside);
    case "tagged":
      return shape.cases.flatMap((each) => inside(each.shape).map((one) => tagged(one, shape, ground)));
    case "ref": {
      const type = ground.types.get(shape.type);
      if (type === undefined || passed.has(type)) return [];
      return elementsOf(type.shape, ground, type, new Set([...passed, type]));
    }
    default:
      return [omitUndefined({ shape, type: within })];
  }
}

/** A case, which has the member that distinguishes it, also where its own type says nothing of that. */
function tagged({ shape, type }: Element, { discriminator }: TaggedShape, { cases }: Ground): Element {
  if (shape.kind !== "object" || shape.fields.some(({ name }) => name === discriminator))
    return omitUndefined({ shape, type });
  const known = cases.get(shape) ?? new Map<string, PrintedObject>();
  const made = known.get(discriminator) ?? withMember(shape, discriminator);
  cases.set(shape, known.set(discriminator, made));
  return { shape: made };
}

function withMember(shape: PrintedObject, name: string): PrintedObject {
  const field: PrintedField = { name, shape: { kind: "string" }, spellings: [], sensitive: false };
  return { kind: "object", fields: [field, ...shape.fields] };
}

function capitalizedWord(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_$]/g, "");
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The fields of several objects by name, in the order of the objects: each as every object has it that has it. */
export function fieldVariants<Field extends Pick<FieldModel, "name">>(
  shapes: readonly { readonly fields: readonly Field[] }[],
): readonly (readonly Field[])[] {
  const byName = new Map<string, Field[]>();
  for (const field of shapes.flatMap((shape) => shape.fields)) {
    const known = byName.get(field.name);
    if (known === undefined) byName.set(field.name, [field]);
    else known.push(field);
  }
  return [...byName.values()];
}

/**
 * Fields of one name as one, which is sensitive if any is, and may be spelled as any may. Its shape is that of the
 * first: what the others are made of is up to the caller.
 */
export function mergedField<Field extends Pick<FieldModel, "sensitive" | "spellings">>(
  variants: readonly Field[],
): Field {
  const [first] = variants;
  if (first === undefined) throw new Error("a field of no form");
  return {
    ...first,
    sensitive: variants.some(({ sensitive }) => sensitive),
    spellings: [...new Set(variants.flatMap(({ spellings }) => spellings))],
  };
}
