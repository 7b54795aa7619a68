import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { hasErrors, type Diagnostic } from "../../generator/language/diagnostics/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { closest } from "../../conformance/base/closest.ts";
import { schemeKindOf } from "../../conformance/request/schemes/index.ts";
import { findConfig } from "../../generator/cli/config.ts";
import { diskReader } from "../../generator/cli/disk-reader.ts";
import { nameOf, selectSpecs, type SpecOptions } from "../../generator/cli/select.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

/** Where a call goes. */
export interface Endpoint {
  /** The one given, or the path of the spec on this machine. */
  readonly url: string;
  /** The path of the method, where its spec is known. */
  readonly path?: string;
  readonly apiKeyHeader: string;
  /** The interface, where its spec is known. */
  readonly model?: ServiceModel;
  /** A method of the spec that may be meant, where it has none of the name. */
  readonly meant?: string;
  /** Why there is no model of an interface that the config names: nothing is checked then. */
  readonly unread?: string;
}

/** The options that say where a call goes, before the specs are read. */
export interface EndpointOptions extends SpecOptions {
  readonly url?: string;
  /** A file that says who calls. */
  readonly access?: string;
}

/** Why it is not known where a call goes. */
export interface NoEndpoint {
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The endpoint of the interface that has a method: the one given, or the path of its spec on this machine. */
export function endpointOf(
  method: string,
  options: EndpointOptions,
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
): Endpoint | NoEndpoint {
  const { url } = options;
  const isOutside = options.config === undefined && findConfig(cwd, undefined) === undefined;
  const found = url !== undefined && isOutside ? undefined : interfaceOf(method, options, cwd, isOutside);
  if (url !== undefined && options.access === undefined && (found === undefined || "message" in found))
    return { url, apiKeyHeader: defaultApiKeyHeader, ...omitUndefined({ unread: found?.message }) };
  if (found === undefined || "message" in found) return found ?? nothingKnown;
  if (protocolOf(found).isSigned && options.access === undefined) {
    const message = `${found.name} is an interface of signed envelopes: say who calls, by --access <file>`;
    return { message, diagnostics: [] };
  }
  const known = found.methods.map(({ name }) => name);
  const called = found.methods.find(({ name }) => name === method);
  const meant = known.includes(method) ? undefined : closest(method, known);
  const path = called?.path ?? found.path;
  return omitUndefined({
    url: url ?? `http://127.0.0.1:${env["PORT"] ?? "3000"}${path}`,
    path,
    apiKeyHeader: apiKeyHeaderOf(found, method),
    model: found,
    meant,
  });
}

/** The header of the scheme that a method asks for, or of the only one of its kind. */
function apiKeyHeaderOf({ schemes, methods }: ServiceModel, method: string): string {
  const security = methods.find(({ name }) => name === method)?.security ?? [];
  const asked = new Set(security.flat().map(({ scheme }) => scheme));
  const ofKind = schemes.filter(({ kind }) => schemeKindOf(kind)?.access.needed.includes("key"));
  const header = (ofKind.find(({ name }) => asked.has(name)) ?? ofKind[0])?.options["header"];
  return typeof header === "string" ? header : defaultApiKeyHeader;
}

const defaultApiKeyHeader = "x-api-key";
const nothingKnown: NoEndpoint = { message: "the config names no spec", diagnostics: [] };

/** The interface that has the method, or the first; or why none can be read. */
function interfaceOf(
  method: string,
  options: SpecOptions,
  cwd: string,
  isOutside: boolean,
): ServiceModel | NoEndpoint {
  const selection = selectSpecs(options, cwd, "read");
  if (selection.kind === "refused") {
    const hint = isOutside ? ", or say where the service is with --url" : "";
    return { message: `${selection.message}${hint}`, diagnostics: selection.diagnostics };
  }
  const models: ServiceModel[] = [];
  for (const { spec } of selection.targets) {
    const { value, diagnostics } = loadServiceModel(spec, diskReader(selection.config.root));
    if (value === undefined || hasErrors(diagnostics))
      return { message: `the spec ${nameOf(spec)} has errors`, diagnostics };
    models.push(value);
  }
  return (
    models.find(({ methods }) => methods.some(({ name }) => name === method)) ?? models[0] ?? nothingKnown
  );
}
