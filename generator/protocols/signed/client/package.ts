import { provesKey } from "../../../../conformance/suite/proves-key.ts";
import { requestIdOf } from "../../../model/index.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { copiedModules, sharedModules, exported } from "../../../targets/client/copied-modules.ts";
import type { ClientNames } from "./names.ts";
import { lines } from "../../../print/layout.ts";
import { printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";

/** Modules of every client that signs envelopes. What differs between interfaces they read from `interface.ts`. */
const always = [
  "answer.ts",
  "connection.ts",
  "errors.ts",
  "guard.ts",
  "hooks.ts",
  "message-signatures.ts",
  "method.ts",
  "no-key.ts",
  "operation.ts",
];
const forRequestIds = ["request-ids.ts"];
const forEvents = ["member-text.ts", "notification.ts", "webhook-keys.ts", "webhook-verifier.ts"];

/** The modules that are the same for every interface of signed envelopes. */
export function fixedModules(model: ServiceModel, names: ClientNames): Readonly<Record<string, string>> {
  const own = [
    ...always,
    ...(hasRequestIds(model) ? forRequestIds : []),
    ...(model.events.length > 0 ? forEvents : []),
  ].map((file) => `signed-envelope/${file}`);
  return {
    ...sharedModules(model, names.lists.length > 0),
    ...copiedModules([...own, "signed-message.ts"], model),
  };
}

function hasRequestIds(model: ServiceModel): boolean {
  return model.methods.some((method) => requestIdOf(model, method) !== undefined);
}

/** Whether callers without a key have operations of their own. */
export function hasKeyless({ methods }: ServiceModel): boolean {
  return methods.some(({ transport }) => !provesKey(transport));
}

const connection = ["connect", "type CallOptions", "type ConnectOptions", "type Connection"];
const exchanging = ["type Fetch", "type ResponseLike"];
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
    exported(exchanging, "exchange"),
    exported([`isServiceError as is${names.error}`, ...errors], "errors"),
    exported(["guarded", "type ClientOptions", "type GuardOptions"], "guard"),
    exported(
      ["hooks", "type Attempt", "type AttemptEnd", "type Hooks", "type Watch", "type MakeAttempt"],
      "hooks",
    ),
    exported(["type ErrorCode"], "interface"),
    exported(lists, "lists"),
    exported(["messageSignatures"], "message-signatures"),
    exported(["type Caller", "type Envelope", "type EnvelopeError", "type Method"], "method"),
    'export * as money from "./money.ts";',
    'export type { Amount, Rounding } from "./money.ts";',
    hasKeyless(model) ? exported(["noKey"], "no-key") : "",
    exported(["type BoundOperation", "type Operation"], "operation"),
    'export * from "./operations.ts";',
    registers ? exported(registration, "registration") : "",
    exported(["type Patience"], "retry"),
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
