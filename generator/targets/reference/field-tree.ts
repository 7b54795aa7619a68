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

export interface FieldView extends Remarks, ValueDetails {
  readonly name: string;
  readonly type: TypeWords;
  readonly presence: string;
  readonly isRequired: boolean;
  /** Further notes: other names, whether it is logged. */
  readonly notes: readonly string[];
  readonly example: string | undefined;
  /** The fields of the object, or of each item of the array, that it is. */
  readonly inner: ObjectView | undefined;
  /** Whether what is inside is shown from the start. */
  readonly isOpen: boolean;
}

/** What a value may be, beside the name of its type. */
export interface ValueDetails {
  readonly constraints: readonly string[];
  readonly values: readonly ValueView[];
  readonly union: UnionView | undefined;
}

/** The cases of a union: by the text of one member, where there is such a member. */
export interface UnionView {
  readonly discriminator: string | undefined;
  readonly cases: readonly CaseView[];
}

export interface CaseView {
  readonly tag: string | undefined;
  readonly type: TypeWords;
  readonly inner: ObjectView | undefined;
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
      ...[...shape.exactlyOneOf, ...(shape.exactlyOnePath ?? []).map(dotted)].map(
        (group) => `Exactly one of ${group.join(", ")} is present.`,
      ),
      ...(shape.closed === true ? ["Other members are refused."] : []),
    ],
  };
}

function fieldView(field: FieldModel, context: PageContext, open: readonly string[]): FieldView {
  const { shape } = field;
  const { values, ...details } = valueDetails(shape, context, open);
  // Where the type has no name, this is the only place of its values.
  const isElsewhere = values.length > valuesMax && itemOf(shape).kind === "ref";
  context.room.fields -= 1;
  return {
    ...context.remarks(field),
    name: field.name,
    type: typeWords(shape, context.links),
    presence: presenceWords(field),
    isRequired: field.presence.kind === "required",
    ...details,
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

/** Constraints, values and cases of a value. */
export function valueDetails(shape: Shape, context: PageContext, open: readonly string[] = []): ValueDetails {
  const named = (each: Shape): Shape => resolve(context.model, each);
  return {
    constraints: constraintWords(named(shape), named),
    values: valueViews(shape, context),
    union: unionView(shape, context, open),
  };
}

function unionView(shape: Shape, context: PageContext, open: readonly string[]): UnionView | undefined {
  const item = itemOf(shape);
  const found = resolve(context.model, item);
  const around = item.kind === "ref" ? [...open, item.type] : [...open, ""];
  const isShown = !(item.kind === "ref" && open.includes(item.type));
  const caseView = (each: Shape, tag?: string): CaseView => ({
    tag,
    type: typeWords(each, context.links),
    inner: isShown ? innerView(each, context, around) : undefined,
  });
  switch (found.kind) {
    case "tagged":
      return {
        discriminator: found.discriminator,
        cases: found.cases.map(({ tag, shape: each }) => caseView(each, tag)),
      };
    case "union":
      return { discriminator: undefined, cases: found.alternatives.map((each) => caseView(each)) };
    default:
      return undefined;
  }
}

function notesOf({
  label,
  default: preset,
  spellings,
  alsoSentAs,
  sensitive,
}: FieldModel): readonly string[] {
  return [
    ...(label === undefined ? [] : [`Forms call it “${label}”.`]),
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
    ...(spellings.length === 0 ? [] : [`Requests may also write ${spellings.join(", ")}.`]),
    ...(alsoSentAs === undefined ? [] : [`Answers repeat it as ${alsoSentAs}.`]),
    ...(sensitive ? ["It is never logged and never echoed."] : []),
  ];
}

/** The innermost shape of a value: an item of a list, a value of a map, the value if it is not null. */
function itemOf(shape: Shape): Shape {
  switch (shape.kind) {
    case "array":
      return itemOf(shape.items);
    case "map":
      return itemOf(shape.values);
    case "nullable":
      return itemOf(shape.shape);
    default:
      return shape;
  }
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
