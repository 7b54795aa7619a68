import { omitUndefined } from "../../conformance/omit-undefined.ts";
import { isObject, listOf, memberOf, textOf, type Json } from "./json.ts";
import type { ParamsStyle } from "./methods.ts";
import type { Written } from "./print-types.ts";
import { ownExtensions } from "./remarks.ts";
import { pick } from "./follow.ts";

/** The `interface` of the imported spec. What the spec language has no key for travels as `x-openrpc`. */
export function interfaceDefinition(document: Json, name: string, params: ParamsStyle): Written {
  const info = memberOf(document, "info") ?? {};
  const version = textOf(info, "version");
  const isRevision = version !== undefined && /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version);
  const doc = textOf(info, "description") ?? textOf(document, "description");
  const words = pick(info, ["termsOfService", "contact", "license"]);
  const carried: Record<string, Json> = {
    ...pick(document, ["servers", "externalDocs", "tags"]),
    ...omitUndefined({
      info: Object.keys(words).length === 0 ? undefined : words,
      version: version === undefined || isRevision ? undefined : version,
    }),
    ...componentLinks(document),
  };
  return {
    name,
    title: textOf(info, "title") ?? textOf(document, "title") ?? name,
    revision: isRevision ? version : "1.0.0",
    ...omitUndefined({ doc }),
    wire: { protocol: "json-rpc-2.0", params, http: { path: pathOf(document) } },
    ...ownExtensions(document),
    ...ownExtensions(info),
    ...omitUndefined({ "x-openrpc": Object.keys(carried).length === 0 ? undefined : carried }),
  };
}

/** Links are kept whole where methods refer to them. */
function componentLinks(document: Json): Record<string, Json> {
  const components = pick(memberOf(document, "components") ?? {}, ["links", "tags"]);
  return Object.keys(components).length === 0 ? {} : { components };
}

/** The path of the first server, where it is a plain one. */
function pathOf(document: Json): string {
  const [server] = listOf(document, "servers");
  const url = isObject(server) ? textOf(server, "url") : undefined;
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname : url;
  return path !== undefined && /^\/[A-Za-z0-9._~/-]+$/.test(path) ? path : "/rpc";
}
