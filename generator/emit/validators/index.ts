import { jsonSchemas, type JsonSchema } from "../../print/json-schema.ts";
import { escapeComment } from "../../print/doc-comment.ts";
import { createMemo } from "../../print/memo.ts";
import { methodPath } from "../../print/method-path.ts";
import { relativeSpecifier } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { everyProtocol, type EmitLayout, type Emitter, type FileDraft } from "../emitter.ts";
import { moduleSchema } from "./module-schema.ts";
import { printChecks, type PrintedChecks } from "./print-checks.ts";
import { supportDeclarations, supportModule } from "./support-module.ts";
import { supportNeeded } from "./support-needs.ts";

/**
 * `validators/`: one ES module a schema that imports nothing but `support.js` and compiles nothing at run time; each
 * with its declaration.
 */
export const emitter: Emitter = {
  name: "validators",
  protocols: everyProtocol,
  emit(model, layout) {
    const first = preamble(model);
    const support = `${layout.out}/validators/support`;
    const contract = relativeSpecifier(support, layout.contract);
    const needed = supportNeeded(model);
    return [
      ...validatorsOf(model).flatMap((validator) => drafts(validator, model, layout)),
      owned(`${support}.js`, supportModule(first, needed)),
      owned(`${support}.d.ts`, supportDeclarations(first, contract, needed)),
    ];
  },
};

/** A schema of the interface and where its validator goes. */
interface Validator {
  /** Below `validators/`, without extension: `account-service/get-account.payload`. */
  readonly path: string;
  /** What it checks, in words. */
  readonly subject: string;
  readonly schema: JsonSchema;
}

function validatorsOf(model: ServiceModel): readonly Validator[] {
  const schemas = jsonSchemas(model);
  const ofMethods = model.methods.flatMap((method) => {
    const path = methodPath(method, model);
    const { transport } = method;
    const payload = {
      path: `${path}.payload`,
      subject: `payload of ${method.name}`,
      schema: schemas.payload(method),
    };
    if (transport.kind === "json-rpc" && transport.notify === "only") return [payload];
    return [
      payload,
      {
        path: `${path}.result`,
        subject: `result of ${method.name}, as sent`,
        schema: schemas.result(method),
      },
    ];
  });
  const ofEvents = model.events.map((event) => ({
    path: `events/${event.names.file}`,
    subject: `payload of the event ${event.name}`,
    schema: schemas.event(event),
  }));
  const ofErrors = model.errors.flatMap((error) =>
    error.data === undefined
      ? []
      : {
          path: `errors/${error.names.file}`,
          subject: `data of the error ${error.code}`,
          schema: schemas.errorData(error, error.data),
        },
  );
  return [...ofMethods, ...ofEvents, ...ofErrors].map((validator) => ({
    ...validator,
    schema: moduleSchema(validator.schema, schemas),
  }));
}

function drafts(validator: Validator, model: ServiceModel, layout: EmitLayout): readonly FileDraft[] {
  const path = `${layout.out}/validators/${validator.path}`;
  const first = preamble(model);
  const doc = `/** Checks the ${escapeComment(validator.subject)}. */`;
  const { schema } = validator;
  const checks = checksOf.of(
    () => JSON.stringify(schema),
    () => printChecks(schema),
  );
  const contract = relativeSpecifier(path, layout.contract);
  const support = relativeSpecifier(path, `${layout.out}/validators/support.js`);
  return [
    owned(
      `${path}.js`,
      `${first}
import { ${checks.support.toSorted().join(", ")} } from "${support}";

${doc}
export const validate = validator(check);

${checks.code}
`,
    ),
    owned(
      `${path}.d.ts`,
      `${first}
import type { PayloadValidator } from "${contract}";

${doc}
export declare const validate: PayloadValidator;
`,
    ),
  ];
}

/** The checks of a schema: what takes the time. */
const checksOf = createMemo<PrintedChecks>();

function owned(path: string, text: string): FileDraft {
  return { path, ownership: "owned", text };
}
