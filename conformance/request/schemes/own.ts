import { createRequire } from "node:module";
import type { CredentialPlan, SchemeEntry } from "../../suite/json-rpc.ts";
import type { OwnHeaders } from "../credential.ts";
import { MissingValue } from "../resolve-value.ts";
import {
  alteredText,
  namedHeader,
  newSecret,
  type CredentialHeaders,
  type CredentialTask,
  type SchemeKind,
} from "./scheme.ts";

/** A kind of the project's own, which only its verifier knows. */
export function ownKind(kind: string): SchemeKind {
  return {
    kind,
    required: [],
    optional: [],
    hasScopes: true,
    header: (options) => namedHeader(options)?.toLowerCase(),
    access: {
      needed: [],
      more: [],
      example: "{}",
      // Only its verifier knows the form.
      made(options) {
        const headers = (): object => ({ [namedHeader(options) ?? kind]: newSecret() });
        return { headers: headers(), wrong: headers(), expired: headers(), limited: headers() };
      },
    },
    changes: () => ["malformed", "wrong", "expired"],
    credential: ownCredential,
    client: {
      type: "OwnCredential",
      value: "ownScheme",
      arguments: ({ name, options }) => [String(options["header"] ?? `${kind} ${name}`)],
      example: 'async () => ({ "x-mine": "your proof" })',
      fake: "() => ({})",
    },
    page: { lines: (options) => (namedHeader(options) === undefined ? [] : [`${namedHeader(options)}: …`]) },
    openApi: (options) =>
      namedHeader(options) === undefined
        ? { type: "http", scheme: kind }
        : { type: "apiKey", in: "header", name: namedHeader(options) },
  };
}

/** The argument of `credentialHeaders` in the module of a scheme. */
interface OwnRequest extends Pick<CredentialTask, "request" | "nowSeconds" | "nonce"> {
  readonly scopes: readonly string[];
  readonly change: CredentialPlan["change"] | undefined;
  readonly limited: true | undefined;
  /** Those of the scheme in the spec. */
  readonly options: SchemeEntry["options"];
}

/** The headers that the access file's entry for a scheme of the project's own gives. */
function ownCredential(task: CredentialTask): CredentialHeaders {
  const { scheme, plan, credential } = task;
  const { module } = credential;
  const made = module === undefined ? fixedHeaders(task) : moduleHeaders(task, module);
  if (made !== undefined) return made;
  const variant = plan.limited === true ? "limited" : (plan.change ?? "headers");
  const why = module === undefined ? undefined : "credentialHeaders of its module does not give";
  throw new MissingValue(`credentials.${scheme.name}.${variant}`, why);
}

/** Headers that do not depend on the request. Without `wrong` the last character of each is another. */
function fixedHeaders({ plan, credential: { own } }: CredentialTask): CredentialHeaders | undefined {
  if (own === undefined) return undefined;
  const { headers, ...variants } = own;
  if (plan.limited === true) return variants.limited;
  switch (plan.change) {
    case undefined:
      return headers;
    case "wrong":
      return variants.wrong ?? mapped(headers, alteredText);
    case "malformed":
    case "expired":
      return variants[plan.change];
    default:
      return undefined;
  }
}

function moduleHeaders(task: CredentialTask, module: string): CredentialHeaders | undefined {
  const { scheme, plan, request, nowSeconds, nonce } = task;
  const { change, limited, scopes } = plan;
  const asked = { request, nowSeconds, nonce, options: scheme.options, scopes, change, limited };
  const made = loadHeaders(module)(asked);
  if (made === undefined) return undefined;
  const headers = headersIn(made);
  if (headers === undefined)
    throw new Error(`credentialHeaders of ${module} has to give headers, each a text, or undefined`);
  return headers;
}

/**
 * `credentialHeaders` of a module, which may be the scheme's own file. It returns the headers of a request, or
 * undefined. @throws Error if the module has no such function
 */
export function loadHeaders(path: string): (request: OwnRequest) => unknown {
  const exported: unknown = createRequire(path)(path);
  const made: unknown = Object(exported).credentialHeaders;
  if (typeof made === "function") return (request) => Reflect.apply(made, undefined, [request]);
  throw new Error("it exports no function credentialHeaders");
}

/** An object of headers, by names in lower case; undefined for anything else. */
export function headersIn(value: unknown): OwnHeaders | undefined {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const isSound = entries.every(
    ([name, text]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof text === "string",
  );
  if (!isSound || entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}

function mapped(headers: CredentialHeaders, change: (value: string) => string): CredentialHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}
