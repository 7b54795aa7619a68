import { dotted } from "../../print/presence.ts";
import { resolve } from "../../model/resolve.ts";
import type { EnumValue, FieldModel, ObjectTypeShape, Shape } from "../../model/service-model.ts";
import type { PageContext } from "./page-context.ts";
import type { Remarks } from "./prose.ts";
import { constraintWords, presenceWords, typeWords, type TypeWords } from "./type-words.ts";

/** An object as a tree: its fields, and which of them go together. */
export interface ObjectView {
  readonly fields: readonly FieldView[];
  readonly groups: readonly string[];
}

export interface FieldView extends Remarks {
  readonly name: string;
  readonly type: TypeWords;
  readonly presence: string;
  readonly isRequired: boolean;
  readonly constraints: readonly string[];
  /** Further notes: other names, whether it is logged. */
  readonly notes: readonly string[];
  readonly values: readonly ValueView[];
  readonly example: string | undefined;
  /** The fields of the object, or of each item of the array, that it is. */
  readonly inner: ObjectView | undefined;
  /** Whether what is inside is shown from the start. */
  readonly isOpen: boolean;
}

export interface ValueView extends Remarks {
  readonly value: string;
}

/** Types deeper than this, types inside themselves, and those that the page has no room for, are a link. */
const depthMax = 6;

/** More values than these stand at the type alone. */
const valuesMax = 60;

export function objectView(
  shape: ObjectTypeShape,
  context: PageContext,
  open: readonly string[] = [],
): ObjectView {
  return {
    fields: shape.fields.map((field) => fieldView(field, context, open)),
    groups: [
      ...shape.atLeastOneOf.map((group) => `At least one of ${group.join(", ")} is present.`),
      ...(shape.atLeastOnePath ?? []).map(
        (group) => `At least one of ${dotted(group).join(", ")} is present.`,
      ),
      ...shape.exactlyOneOf.map((group) => `Exactly one of ${group.join(", ")} is present.`),
    ],
  };
}

function fieldView(field: FieldModel, context: PageContext, open: readonly string[]): FieldView {
  const { shape } = field;
  const values = valueViews(shape, context);
  // Where the type has no name, this is the only place of its values.
  const isElsewhere = values.length > valuesMax && itemOf(shape).kind === "ref";
  context.room.fields -= 1;
  return {
    ...context.remarks(field),
    name: field.name,
    type: typeWords(shape, context.links),
    presence: presenceWords(field),
    isRequired: field.presence.kind === "required",
    constraints: constraintWords(shape.kind === "ref" ? resolve(context.model, shape) : shape),
    notes: [
      ...(isElsewhere ? [`One of ${values.length} values, which stand at the type.`] : []),
      ...notesOf(field),
    ],
    values: isElsewhere ? [] : values,
    example: field.example === undefined ? undefined : JSON.stringify(field.example),
    inner: innerView(shape, context, open),
    isOpen: open.length === 0,
  };
}

function notesOf({ default: preset, spellings, alsoSentAs, sensitive }: FieldModel): readonly string[] {
  return [
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
    ...(spellings.length === 0 ? [] : [`Requests may also write ${spellings.join(", ")}.`]),
    ...(alsoSentAs === undefined ? [] : [`Answers repeat it as ${alsoSentAs}.`]),
    ...(sensitive ? ["It is never logged and never echoed."] : []),
  ];
}

function itemOf(shape: Shape): Shape {
  return shape.kind === "array" ? itemOf(shape.items) : shape;
}

export function valueViews(shape: Shape, context: PageContext): readonly ValueView[] {
  const found = resolve(context.model, itemOf(shape));
  return found.kind === "enum" ? enumViews(found.values, context) : [];
}

function enumViews(values: readonly EnumValue[], context: PageContext): readonly ValueView[] {
  return values.map((value) => ({ ...context.remarks(value), value: String(value.value) }));
}

function innerView(shape: Shape, context: PageContext, open: readonly string[]): ObjectView | undefined {
  if (open.length >= depthMax || context.room.fields <= 0) return undefined;
  switch (shape.kind) {
    case "object":
      return objectView(shape, context, [...open, ""]);
    case "array":
      return innerView(shape.items, context, open);
    case "nullable":
      return innerView(shape.shape, context, open);
    case "map":
      return innerView(shape.values, context, open);
    case "ref": {
      const found = resolve(context.model, shape);
      if (open.includes(shape.type)) return undefined;
      if (found.kind === "array") return innerView(found.items, context, [...open, shape.type]);
      return found.kind === "object" ? objectView(found, context, [...open, shape.type]) : undefined;
    }
    default:
      return undefined;
  }
}
