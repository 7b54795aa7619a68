import type { FormModel, MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment, type Remarks } from "../../print/doc-comment.ts";
import { interfaceNames, type MethodNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema, type JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { subschemas } from "../../print/json-schema/walk.ts";
import { separated, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { depthFirst } from "../../language/source/depth-first.ts";
import { importedValue } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { readLate, type ReadLate, type ZodContext } from "./zod-context.ts";
import { zodExpression } from "./zod-expression.ts";

/** A constant of `schemas.ts`. */
interface ZodDeclaration {
  readonly name: string;
  readonly declaration: Printable;
}

interface ZodDeclarations {
  /** In an order in which each can be evaluated. */
  readonly declarations: readonly ZodDeclaration[];
  /** Names of the rule functions that they call. */
  readonly rules: ReadonlySet<string>;
  /** Names of the functions of `validators/support.js` that they call. */
  readonly supports: ReadonlySet<string>;
}

/** The first lines of a module of schemas: it imports zod where there are any. */
export function zodPreamble(model: ServiceModel, { declarations }: ZodDeclarations): string {
  return declarations.length === 0 ? preamble(model) : `${preamble(model)}\nimport * as z from "zod";`;
}

/** A constant before its expression is printed. */
interface Planned {
  readonly name: string;
  readonly remarks: Remarks;
  readonly refersTo: readonly string[];
  readonly schema: JsonSchema | undefined;
  print(context: ZodContext): Printable;
}

/** The word for the module of the functions that zod has no word for: each module of schemas has its own place of it. */
export const supportModule = "support";

/** The constants of a module of schemas, the same in each that an interface has. */
export function declarationsOf(model: ServiceModel): ZodDeclarations {
  const schemas = jsonSchemas(model);
  const declared = new Set<string>();
  const all = plannedOf(model, schemas);
  const byName = new Map(all.map((each) => [each.name, each]));
  const walked = depthFirst(all, ({ refersTo }) => refersTo.flatMap((name) => byName.get(name) ?? []));
  const late = readLate(walked);
  const circleOf = new Map(
    walked.circles.flatMap((circle) => circle.map(({ name }) => [name, circle] as const)),
  );
  const printed = walked.order.map((planned) => {
    const leadsBack = (name: string): boolean => circleOf.get(name) === circleOf.get(planned.name);
    const isAnnotated =
      planned.schema !== undefined && goesRoundInTwoSteps(planned.schema, leadsBack, declared);
    const constant = printedConstant(planned, declared, late, isAnnotated ? ": z.ZodType" : "");
    declared.add(planned.name);
    return constant;
  });
  return {
    declarations: printed,
    rules: new Set(printed.flatMap(({ rules }) => [...rules])),
    supports: new Set(printed.flatMap(({ supports }) => [...supports])),
  };
}

function printedConstant(
  { name, remarks, print }: Planned,
  declared: ReadonlySet<string>,
  late: ReadLate,
  annotation: string,
) {
  const rules = new Set<string>();
  const supports = new Set<string>();
  const expression = print({
    nameOf,
    isDeclared: (other) => declared.has(other),
    late,
    support: (called) => {
      supports.add(called);
      return importedValue(called, supportModule);
    },
    rule: (called) => {
      rules.add(called);
      return called;
    },
  });
  const declaration: Printable = [
    docComment(remarks),
    `export const ${name}${annotation} = `,
    expression,
    ";",
  ];
  return { name, declaration, rules, supports };
}

/**
 * Whether a schema leads back to itself through a part that zod reads in two steps: the compiler infers no type of
 * that. They are an object with a property that every object inherits, and alternatives of which exactly one fits or
 * a member decides. Those declared further down have a type already.
 */
function goesRoundInTwoSteps(
  schema: JsonSchema,
  leadsBack: (name: string) => boolean,
  declared: ReadonlySet<string>,
): boolean {
  if (hasInheritedName(schema)) return referredTo(schema).some(leadsBack);
  return alternativesIn(schema).some((name) => declared.has(name) && leadsBack(name));
}

/** Whether an object in a schema has a property that every object inherits. */
function hasInheritedName(schema: JsonSchema): boolean {
  const own = Object.keys(schema.properties ?? {});
  return own.some((name) => name in Object.prototype) || subschemas(schema).some(hasInheritedName);
}

/** The names in alternatives of which exactly one fits or a member decides. */
function alternativesIn(schema: JsonSchema): readonly string[] {
  return [...(schema.oneOf ?? []).flatMap(referredTo), ...subschemas(schema).flatMap(alternativesIn)];
}

function plannedOf(model: ServiceModel, schemas: JsonSchemas): readonly Planned[] {
  const names = interfaceNames(model);
  return [
    ...Object.values(schemas.definitions).map(({ name, type, schema }) => planned(name, type, schema)),
    ...model.methods.flatMap((method) => [
      ...plannedPayload(method, model, schemas),
      planned(
        names.of(method).result,
        { doc: `What \`${method.name}\` answers, as sent.`, section: method.section },
        schemas.result(method),
      ),
    ]),
    ...model.events.map((event) => planned(names.ofEvent(event), event, schemas.event(event))),
  ];
}

function plannedPayload(method: MethodModel, model: ServiceModel, schemas: JsonSchemas): readonly Planned[] {
  const names = interfaceNames(model).of(method);
  const { payload } = method;
  if (payload.kind === "single") return [planned(names.payload, method, schemas.payload(method))];
  const forms = payload.forms.map((form) => planned(names.form(form), form, schemas.form(form)));
  if (payload.selectedBy === "stored") return [...forms, storedForm(names, method, payload.forms, schemas)];
  const selector = stringLiteral(payload.selectedBy);
  const formNames = forms.map(({ name }) => name);
  // A form with a property such as `constructor` is read in two steps, which zod takes for no member of such a union.
  const isPlain = payload.forms.every(({ shape }) =>
    shape.fields.every((field) => !(field.name in Object.prototype)),
  );
  const opening = isPlain ? `z.discriminatedUnion(${selector}, [` : "z.union([";
  const union: Planned = {
    name: names.payload,
    remarks: remarksOf(method),
    refersTo: formNames,
    schema: undefined,
    print: () => [opening, separated(", ", formNames), "])"],
  };
  return [...forms, union];
}

/** The object that all forms are merged into; often it is one of them. */
function storedForm(
  names: MethodNames,
  method: MethodModel,
  forms: readonly FormModel[],
  schemas: JsonSchemas,
): Planned {
  const merged = schemas.payload(method);
  const same = forms.find((form) => JSON.stringify(schemas.form(form)) === JSON.stringify(merged));
  const whole = planned(names.payload, method, merged);
  if (same === undefined) return whole;
  const name = names.form(same);
  return { ...whole, refersTo: [name], schema: undefined, print: () => name };
}

function planned(name: string, remarks: Remarks, schema: JsonSchema): Planned {
  return {
    name,
    remarks: remarksOf(remarks),
    refersTo: referredTo(schema),
    schema,
    print: (context) => zodExpression(schema, context),
  };
}

/** Nothing but the remarks. */
function remarksOf({ doc, section, decisions, since, deprecated }: Remarks): Remarks {
  return { doc, section, decisions, since, deprecated };
}

function referredTo(schema: JsonSchema): readonly string[] {
  const own = schema.$ref === undefined ? [] : [nameOf(schema.$ref)];
  return [...own, ...subschemas(schema).flatMap(referredTo)];
}

function nameOf(ref: string): string {
  return ref.slice("#/$defs/".length);
}
