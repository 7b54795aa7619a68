import { hasMoney } from "../../../model/holds.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { inSubjects, type Subjects } from "../../../targets/client/subjects.ts";
import { typesModule } from "../../../targets/types/types-module.ts";
import { listsModule } from "../../../targets/client/lists-module.ts";
import { packageFiles } from "../../../targets/client/package-files.ts";
import { schemasModules } from "../../../targets/client/schemas-module.ts";
import { clientModule, hasSockets, socketModule } from "./client-module.ts";
import { errorsModule, interfaceModule, operationsModule, schemesModule } from "./modules.ts";
import { standardExamplesModule, standardTestingModule } from "./fakes.ts";
import { standardClashes, standardNames, type StandardNames } from "./names.ts";
import type { ClientPart, WantedEntries } from "../../protocol.ts";
import { wireOf } from "../wire.ts";
import { readme } from "./readme.ts";
import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import { copiedModules, sharedModules, exported } from "../../../targets/client/copied-modules.ts";
import { lines, type Printable } from "../../../print/layout.ts";
import { printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";

/** A client of JSON-RPC 2.0. */
export const client: ClientPart = {
  clashes: (model) => standardClashes(model, wireOf(model)),
  files,
  fakes(model, folder) {
    const names = standardNames(model, wireOf(model));
    const pieces = {
      "examples.ts": standardExamplesModule(model, names, folder),
      ...copiedModules(["example-of.ts", "json-rpc/fake-service.ts"], model),
      "testing.ts": standardTestingModule(model, names, folder),
    };
    return inSubjects(pieces, subjects, ["testing"]);
  },
};

/** Schemas of zod only where zod is wanted: they import it. */
function files(model: ServiceModel, folder: string, wanted: WantedEntries): Readonly<Record<string, string>> {
  const wire = wireOf(model);
  const names = standardNames(model, wire);
  const overSockets = hasSockets(wire);
  const entries = ["index", ...(wanted.zod ? ["schemas"] : []), ...(wanted.fakes ? ["testing"] : [])];
  const hasLists = names.lists.length > 0;
  const pieces = {
    ...fixedModules(model, { hasSockets: overSockets, hasLists }),
    ...packageFiles(model, readme(model, wire, names, { hasFakes: wanted.fakes }), {
      entries,
      signs: signs(model),
    }),
    ...(overSockets && { "websocket.ts": socketModule(model, names, folder) }),
    "client.ts": clientModule(model, names, folder),
    "error-classes.ts": errorsModule(model, names, folder),
    "index.ts": indexModule(model, names, { folder, hasSockets: overSockets }),
    "interface.ts": interfaceModule(model, wire, folder),
    ...(hasLists && { "lists.ts": listsModule(model, names.lists, folder) }),
    "operations.ts": operationsModule(model, folder),
    "schemes.ts": schemesModule(model, names, folder),
    ...(wanted.zod && schemasModules(model, folder)),
    "types.ts": typesModule(model, `${folder}/types.ts`, {
      money: "number",
      doubledSpellings: false,
      openEnums: true,
      presence: "payloads",
    }),
  };
  return inSubjects(pieces, subjects, entries);
}

/** The files of the package, each a subject. */
const subjects: Subjects = {
  errors: ["interface", "failures", "service-error", "limited", "retry", "error-classes"],
  messages: [
    "bytes",
    "json",
    "sent-text",
    "method",
    "bigints",
    "message",
    "plain-headers",
    "observe",
    "exchange",
    "answer",
  ],
  connection: ["limits", "authorizer", "connection", "operation", "batch", "standard-client"],
  client: ["schemes", "client"],
  signing: ["signing", "signed-message", "message-signature"],
  socket: ["pending", "socket"],
  "fake-service": ["example-of", "fake-service"],
};

/** Modules of the protocol. */
const always = [
  "answer.ts",
  "authorizer.ts",
  "batch.ts",
  "bigints.ts",
  "connection.ts",
  "credentials.ts",
  "message.ts",
  "method.ts",
  "operation.ts",
  "service-error.ts",
  "standard-client.ts",
];
const forSockets = ["pending.ts", "socket.ts"];

/** The modules that are the same for every standard interface. */
function fixedModules(
  model: ServiceModel,
  { hasSockets, hasLists }: { readonly hasSockets: boolean; readonly hasLists: boolean },
): Readonly<Record<string, string>> {
  const own = [
    ...[...always, ...(hasSockets ? forSockets : [])].map((file) => `json-rpc/${file}`),
    ...new Set(model.schemes.flatMap(({ kind }) => schemeKindOf(kind)?.client.files ?? [])),
  ];
  return { ...sharedModules(model, hasLists), ...copiedModules(own, model) };
}

const connection = ["connect", "type CallOptions", "type ClientOptions", "type Connection", "type Hooks"];
const exchanging = ["type Provided", "type ResponseLike"];
const authorization = ["type Allowed", "type NeedsCredentials", "type OutgoingRequest"];
const credentials = [
  "type BasicCredential",
  "type CertificateCredential",
  "type KeyCredential",
  "type OwnCredential",
  "type TokenCredential",
];

/** `index.ts`: what the package offers. */
function indexModule(
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
    exported(authorization, "authorizer"),
    model.schemes.length === 0 ? "" : exported(credentials, "credentials"),
    'export * from "./error-classes.ts";',
    exported(exchanging, "exchange"),
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
    ...(hasMoney(model)
      ? ['export * as money from "./money.ts";', 'export type { Amount, Rounding } from "./money.ts";']
      : []),
    exported(["type Operation"], "operation"),
    'export * from "./operations.ts";',
    exported(["type Patience"], "retry"),
    exported(["schemes", `type ${names.auth}`], "schemes"),
    exported(["isServiceError", "ServiceError", "type NamedErrorClass"], "service-error"),
    signs(model)
      ? exported(["type PrivateJwk", "type SignFunction", "type Signer", "type SigningKey"], "signing")
      : "",
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

/** Whether a scheme signs by a private key. */
function signs({ schemes }: ServiceModel): boolean {
  return schemes.some(({ kind }) => schemeKindOf(kind)?.client.files?.includes("signed-message.ts") ?? false);
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
