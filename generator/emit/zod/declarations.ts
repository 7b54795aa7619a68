import type { FormModel, MethodModel, ServiceModel } from "../../model/service-model.ts";
import type { Remarks } from "../../print/doc-comment.ts";
import { interfaceNames, type MethodNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema, type JsonSchemas } from "../../print/json-schema.ts";
import { subschemas } from "../../print/json-schema-walk.ts";
import { separated, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { declarationOrder } from "./declaration-order.ts";
import type { ZodContext } from "./zod-context.ts";
import { zodExpression } from "./zod-expression.ts";

/** A constant of `schemas.ts`. */
export interface ZodDeclaration {
  readonly name: string;
  readonly remarks: Remarks;
  readonly expression: Printable;
}

export interface ZodDeclarations {
  /** In an order in which each can be evaluated. */
  readonly declarations: readonly ZodDeclaration[];
  /** Names of the rule functions that they call. */
  readonly rules: ReadonlySet<string>;
}

/** A constant before its expression is printed. */
interface Planned {
  readonly name: string;
  readonly remarks: Remarks;
  readonly refersTo: readonly string[];
  print(context: ZodContext): Printable;
}

export function declarationsOf(model: ServiceModel, support: (name: string) => Printable): ZodDeclarations {
  const schemas = jsonSchemas(model);
  const rules = new Set<string>();
  const declared = new Set<string>();
  const context: ZodContext = {
    nameOf,
    isDeclared: (name) => declared.has(name),
    support,
    rule: (name) => {
      rules.add(name);
      return name;
    },
  };
  const declarations = declarationOrder(plannedOf(model, schemas)).map(({ name, remarks, print }) => {
    const expression = print(context);
    declared.add(name);
    return { name, remarks, expression };
  });
  return { declarations, rules };
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
  const union: Planned = {
    name: names.payload,
    remarks: method,
    refersTo: formNames,
    print: () => [`z.discriminatedUnion(${selector}, [`, separated(", ", formNames), "])"],
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
  return { ...whole, refersTo: [names.form(same)], print: () => names.form(same) };
}

function planned(name: string, remarks: Remarks, schema: JsonSchema): Planned {
  return { name, remarks, refersTo: referredTo(schema), print: (context) => zodExpression(schema, context) };
}

function referredTo(schema: JsonSchema): readonly string[] {
  const own = schema.$ref === undefined ? [] : [nameOf(schema.$ref)];
  return [...own, ...subschemas(schema).flatMap(referredTo)];
}

function nameOf(ref: string): string {
  return ref.slice("#/$defs/".length);
}
