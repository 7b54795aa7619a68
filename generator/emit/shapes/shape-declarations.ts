import type {
  EventModel,
  FieldModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
  TypeModel,
} from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { claim } from "../../print/interface-names.ts";
import type { Printable } from "../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, stringLiteral } from "../../print/literals.ts";
import { importedType } from "../../print/module.ts";
import { mergedFields } from "./merged-fields.ts";
import { shapeNames, type ShapeNames } from "./shape-names.ts";

export interface ShapeDeclarations {
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

interface PrintedField {
  readonly text: Printable;
  readonly members: number;
}

class ShapePrinter {
  readonly #names: ShapeNames;
  readonly #taken: Set<string>;
  readonly #types: ReadonlyMap<string, TypeModel>;
  readonly #objectShape: Printable;
  readonly #declarations: Printable[] = [];

  constructor(model: ServiceModel, contract: string) {
    this.#names = shapeNames(model);
    this.#taken = new Set(this.#names.taken);
    this.#types = new Map(model.types.map((type) => [type.name, type]));
    this.#objectShape = importedType("ObjectShape", contract);
  }

  print(
    types: readonly TypeModel[],
    methods: readonly MethodModel[],
    events: readonly EventModel[],
  ): ShapeDeclarations {
    for (const type of types) {
      const isUsed = type.usedIn.some((use) => use !== "event" || events.length > 0);
      if (!isUsed) continue;
      const element = elementOf(type.shape, this.#types, type);
      if (element?.type !== type || element.shape.kind !== "object") continue;
      this.#declare(this.#names.type(type), element.shape.fields, type.section);
    }
    for (const method of methods) {
      const { payload, result, resultType, section } = method;
      const payloadFields =
        payload.kind === "single"
          ? payload.shape.fields
          : mergedFields(payload.forms.map((form) => form.shape));
      const payloadType = payload.kind === "single" ? payload.type : undefined;
      this.#declarePart(this.#names.payload(method), payloadFields, payloadType, section);
      this.#declarePart(this.#names.result(method), result.fields, resultType, section);
    }
    for (const event of events) {
      const { payload, section } = event;
      const type = payload.kind === "ref" ? payload.type : undefined;
      const fields = payload.kind === "object" ? payload.fields : [];
      this.#declarePart(this.#names.event(event), fields, type, section);
    }
    return { declarations: this.#declarations, names: [...this.#taken] };
  }

  /** A payload or a result: fields of its own, or those of a named type. */
  #declarePart(
    name: string,
    fields: ObjectTypeShape["fields"],
    typeName: string | undefined,
    section: string | undefined,
  ): void {
    const type = typeName === undefined ? undefined : this.#types.get(typeName);
    if (type === undefined) this.#declare(name, fields, section, "export ");
    else {
      const shape = [this.#objectShape, ` = ${this.#names.type(type)};`];
      this.#declarations.push([docComment({ section }), `export const ${name}: `, shape]);
    }
  }

  #declare(name: string, fields: ObjectTypeShape["fields"], section?: string, modifier = ""): void {
    const nested: (() => void)[] = [];
    const items = fields.map((field) => this.#field(field, name, nested));
    const broken = items.length > 1 && items.every(({ members }) => members > 1);
    const list = arrayLiteral(
      items.map(({ text }) => text),
      { broken },
    );
    this.#declarations.push([
      docComment({ section }),
      `${modifier}const ${name}: `,
      this.#objectShape,
      " = ",
      objectLiteral([member("fields", list)]),
      ";",
    ]);
    for (const declare of nested) declare();
  }

  #field(field: FieldModel, owner: string, nested: (() => void)[]): PrintedField {
    const spellings = field.spellings.filter((name) => name.toLowerCase() !== field.name.toLowerCase());
    const element = elementOf(field.shape, this.#types);
    const shape = this.#shapeConstant(element, owner, field.name, nested);
    const members = [
      member("name", stringLiteral(field.name)),
      spellings.length === 0 ? undefined : member("spellings", arrayLiteral(spellings.map(stringLiteral))),
      field.alsoSentAs === undefined ? undefined : member("alsoSentAs", stringLiteral(field.alsoSentAs)),
      element?.shape.kind === "money" ? member("money", "true") : undefined,
      field.sensitive ? member("sensitive", "true") : undefined,
      shape === undefined ? undefined : member("shape", `() => ${shape}`),
    ].filter((printed) => printed !== undefined);
    return { text: objectLiteral(members), members: members.length };
  }

  /** The constant that describes the objects in a value, if there are any. */
  #shapeConstant(
    element: Element | undefined,
    owner: string,
    field: string,
    nested: (() => void)[],
  ): string | undefined {
    if (element?.shape.kind !== "object") return undefined;
    if (element.type !== undefined) return this.#names.type(element.type);
    const { fields } = element.shape;
    const name = claim(`${owner.replace(/Shape_*$/, "")}${capitalizedWord(field)}Shape`, this.#taken);
    nested.push(() => this.#declare(name, fields));
    return name;
  }
}

/** What a value is made of once arrays and named types are looked through, and the last named type on the way. */
interface Element {
  readonly shape: Shape;
  readonly type?: TypeModel;
}

/** The element of a shape; none for a type that is made only of itself. */
function elementOf(
  shape: Shape,
  types: ReadonlyMap<string, TypeModel>,
  within?: TypeModel,
): Element | undefined {
  const passed = new Set<TypeModel>();
  let type = within;
  let current = shape;
  while (current.kind === "array" || current.kind === "ref") {
    if (current.kind === "array") {
      current = current.items;
      continue;
    }
    type = types.get(current.type);
    if (type === undefined || passed.has(type)) return undefined;
    passed.add(type);
    current = type.shape;
  }
  return { shape: current, ...(type === undefined ? {} : { type }) };
}

function capitalizedWord(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_$]/g, "");
  return word.charAt(0).toUpperCase() + word.slice(1);
}
