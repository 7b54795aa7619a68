import { escapeComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema } from "../../print/json-schema/json-schema.ts";
import {
  validatorName,
  type ValidatorKind,
  validatorFolder,
  validatorKinds,
  validatorModule,
} from "../../print/validator-places.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { nameIn, withPlainTypes } from "./code-scope.ts";
import { printChecks, type PrintedChecks } from "./print-checks.ts";
import type { SupportName } from "../support/support-source.ts";
import { relativeSpecifier } from "../../print/module.ts";
import { ownedFiles, type EmitLayout, type FileDraft } from "../emitter.ts";

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
interface PrintedType extends PrintedChecks {
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

/**
 * The modules of validators, one a kind, each with its declarations. A service loads those of payloads alone, so these
 * modules have the types of payloads; all other types are in `types.js`. They import nothing from elsewhere but `support.js`.
 */
export function validatorModules(
  validators: readonly PrintedValidator[],
  preamble: string,
  layout: EmitLayout,
): readonly FileDraft[] {
  const ofPayloads = typesOf(validators.filter(({ kind }) => kind === "payloads"));
  const others = typesOf(validators).filter((type) => !ofPayloads.includes(type));
  const places = new Map([
    ...ofPayloads.map(({ name }) => [name, "payloads"] as const),
    ...others.map(({ name }) => [name, "types"] as const),
  ]);
  const files: Record<string, string> = {};
  for (const kind of validatorKinds) {
    const own = validators.filter((validator) => validator.kind === kind);
    if (own.length === 0) continue;
    const types = kind === "payloads" ? ofPayloads : [];
    const code = [...own.map((each) => `${each.doc}\n${each.code}`), ...types.map(exported)];
    files[`${kind}.js`] = module(preamble, importsOf(kind, [...own, ...types], places), code);
    files[`${kind}.d.ts`] = declarations(validatorModule(layout.out, kind), own, preamble, layout);
  }
  if (others.length > 0) {
    files["types.js"] = module(preamble, importsOf("types", others, places), others.map(exported));
    files["types.d.ts"] = module(preamble, [], ["export {};"]);
  }
  return ownedFiles(files, validatorFolder(layout.out));
}

function typesOf(validators: readonly PrintedValidator[]): readonly PrintedType[] {
  return [...new Set(validators.flatMap(({ types }) => types))];
}

function exported({ code }: PrintedType): string {
  return code.replace(/^function/m, "export function");
}

function declarations(
  path: string,
  validators: readonly PrintedValidator[],
  preamble: string,
  { contract }: EmitLayout,
): string {
  const imports = [`import type { PayloadValidator } from "${relativeSpecifier(path, contract)}";`];
  const declared = validators.map(
    ({ doc, name }) => `${doc}\nexport declare const ${name}: PayloadValidator;`,
  );
  return module(preamble, imports, declared);
}

/** The imports of functions that a module calls and does not have. */
function importsOf(
  module: string,
  parts: readonly Pick<PrintedType, "support" | "calls">[],
  places: ReadonlyMap<string, string>,
): readonly string[] {
  const called = new Set(parts.flatMap(({ calls }) => calls));
  const ofTypes = Map.groupBy([...called], (type) => places.get(type) ?? "types");
  const functions = new Map([
    ["support", [...new Set(parts.flatMap(({ support }) => support))]],
    ...[...ofTypes].map(([place, types]) => [place, types.map((type) => `check${type}`)] as const),
  ]);
  return ["payloads", "support", "types"].flatMap((from) => {
    const names = functions.get(from) ?? [];
    if (from === module || names.length === 0) return [];
    return [`import { ${names.toSorted().join(", ")} } from "./${from}.js";`];
  });
}

function module(preamble: string, imports: readonly string[], statements: readonly string[]): string {
  return `${[[preamble, ...imports].join("\n"), ...statements].join("\n\n")}\n`;
}
