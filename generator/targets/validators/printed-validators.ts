import { escapeComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema } from "../../print/json-schema/json-schema.ts";
import { validatorName, type ValidatorKind } from "../../print/validator-places.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { nameIn, withPlainTypes } from "./module-schema.ts";
import { printChecks, type PrintedChecks } from "./print-checks.ts";
import type { SupportName } from "../support/support-source.ts";

/** One validator of an interface. */
export interface PrintedValidator {
  readonly kind: ValidatorKind;
  /** The name that its module exports: `validateGetAccountPayload`. */
  readonly name: string;
  /** Its documentation, as a comment. */
  readonly doc: string;
  /** Its export and the function below it. */
  readonly code: string;
  /** The functions of `support.js` that these call. */
  readonly support: readonly SupportName[];
  /** The types whose functions these call. */
  readonly calls: readonly string[];
  /** The types that are checked with it, in the order of first use: those that it calls, and all that they call. */
  readonly types: readonly PrintedType[];
}

/** The function of a named type. */
export interface PrintedType extends PrintedChecks {
  readonly name: string;
}

/** A schema of the interface, and what it is the schema of. */
interface Checked {
  readonly kind: ValidatorKind;
  readonly type: string;
  readonly subject: string;
  readonly schema: JsonSchema;
}

/** All validators of an interface: of payloads and results in the order of the methods, of events and of errors' data. */
export function printedValidators(model: ServiceModel): readonly PrintedValidator[] {
  const schemas = jsonSchemas(model);
  const ofTypes = new Map<string, PrintedType>();
  const ofType = (name: string): PrintedType => {
    const known = ofTypes.get(name);
    if (known !== undefined) return known;
    const { schema = {} } = schemas.definitions[name] ?? {};
    const printed = { name, ...printChecks(name, withPlainTypes(schema, schemas)) };
    ofTypes.set(name, printed);
    return printed;
  };
  return checkedIn(model).map(({ kind, type, subject, schema }) => {
    const name = validatorName(type);
    const doc = `/** Checks the ${escapeComment(subject)}. */`;
    const plain = withPlainTypes(schema, schemas);
    const only = plain.$ref !== undefined && Object.keys(plain).length === 1 ? nameIn(plain.$ref) : undefined;
    const { code, support, calls } =
      only === undefined ? printChecks(type, plain) : { code: "", support: [], calls: [only] };
    return {
      kind,
      name,
      doc,
      code: `export const ${name} = validator(check${only ?? type});\n${code === "" ? "" : `\n${code}\n`}`,
      support: ["validator", ...support],
      calls,
      types: reachedFrom(calls, ofType),
    };
  });
}

function reachedFrom(
  types: readonly string[],
  ofType: (name: string) => PrintedType,
): readonly PrintedType[] {
  const reached = new Set(types);
  // The set grows while it is walked.
  for (const type of reached) for (const next of ofType(type).calls) reached.add(next);
  return [...reached].map(ofType);
}

function checkedIn(model: ServiceModel): readonly Checked[] {
  const schemas = jsonSchemas(model);
  const names = interfaceNames(model);
  return [
    ...model.methods.map((method): Checked => ({
      kind: "payloads",
      type: names.of(method).payload,
      subject: `payload of ${method.name}`,
      schema: schemas.payload(method),
    })),
    ...model.methods
      .filter(({ transport }) => transport.notify !== "only")
      .map((method): Checked => ({
        kind: "results",
        type: names.of(method).result,
        subject: `result of ${method.name}, as sent`,
        schema: schemas.result(method),
      })),
    ...model.events.map((event): Checked => ({
      kind: "events",
      type: names.ofEvent(event),
      subject: `payload of the event ${event.name}`,
      schema: schemas.event(event),
    })),
    ...model.errors.flatMap((error): readonly Checked[] =>
      error.data === undefined
        ? []
        : [
            {
              kind: "errors",
              type: names.ofErrorData(error),
              subject: `data of the error ${error.code}`,
              schema: schemas.errorData(error, error.data),
            },
          ],
    ),
  ];
}
