import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { lines, type Printable } from "../../../print/layout.ts";
import { printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { exported } from "../index-module.ts";
import type { StandardNames } from "./names.ts";

const connection = [
  "connect",
  "type CallOptions",
  "type ClientOptions",
  "type Connection",
  "type Hooks",
  "type ResponseLike",
];
const credentials = [
  "type Allowed",
  "type BasicCredential",
  "type CertificateCredential",
  "type KeyCredential",
  "type NeedsCredentials",
  "type OutgoingRequest",
  "type OwnCredential",
  "type Provided",
  "type TokenCredential",
];

/** `index.ts`: what the package offers. */
export function indexModule(
  model: ServiceModel,
  names: StandardNames,
  { folder, hasSockets }: { readonly folder: string; readonly hasSockets: boolean },
): string {
  const clientTypes = [names.client, names.methods, names.notifiable, names.options];
  const socketTypes = [names.notifications, names.socket, names.socketOptions];
  const lists = names.lists.flatMap(({ value, filter, item }) => [value, `type ${filter}`, `type ${item}`]);
  const statements = [
    exported(["type Answer", "type Envelope", "type EnvelopeError"], "answer"),
    exported(["type BatchCall", "type Outcome", "type Outcomes"], "batch"),
    exported([names.create, ...clientTypes.map((name) => `type ${name}`)], "client"),
    exported(connection, "connection"),
    exported(credentials, "credentials"),
    'export * from "./error-classes.ts";',
    exported(
      [
        "CallError",
        "NetworkError",
        "TimeoutError",
        "UnreadableResponseError",
        "type CallFacts",
        "type ErrorClass",
      ],
      "failures",
    ),
    ...credentialTypes(model),
    exported(lists, "lists"),
    exported(["type Id"], "message"),
    exported(["type Method"], "method"),
    'export * as money from "./money.ts";',
    'export type { Amount, Rounding } from "./money.ts";',
    exported(["type Operation"], "operation"),
    'export * from "./operations.ts";',
    exported(["type Patience"], "retry"),
    exported(["schemes", `type ${names.auth}`], "schemes"),
    exported(["isServiceError", "ServiceError", "type NamedErrorClass"], "service-error"),
    exported(["type PrivateJwk", "type SignFunction", "type Signer", "type SigningKey"], "signing"),
    ...(hasSockets ? [exported(["type SocketLike", "type SocketOptions"], "socket")] : []),
    exported(["type Arguments", "type BoundOperation", "type StandardClient"], "standard-client"),
    'export type * from "./types.ts";',
    ...(hasSockets
      ? [exported([names.createSocket, ...socketTypes.map((name) => `type ${name}`)], "websocket")]
      : []),
  ].filter((statement) => statement !== "");
  return printModule({
    path: `${folder}/index.ts`,
    preamble: preamble(model),
    declares: [],
    body: [lines(statements)],
  }).replace("\n\n", "\n");
}

/** The types of credentials that have modules of their own, by the module. */
function credentialTypes({ schemes }: ServiceModel): readonly Printable[] {
  const types = schemes.flatMap(({ kind }) => {
    const { module, type } = schemeKindOf(kind)?.client ?? {};
    return module === undefined ? [] : [[module, `type ${type}`] as const];
  });
  return [...new Map(types)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, type]) => exported([type], module));
}
