import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { FieldModel, FormModel, ObjectTypeShape, PayloadModel } from "../../model/service-model.ts";
import {
  fieldsSchema,
  conditionSchemas,
  groupSchemas,
  implication,
  objectSchema,
  shapeSchema,
  rules,
  type ShapeContext,
} from "./shape.ts";
import type { JsonSchema } from "./keywords.ts";

type Forms = Extract<PayloadModel, { kind: "forms" }>;

/** Several payloads under one method name as one schema whose errors name the field that is wrong. */
export function formsSchema(payload: Forms, context: ShapeContext): JsonSchema {
  return payload.selectedBy === "stored"
    ? anyFormSchema(payload.forms, context)
    : selectedFormSchema(payload.selectedBy, payload.forms, context);
}

/** The constant picks the form: its value first, then one if/then for each form. One form may be meant without it. */
function selectedFormSchema(
  selector: string,
  forms: readonly FormModel[],
  context: ShapeContext,
): JsonSchema {
  const asked = { required: [selector] };
  const constants = forms.map((form) => constantOf(selector, form));
  const chosen = forms.map((form, index) => {
    const constant = constants[index];
    if (constant === undefined) throw new Error("every form has a constant");
    return implication(
      { properties: { [selector]: { const: constant } }, ...(isOptional(selector, form) ? {} : asked) },
      withoutType(objectSchema(form.shape, context)),
    );
  });
  const values = { enum: [...new Set(constants)] };
  const isAsked = forms.every((form) => !isOptional(selector, form));
  if (!context.typed)
    return {
      type: "object",
      properties: { [selector]: values },
      ...(isAsked ? asked : {}),
      allOf: chosen,
    };
  // One type with the members of all forms.
  const { shape, conflicting } = mergedShape(forms, context);
  const { properties, required } = fieldsSchema(shape.fields, context);
  return {
    type: "object",
    properties: { ...properties, ...conflicting, [selector]: { ...typeOf(constants[0]), ...values } },
    ...omitUndefined({ required }),
    ...rules(chosen, context),
  };
}

function typeOf(value: unknown): JsonSchema {
  if (typeof value === "string") return { type: "string" };
  return { type: typeof value === "boolean" ? "boolean" : "integer" };
}

function isOptional(selector: string, { shape }: FormModel): boolean {
  return shape.fields.some(({ name, presence }) => name === selector && presence.kind === "optional");
}

function constantOf(selector: string, form: FormModel): string | number | boolean {
  const field = form.shape.fields.find(({ name }) => name === selector);
  const constant = field !== undefined && "const" in field.shape ? field.shape.const : undefined;
  if (constant === undefined) {
    throw new Error(`form ${form.name} is selected by ${selector}, which is not a constant in it`);
  }
  return constant;
}

/**
 * Stored state picks the form, later: here a value must fit at least one. All forms are merged into one object: a
 * field is required when every form requires it, and has the shape it has in any form. Where the merged object
 * takes more than the forms do together, the forms follow as an anyOf.
 */
function anyFormSchema(forms: readonly FormModel[], context: ShapeContext): JsonSchema {
  const merged = mergedShape(forms, context);
  const mergedSchemas = [...conditionSchemas(merged.shape.fields, context), ...groupSchemas(merged.shape)];
  const properties = fieldsSchema(merged.shape.fields, context);
  const schema: JsonSchema = {
    ...properties,
    properties: { ...properties.properties, ...merged.conflicting },
  };
  const alternatives: readonly JsonSchema[] = forms.some((form) => isMerged(form, merged, context))
    ? []
    : [{ anyOf: forms.map((form) => withoutType(objectSchema(form.shape, context))) }];
  return { ...schema, ...rules([...mergedSchemas, ...alternatives], context) };
}

interface Merged {
  readonly shape: ObjectTypeShape;
  /** Fields that have several shapes. */
  readonly conflicting: Readonly<Record<string, JsonSchema>>;
}

function mergedShape(forms: readonly FormModel[], context: ShapeContext): Merged {
  const names = [...new Set(forms.flatMap((form) => form.shape.fields.map(({ name }) => name)))];
  const fields: FieldModel[] = [];
  const conflicting: Record<string, JsonSchema> = {};
  for (const name of names) {
    const inForms = forms.map((form) => form.shape.fields.find((field) => field.name === name));
    const present = inForms.filter((field) => field !== undefined);
    const [first] = present;
    if (first === undefined) throw new Error("a name of no form");
    const samePresence = new Set(inForms.map((field) => JSON.stringify(field?.presence))).size === 1;
    fields.push(samePresence ? first : { ...first, presence: { kind: "optional" } });
    const schemas = new Map(
      present.map((field) => {
        const schema = shapeSchema(field.shape, context);
        return [JSON.stringify(schema), schema];
      }),
    );
    const variants = [...schemas.values()];
    if (schemas.size > 1) conflicting[name] = context.typed ? commonSchema(variants) : { anyOf: variants };
  }
  const everywhere = <Group>(groups: (form: FormModel) => readonly Group[]) => {
    const [first, ...rest] = forms;
    const has = (form: FormModel, group: Group) =>
      groups(form).some((other) => JSON.stringify(other) === JSON.stringify(group));
    return first === undefined ? [] : groups(first).filter((group) => rest.every((form) => has(form, group)));
  };
  return {
    shape: {
      kind: "object",
      fields,
      atLeastOneOf: everywhere((form) => form.shape.atLeastOneOf),
      atLeastOnePath: everywhere((form) => form.shape.atLeastOnePath ?? []),
      exactlyOneOf: everywhere((form) => form.shape.exactlyOneOf),
      exactlyOnePath: everywhere((form) => form.shape.exactlyOnePath ?? []),
    },
    conflicting,
  };
}

/** One type for what has another in each form: a typed client has no unions. */
function commonSchema(variants: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = variants;
  const { type } = first;
  if (variants.every((each) => JSON.stringify(each) === JSON.stringify(first))) return first;
  if (type === undefined || variants.some((each) => each.type !== type)) return {};
  if (type === "array") return { type, items: commonSchema(variants.map(({ items }) => items || {})) };
  if (type !== "object") {
    const values = variants.map((each) => each.enum ?? (each.const === undefined ? undefined : [each.const]));
    const isListed = values.every((each) => each !== undefined);
    return isListed ? { type, enum: [...new Set(values.flat())] } : { type };
  }
  const names = new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].map((name) => {
    const found = variants.flatMap(({ properties: { [name]: property } = {} }) => property ?? []);
    return [name, commonSchema(found)] as const;
  });
  const required = (first.required ?? []).filter((name) =>
    variants.every((each) => each.required?.includes(name)),
  );
  return { type, properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** Whether a form asks for no more than the merged object, so that what fits the one fits the other. */
function isMerged(form: FormModel, merged: Merged, context: ShapeContext): boolean {
  const own = form.shape.fields.map(({ name }) => name);
  const restriction: ObjectTypeShape = {
    ...merged.shape,
    fields: merged.shape.fields.filter(({ name }) => own.includes(name)),
  };
  const asPrinted = (shape: ObjectTypeShape) => {
    const fields = shape.fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return JSON.stringify(objectSchema({ ...shape, fields }, context));
  };
  return (
    own.every((name) => !(name in merged.conflicting)) && asPrinted(restriction) === asPrinted(form.shape)
  );
}

function withoutType({ type: _type, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
