import { escapeComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema } from "../../print/json-schema/json-schema.ts";
import { validatorName, type ValidatorKind } from "../../print/validator-places.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { sharedName } from "./code-scope.ts";
import { moduleSchema, schemaNamed, typesOfTheirOwn } from "./module-schema.ts";
import { printChecks, type PrintedChecks } from "./print-checks.ts";
import type { SupportName } from "../support/support-source.ts";

/** One validator of an interface. */
export interface PrintedValidator {
  readonly kind: ValidatorKind;
  /** The name that its module exports: `validateGetAccountPayload`. */
  readonly name: string;
  /** Its documentation, as a comment. */
  readonly doc: string;
  /** Its export and the functions below it. */
  readonly code: string;
  /** The functions of `support.js` that these call. */
  readonly support: readonly SupportName[];
  /** The functions that it shares with other validators, with those that they call. */
  readonly shared: readonly PrintedChecks[];
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
  const own = typesOfTheirOwn(schemas);
  const checks = (type: string, schema: JsonSchema): PrintedChecks =>
    printChecks(type, moduleSchema(schema, schemas, own));
  const ofTypes = new Map(
    [...own].map((type) => [type, checks(sharedName(type), schemaNamed(type, schemas))]),
  );
  return checkedIn(model).map(({ kind, type, subject, schema }) => {
    const { code, support, shared } = checks(type, schema);
    const name = validatorName(type);
    return {
      kind,
      name,
      doc: `/** Checks the ${escapeComment(subject)}. */`,
      code: `export const ${name} = validator(check${type});\n\n${code}`,
      support,
      shared: reachedFrom(shared, ofTypes),
    };
  });
}

function reachedFrom(
  types: readonly string[],
  ofTypes: ReadonlyMap<string, PrintedChecks>,
): readonly PrintedChecks[] {
  const reached = new Set(types);
  // The set grows while it is walked.
  for (const type of reached) for (const next of ofTypes.get(type)?.shared ?? []) reached.add(next);
  return [...reached].flatMap((type) => ofTypes.get(type) ?? []);
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
