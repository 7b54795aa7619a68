import { basesOf } from "../emit/conformance/bases.ts";
import {
  exampleId,
  methodPath,
  type MethodModel,
  type SchemeModel,
  type ServiceModel,
} from "../model/index.ts";
import { standardParams } from "../print/standard-params.ts";

/** One request of a collection. `{{name}}` stands for a variable, in both formats. */
export interface CollectionRequest {
  readonly name: string;
  /** The service of the interface that it belongs to. */
  readonly folder?: string;
  readonly doc: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Indented JSON. */
  readonly body: string;
}

/** A request for each operation, with the smallest payload that its first form takes. */
export function requestsOf(model: ServiceModel): readonly CollectionRequest[] {
  return model.methods.map((method) => {
    const { name, service, doc } = method;
    const isFlat = method.transport.kind === "flat";
    const headers = { "Content-Type": "application/json", ...(isFlat ? { Signature: "flat" } : {}) };
    return {
      name,
      doc,
      path: methodPath(method, model),
      headers: { ...headers, ...credentialHeaders(method, model) },
      body: JSON.stringify(bodyOf(method, model), undefined, 2),
      ...(service === undefined ? {} : { folder: service }),
    };
  });
}

function bodyOf(method: MethodModel, model: ServiceModel): unknown {
  const [payload = {}] = Object.values(basesOf(method, model));
  const { name, transport } = method;
  switch (transport.kind) {
    case "flat":
      return payload;
    case "json-rpc":
      return { jsonrpc: "2.0", id: 1, method: name, params: standardParams(method, payload) };
    case "enveloped": {
      const api = Object.fromEntries(transport.auth.map((member) => [member, "set by the script"]));
      return { jsonrpc: "2.0", id: exampleId(model, "1"), method: name, params: { api, payload } };
    }
  }
}

/** Credentials of a standard interface: the first alternative, in variables named by scheme. */
function credentialHeaders(
  { security }: MethodModel,
  { schemes }: ServiceModel,
): Readonly<Record<string, string>> {
  const [uses = []] = security;
  const used = uses.flatMap(({ scheme }) => schemes.filter(({ name }) => name === scheme));
  return Object.fromEntries(used.map(headerOf).filter((header) => header !== undefined));
}

/** A header and the text with its variable; nothing for a scheme that no variable alone can serve. */
function headerOf({ name, kind, options }: SchemeModel): readonly [string, string] | undefined {
  switch (kind) {
    case "basic":
      return ["Authorization", `Basic {{${name}}}`];
    case "bearer":
    case "jwt":
      return ["Authorization", `Bearer {{${name}}}`];
    case "api-key":
      return typeof options["header"] === "string" ? [options["header"], `{{${name}}}`] : undefined;
    default:
      return undefined;
  }
}

/** The schemes that a collection cannot serve: what they cover has to be computed for each request. */
export function unservedSchemes({ schemes }: ServiceModel): readonly string[] {
  return schemes.filter((scheme) => headerOf(scheme) === undefined).map(({ name }) => name);
}

/** The variables that requests and scripts ask for, `baseUrl` first. */
export function variablesOf(model: ServiceModel, requests: readonly CollectionRequest[]): readonly string[] {
  const named = requests.flatMap(({ body, headers }) => [
    ...`${body}\n${Object.values(headers).join("\n")}`.matchAll(/\{\{(\w+)\}\}/g),
  ]);
  const signing = isSigned(model) ? ["userName", "apiKey", "keyId", "privateKey"] : [];
  return [...new Set(["baseUrl", ...signing, ...named.map(([, name = ""]) => name)])];
}

export function isSigned({ wire }: ServiceModel): boolean {
  return wire.protocol === "signed-envelope";
}

/** Whether a variable is a secret of the caller. */
export function isSecret(variable: string, { schemes }: ServiceModel): boolean {
  return ["apiKey", "privateKey"].includes(variable) || schemes.some(({ name }) => name === variable);
}
