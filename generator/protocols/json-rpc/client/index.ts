import type { ServiceModel } from "../../../model/service-model.ts";
import { inSubjects, type Subjects } from "../../../targets/client/subjects.ts";
import { clientPackage, type Offers } from "../../../targets/client/package.ts";
import { clientModule, hasSockets, socketModule } from "./client-module.ts";
import { errorsModule, schemesModule, standardInterface, standardOperations } from "./modules.ts";
import { type StandardNames, standardClashes, standardNames } from "./names.ts";
import type { ClientPart } from "../../protocol.ts";
import { wireOf } from "../wire.ts";
import { framedModules } from "./framed-modules.ts";
import { readme } from "./readme.ts";
import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import { fakeModules, type FakeSource } from "../../../targets/client/fakes.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { member, objectLiteral } from "../../../print/literals.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import { importedType, importedValue } from "../../../print/module.ts";

/** A client of JSON-RPC 2.0. */
export const client: ClientPart = {
  clashes: (model) => standardClashes(model, wireOf(model)),
  files(model, folder, wanted) {
    const wire = wireOf(model);
    const names = standardNames(model, wire);
    return clientPackage(model, folder, wanted, {
      lists: names.lists,
      readme: readme(model, wire, names, wanted),
      facts: standardInterface(wire, names),
      operations: standardOperations(model, folder),
      signs: signs(model),
      doubledSpellings: false,
      entries: [],
      copied: [
        ...[...always, ...(hasSockets(wire) ? forSockets : [])].map((file) => `json-rpc/${file}`),
        ...new Set(model.schemes.flatMap(({ kind }) => schemeKindOf(kind)?.client.files ?? [])),
      ],
      adapted: (modules) => framedModules(modules, wire.frame),
      printed: {
        ...(hasSockets(wire) && { "websocket.ts": socketModule(model, names, folder) }),
        "client.ts": clientModule(model, names, folder),
        "error-classes.ts": errorsModule(model, names, folder),
        "schemes.ts": schemesModule(model, names, folder),
      },
      offers: [...offers(model, names), ...(hasSockets(wire) ? socketOffers(names) : [])],
      subjects,
    });
  },
  fakes(model, folder) {
    const source = fakeSource(model, standardNames(model, wireOf(model)), folder);
    return inSubjects(fakeModules(model, folder, source), subjects, ["testing"]);
  },
};

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
  connection: ["limits", "authorizer", "connection", "operation", "batch", "bound", "standard-client"],
  client: ["schemes", "client"],
  signing: ["signing", "signed-message", "message-signature"],
  socket: ["pending", "socket"],
  "fake-service": ["fake-service", "playing"],
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
  "standard-client.ts",
];
const forSockets = ["pending.ts", "socket.ts"];

/** What the package offers. */
function offers(model: ServiceModel, names: StandardNames): Offers {
  const types = [names.methods, names.notifiable, names.options].map((name) => `type ${name}`);
  return [
    ["answer", "type Answer", "type Envelope", "type EnvelopeError"],
    ["authorizer", "type Allowed", "type NeedsCredentials", "type OutgoingRequest"],
    ["batch", "type BatchCall", "type Outcome", "type Outcomes"],
    ["client", names.create, `type ${names.client}`, ...types],
    ["connection", "connect", "type CallOptions", "type ClientOptions", "type Connection"],
    ...(model.schemes.length === 0 ? [] : [credentials]),
    ...credentialTypes(model),
    ["message", "type Id"],
    ["method", "type Method"],
    ["operation", "type Operation"],
    ["schemes", "schemes", `type ${names.auth}`],
    ["service-error", "isServiceError", "ServiceError"],
    ["standard-client", "type Arguments", "type BoundOperation", "type StandardClient"],
  ];
}

const credentials: Offers[number] = [
  "credentials",
  "type BasicCredential",
  "type CertificateCredential",
  "type KeyCredential",
  "type OwnCredential",
  "type TokenCredential",
];

function socketOffers(names: StandardNames): Offers {
  const types = [names.notifications, names.socket, names.socketOptions].map((name) => `type ${name}`);
  return [
    ["socket", "type SocketLike", "type SocketOptions"],
    ["websocket", names.createSocket, ...types],
  ];
}

/** Whether a scheme signs by a private key. */
function signs({ schemes }: ServiceModel): boolean {
  return schemes.some(({ kind }) => schemeKindOf(kind)?.client.files?.includes("signed-message.ts") ?? false);
}

/** The types of credentials that have modules of their own, by the module. */
function credentialTypes({ schemes }: ServiceModel): Offers {
  const types = schemes.flatMap(({ kind }) => {
    const { module, type } = schemeKindOf(kind)?.client ?? {};
    return module === undefined ? [] : [[module, `type ${type}`] as const];
  });
  return [...new Map(types)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, type]) => [module, type]);
}

/** The fake service of a standard interface. */
function fakeSource(model: ServiceModel, names: StandardNames, folder: string): FakeSource {
  const client = importedType(names.client, `${folder}/client.ts`);
  const make = importedValue(names.create, `${folder}/client.ts`);
  const auth = objectLiteral(
    model.schemes.map(({ name, kind }) => member(name, schemeKindOf(kind)?.client.fake ?? "undefined")),
  );
  const options =
    model.schemes.length === 0 ? ["(this.options)"] : ["({ ...this.options, auth: ", auth, " })"];
  return {
    name: names.fake,
    methods: names.methods,
    client: {
      type: client,
      made: [make, ...options],
    },
    types: [
      importedType("ClientOptions", `${folder}/connection.ts`),
      importedType("Id", `${folder}/message.ts`),
      "string | number",
    ],
    playing: "json-rpc/playing.ts",
    adapted: (modules) => framedModules(modules, wireOf(model).frame),
    examples: {
      methods: model.methods.map((method) => ({
        name: method.name,
        parameters: payloadShapes(method.payload).flatMap(({ fields }) => fields.map(({ name }) => name)),
        examples: method.examples.map(({ payload, result, error }) =>
          omitUndefined({ payload, result, error }),
        ),
      })),
      errors: Object.fromEntries(names.errors.map(({ name, code, message }) => [name, { code, message }])),
    },
  };
}
