import { relativeSpecifier } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import type { EmitLayout, Emitter, FileDraft } from "../emitter.ts";
import { supportFunctions, supportNames, type SupportName } from "./support-source.ts";
import { jsonSchemas, type JsonSchema } from "../../print/json-schema/json-schema.ts";
import { subschemas } from "../../print/json-schema/walk.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";

/** `validators/support.js`: the functions that validators and zod schemas call. */
export const emitter: Emitter = {
  name: "support",
  emit: supportDrafts,
};

/** The functions that the validators and the zod schemas of an interface call, with their declarations. */
export function supportDrafts(model: ServiceModel, layout: EmitLayout): readonly FileDraft[] {
  const first = preamble(model);
  const support = `${layout.out}/validators/support`;
  const needed = supportNeeded(model);
  const declared = supportDeclarations(first, relativeSpecifier(support, layout.contract), needed);
  return [
    { path: `${support}.js`, ownership: "owned", text: supportModule(first, needed) },
    { path: `${support}.d.ts`, ownership: "owned", text: declared },
  ];
}

/** `support.js`: the functions that the validators and the zod schemas of an interface share. */
export function supportModule(preamble: string, needed: ReadonlySet<SupportName>): string {
  const functions = chosen(needed).map(({ doc, source }) => `/** ${doc} */\nexport ${source}`);
  return [preamble, ...functions].join("\n\n") + "\n";
}

/** `support.d.ts`. */
function supportDeclarations(preamble: string, contract: string, needed: ReadonlySet<SupportName>): string {
  const declarations = chosen(needed).map(
    ({ doc, declaration }) => `/** ${doc} */\nexport declare ${declaration}`,
  );
  const imports = `import type { PayloadValidator, ValidationError } from ${JSON.stringify(contract)};`;
  return [`${preamble}\n${imports}`, ...declarations].join("\n\n") + "\n";
}

function chosen(needed: ReadonlySet<SupportName>) {
  return supportNames.filter((name) => needed.has(name)).map((name) => supportFunctions[name]);
}

/** The functions that the validators and the zod schemas of an interface can call. */
function supportNeeded(model: ServiceModel): ReadonlySet<SupportName> {
  const needed = new Set<SupportName>(["validator", "fail", "isObject"]);
  const visit = (schema: JsonSchema): void => {
    const { format, minLength, maxLength, uniqueItems, required = [] } = schema;
    if (required.length > 2) needed.add("failMissing");
    if (format !== undefined && isStringFormat(format)) needed.add(formatFunctions[format]);
    if (minLength !== undefined || maxLength !== undefined) needed.add("length");
    if (uniqueItems === true) needed.add("equal").add("hasEqualItems");
    for (const subschema of subschemas(schema)) visit(subschema);
  };
  const schemas = jsonSchemas(model);
  for (const { schema } of Object.values(schemas.definitions)) visit(schema);
  for (const method of model.methods) {
    visit(schemas.payload(method));
    visit(schemas.result(method));
  }
  for (const event of model.events) visit(schemas.event(event));
  for (const error of model.errors) {
    if (error.data !== undefined) visit(schemas.errorData(error, error.data));
  }
  return needed;
}
