import { emitter as openrpc } from "../../generator/targets/openrpc/index.ts";
import { emitter as jsonSchema } from "../../generator/targets/json-schema/index.ts";
import { hasErrors, type Diagnostic } from "../../generator/language/diagnostics/index.ts";
import {
  importDocument,
  jsonOf,
  type Imported,
  type ImportOptions,
  type Json,
} from "../../tools/import/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";

export const layout = { out: "generated/x", handlers: "handlers/x", contract: "contract.ts" } as const;

export interface ReExport {
  readonly imported: Imported;
  readonly model: ServiceModel | undefined;
  /** Errors of the spec that the import wrote: there are none, or the import is broken. */
  readonly errors: readonly Diagnostic[];
  readonly openrpc: Json;
  readonly jsonSchema: Json;
}

/** A document, imported, loaded as a spec, and exported again. */
export function reExport(document: Json, options: Partial<ImportOptions> = {}): ReExport {
  const imported = importDocument(document, {
    name: "imported",
    params: "either",
    lossy: false,
    readExternal: (uri) => ({ problem: `no ${uri}` }),
    ...options,
  });
  const texts = Object.entries(imported.files ?? {}).map(([name, text]) => sourceText(`spec/${name}`, text));
  const { value: model, diagnostics } = loadServiceModel("spec", () => texts);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (model === undefined || hasErrors(diagnostics))
    return { imported, model, errors, openrpc: null, jsonSchema: null };
  return {
    imported,
    model,
    errors,
    openrpc: exported(openrpc, model),
    jsonSchema: exported(jsonSchema, model),
  };
}

function exported(emitter: typeof openrpc, model: ServiceModel): Json {
  const [draft] = emitter.emit(model, layout);
  return jsonOf(JSON.parse(draft?.text ?? "null"));
}
