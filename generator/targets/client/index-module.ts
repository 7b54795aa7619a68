import type { ServiceModel } from "../../model/service-model.ts";
import { bracketed, lines, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { hasKeyless } from "./fixed-modules.ts";
import type { ClientNames } from "./names.ts";

const connection = [
  "connect",
  "type CallOptions",
  "type ConnectOptions",
  "type Connection",
  "type Fetch",
  "type Patience",
];
const errors = [
  "CallError",
  "NetworkError",
  "TimeoutError",
  "UnreadableResponseError",
  "type AnyErrorCode",
  "type CallFacts",
  "type CodeClass",
  "type ErrorClass",
  "type ServiceErrorFacts",
];
const registration = [
  "isRegistrationError",
  "registerSigner",
  "type KeyPair",
  "type RegisteredSigner",
  "type RegistrationError",
  "type RegistrationOptions",
  "type RegistrationPayload",
];

/** `index.ts`: what the package offers. */
export function indexModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const registers = model.methods.some((method) => method.registersKey !== undefined);
  const lists = names.lists.flatMap(({ value, filter, item }) => [value, `type ${filter}`, `type ${item}`]);
  const types = [names.methods, ...names.groups.map(({ type }) => type)];
  const statements = [
    exported(["type Answer"], "answer"),
    exported([names.client, ...types.map((name) => `type ${name}`)], "client"),
    exported(connection, "connection"),
    'export * from "./error-classes.ts";',
    exported([`isServiceError as is${names.error}`, ...errors], "errors"),
    exported(["guarded", "type ClientOptions", "type GuardOptions"], "guard"),
    exported(
      ["hooks", "type Attempt", "type AttemptEnd", "type Hooks", "type Watch", "type MakeAttempt"],
      "hooks",
    ),
    exported(["type ErrorCode"], "interface"),
    exported(lists, "lists"),
    exported(["messageSignatures"], "message-signatures"),
    exported(["type Caller", "type Method"], "method"),
    'export * as money from "./money.ts";',
    'export type { Amount, Rounding } from "./money.ts";',
    hasKeyless(model) ? exported(["noKey"], "no-key") : "",
    exported(["type BoundOperation", "type Operation"], "operation"),
    'export * from "./operations.ts";',
    registers ? exported(registration, "registration") : "",
    exported(["type Envelope", "type EnvelopeError", "type ResponseLike"], "response"),
    exported(["type PrivateJwk", "type SignFunction", "type Signer", "type SigningKey"], "signing"),
    'export type * from "./types.ts";',
  ].filter((statement) => statement !== "");
  return printModule({
    path: `${folder}/index.ts`,
    preamble: preamble(model),
    declares: [],
    body: [lines(statements)],
  }).replace("\n\n", "\n");
}

/** Exports of a module; none where there are no names. */
export function exported(names: readonly string[], file: string): Printable {
  if (names.length === 0) return "";
  const isTypes = names.every((name) => name.startsWith("type "));
  const clauses = isTypes ? names.map((name) => name.slice(5)) : names;
  const list = bracketed("{", "}", clauses);
  return [isTypes ? "export type " : "export ", list, ` from ${stringLiteral(`./${file}.ts`)};`];
}
