import { generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import type { CredentialChange, CredentialPlan, SchemeEntry } from "../../suite/json-rpc.ts";
import type { Credential } from "../credential.ts";
import { MissingValue } from "../resolve-value.ts";

type Options = SchemeEntry["options"];

/** A kind of authentication schemes: everything that specs, clients, pages and tests say of it. */
export interface SchemeKind {
  /** Its name in a spec. */
  readonly kind: string;
  /** Keys in a spec, beside `kind`. Keys, secrets and addresses are options of the runtime. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Whether its credentials say what a caller may do, so that `security` may ask for scopes. */
  readonly hasScopes: boolean;
  /** Values of `algorithms`, in groups of which a scheme uses one: keys of two groups are never the same key. */
  readonly algorithms?: readonly (readonly string[])[];
  /** The components that a signature may cover, and those that it must cover. */
  readonly covers?: { readonly known: readonly string[]; readonly required: readonly string[] };
  /** The header that carries the credential, in lower case: two in one header cannot both be sent. */
  header(options: Options): string | undefined;
  /** Members of a credential in an access file; the needed ones have to be there. `example` is JSON. */
  readonly access: {
    readonly needed: readonly string[];
    readonly more: readonly string[];
    readonly example: string;
    /** A new credential, for a service of tests; absent where only others issue one. */
    made?(options: Options): object;
    /** Members of which a single call needs one: the suite issues credentials itself, to a service that knows it. */
    readonly toCall?: readonly string[];
  };
  /** How a variable of Postman or Bruno serves it; absent where each request has to be computed. */
  readonly variable?: SchemeVariable;
  /** Everything that can be wrong with a credential. */
  changes(options: Options): readonly CredentialChange[];
  /** The headers of a request. @throws MissingValue for what the access file does not have */
  credential(task: CredentialTask): CredentialHeaders;
  readonly client: ClientScheme;
  readonly page: {
    /** The lines that a request has. */
    lines(options: Options): readonly string[];
    /** A sentence on how the credential is made. */
    how?(options: Options): string;
  };
  /** The security scheme of OpenAPI; 3.0 has no word for some. */
  openApi(options: Options, version: string): object;
  /** Headers beside the one in `openApi`, for OpenAPI. */
  readonly moreHeaders?: readonly { readonly name: string; readonly description: string }[];
}

/** The value of a scheme in one variable, and the header that is filled with it. */
export interface SchemeVariable {
  header(options: Options): string;
  /** Before the variable in the header. */
  readonly before: string;
  /** From the access file; empty where it has none. */
  value(credential: Credential): string;
}

/** A scheme in generated clients; its modules are in `templates/client`. */
export interface ClientScheme {
  /** Type of the credential. */
  readonly type: string;
  /** Whether a function may give the credential, and its type does not say so. */
  readonly isProvided?: true;
  /** The module of type and value. Default: `credentials`. */
  readonly module?: string;
  /** Modules that are copied for it. */
  readonly files?: readonly string[];
  /** The name of the value, or of the function that makes it from arguments. */
  readonly value: string;
  arguments?(scheme: SchemeEntry): readonly (string | readonly string[])[];
  /** A credential for an example, in TypeScript. */
  readonly example: string;
  /** One for a service of tests, which does not look at it. */
  readonly fake: string;
}

/** The request that a credential is for, as it is going to be sent. */
export interface SignedRequest {
  readonly httpMethod: string;
  /** Path and query, with the path of the service's address. */
  readonly target: string;
  readonly body: Buffer;
}

/** The input from which a credential is made. */
export interface CredentialTask {
  readonly scheme: SchemeEntry;
  readonly plan: CredentialPlan;
  readonly credential: Credential;
  readonly request: SignedRequest;
  /** Unix time in seconds. */
  readonly nowSeconds: number;
  /** Differs from request to request. */
  readonly nonce: string;
}

/** Headers by lower-case name. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** A text with another last character. */
export function alteredText(text: string): string {
  return text.replace(/.$/su, (last) => (last === "A" ? "B" : "A"));
}

export function optionText({ options }: SchemeEntry, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function optionNumber({ options }: SchemeEntry, name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}

/** An option that is one text or several. */
export function optionTexts({ options }: SchemeEntry, name: string): readonly string[] {
  const value = options[name];
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** A member of the access file. @throws MissingValue where it has none */
export function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw new MissingValue(name);
  return value;
}

export function authorizationHeader(): string {
  return "authorization";
}

/** The header that the spec names. */
export function namedHeader(options: Options): string | undefined {
  const { header } = options;
  return typeof header === "string" ? header : undefined;
}

/** OpenAPI's word for a credential in a header of its own. */
export function headerKey(options: Options): object {
  return { type: "apiKey", in: "header", name: namedHeader(options) };
}

/** The changes of the parts that a signature covers. */
export function whereCovered(
  { covers = ["@method", "@path", "content-digest"] }: Options,
  changes: Readonly<Partial<Record<CredentialChange, readonly string[]>>>,
): readonly CredentialChange[] {
  const covered: readonly unknown[] = Array.isArray(covers) ? covers : [];
  return changeNames.filter((change) => changes[change]?.some((part) => covered.includes(part)));
}

const changeNames = [
  "timestamp-changed",
  "nonce-changed",
  "body-changed",
  "path-changed",
  "method-changed",
] as const;

/** The token or key of the access file; one that was not issued by the suite cannot be changed but for being wrong. */
export function givenToken({ scheme, plan, credential }: CredentialTask, given: string | undefined): string {
  const name = `credentials.${scheme.name}`;
  const own = needed(given, name);
  switch (plan.change) {
    case "wrong":
    case "stranger":
      return alteredText(own);
    case "expired":
      return needed(credential.expired, `${name}.expired`);
    case "replayed":
      return own;
    default:
      return plan.limited === true ? needed(credential.limited, `${name}.limited`) : own;
  }
}

/** The variable of a token in `Authorization`. */
export const tokenVariable: SchemeVariable = {
  header: () => "Authorization",
  before: "Bearer ",
  value: ({ token = "" }) => token,
};

/** A secret that nobody guesses. */
export function newSecret(bytes = 24): string {
  return randomBytes(bytes).toString("base64url");
}

/** A secret where the first algorithm is symmetric (RFC 7518, section 3.2: as long as the hash), or else a private key. */
export function newSigningKey({ algorithms }: Options): Credential {
  const [algorithm = ""] = Array.isArray(algorithms) ? algorithms.map(String) : [];
  if (/^HS|^hmac/.test(algorithm)) return { keyId: "mock-key", secret: newSecret(64), algorithm };
  const privateKeyPem = newPrivateKey(algorithm).export({ type: "pkcs8", format: "pem" }).toString();
  return { keyId: "mock-key", privateKeyPem, algorithm };
}

function newPrivateKey(algorithm: string): KeyObject {
  if (/^ed/i.test(algorithm)) return generateKeyPairSync("ed25519").privateKey;
  const namedCurve = curves.get(algorithm);
  if (namedCurve !== undefined) return generateKeyPairSync("ec", { namedCurve }).privateKey;
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

const curves: ReadonlyMap<string, string> = new Map([
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
  ["ecdsa-p256-sha256", "P-256"],
  ["ecdsa-p384-sha384", "P-384"],
]);
