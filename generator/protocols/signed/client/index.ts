import { escapeComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { layOut } from "../../../print/layout.ts";
import { propertyName, propertyOf, stringLiteral } from "../../../print/literals.ts";
import { preamble } from "../../../print/preamble.ts";
import { fillTemplate } from "../../../print/template.ts";
import { methodsAsTried, requestIdOf } from "../../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { fakeModules, type FakeSource } from "../../../targets/client/fakes.ts";
import { clientPackage, type Offers } from "../../../targets/client/package.ts";
import { inSubjects, type Subjects } from "../../../targets/client/subjects.ts";
import type { ClientPart } from "../../protocol.ts";
import { clientModule } from "./client-module.ts";
import { eventsModule, signedErrors, signedInterface, signedOperations, webhooksModule } from "./modules.ts";
import { type ClientNames, signedClashes, clientNames } from "./names.ts";
import { hasKeyless, readme } from "./readme.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { importedType, importedValue } from "../../../print/module.ts";

/** A client that signs. */
export const client: ClientPart = {
  clashes: signedClashes,
  files(model, folder, wanted) {
    const names = clientNames(model);
    return clientPackage(model, folder, wanted, {
      lists: names.lists,
      readme: readme(model, names, wanted),
      facts: signedInterface(model, names, folder),
      operations: signedOperations(model, folder),
      signs: true,
      doubledSpellings: true,
      entries: model.events.length > 0 ? ["webhooks"] : [],
      copied: copied(model),
      printed: {
        ...registrationModule(model),
        ...(model.events.length > 0 && {
          "events.ts": eventsModule(model, names, folder),
          "webhooks.ts": webhooksModule(model, names, folder),
        }),
        "client.ts": clientModule(model, names, folder),
        "error-classes.ts": signedErrors(model, names, folder),
      },
      offers: offers(model, names),
      subjects,
    });
  },
  fakes(model, folder) {
    const source = fakeSource(model, clientNames(model), folder);
    return inSubjects(fakeModules(model, folder, source), subjects, ["testing"]);
  },
};

/** The files of the package, each a subject. */
const subjects: Subjects = {
  json: ["json", "sent-text", "request-ids"],
  errors: ["failures", "service-error", "limited", "retry", "error-classes"],
  messages: ["proof", "method", "plain-headers", "observe", "exchange", "answer"],
  connection: ["limits", "hooks", "connection", "operation", "bound", "guard"],
  signing: ["bytes", "signing", "signed-message", "no-key"],
  "webhook-verifier": ["member-text", "notification", "webhook-keys", "webhook-verifier"],
  "fake-service": ["fake-service", "playing"],
};

/** Modules of the protocol. */
const always = [
  "answer.ts",
  "connection.ts",
  "guard.ts",
  "hooks.ts",
  "message-signatures.ts",
  "method.ts",
  "no-key.ts",
  "operation.ts",
  "proof.ts",
];
const forRequestIds = ["request-ids.ts"];
const forEvents = ["member-text.ts", "notification.ts", "webhook-keys.ts", "webhook-verifier.ts"];

function copied(model: ServiceModel): readonly string[] {
  const hasRequestIds = model.methods.some((method) => requestIdOf(model, method) !== undefined);
  const own = [
    ...always,
    ...(hasRequestIds ? forRequestIds : []),
    ...(model.events.length > 0 ? forEvents : []),
  ];
  return [...own.map((file) => `signed-envelope/${file}`), "signed-message.ts"];
}

/** What the package offers. */
function offers(model: ServiceModel, names: ClientNames): Offers {
  const types = [names.methods, ...names.groups.map(({ type }) => type)];
  const registers = model.methods.some((method) => method.registersKey !== undefined);
  return [
    ["answer", "type Answer"],
    ["client", names.client, ...types.map((name) => `type ${name}`)],
    ["connection", "connect", "type CallOptions", "type ConnectOptions", "type Connection"],
    ["guard", "guarded", "type ClientOptions", "type GuardOptions"],
    ["hooks", "hooks", "type Watch", "type MakeAttempt"],
    ["message-signatures", "messageSignatures"],
    ["method", "type Envelope", "type EnvelopeError", "type Method"],
    ["no-key", hasKeyless(model) ? "noKey" : ""],
    ["operation", "type BoundOperation", "type Operation"],
    ["proof", "type Caller"],
    ...(registers ? [registration] : []),
    ["service-error", `isServiceError as is${names.error}`],
  ];
}

const registration: Offers[number] = [
  "registration",
  "isRegistrationError",
  "registerSigner",
  "type KeyPair",
  "type RegisteredSigner",
  "type RegistrationError",
  "type RegistrationOptions",
  "type RegistrationPayload",
];

/** `registration.ts`, where a method registers keys: filled in, for its text names the method and two of its fields. */
function registrationModule(model: ServiceModel): Readonly<Record<string, string>> {
  const method = model.methods.find(({ registersKey }) => registersKey !== undefined);
  if (method === undefined) return {};
  const { publicKey = "", keyId = "" } = method.registersKey ?? {};
  const values = {
    preamble: preamble(model),
    method: escapeComment(method.name),
    operation: method.names.value,
    payload: interfaceNames(model).of(method).payload,
    publicKey: stringLiteral(publicKey),
    publicKeyMember: propertyName(publicKey),
    keyIdAccess: layOut(propertyOf("", keyId)),
  };
  return { "registration.ts": fillTemplate("client/signed-envelope/registration.ts", values) };
}

/** The fake service of a signed interface, with a client of its own. */
function fakeSource(model: ServiceModel, names: ClientNames, folder: string): FakeSource {
  const client = importedValue(names.client, `${folder}/client.ts`);
  const errors = model.errors.map(({ code, message, rpcCode, wireCode }) => [
    code,
    omitUndefined({ message, rpcCode, wireCode }),
  ]);
  return {
    name: names.fake,
    methods: names.methods,
    types: [
      importedType("ClientOptions", `${folder}/guard.ts`),
      "string",
      importedType("ErrorCode", `${folder}/interface.ts`),
    ],
    playing: "signed-envelope/playing.ts",
    examples: { methods: methodsAsTried(model).map(methodExamples), errors: Object.fromEntries(errors) },
    client: { type: client, made: ["new ", client, "(this.options)"] },
  };
}

function methodExamples({ name, effect, path, transport, examples }: MethodModel) {
  return omitUndefined({
    name,
    path,
    creates: effect === "create" ? true : undefined,
    ...(transport.kind === "flat" &&
      omitUndefined({ selectedBy: transport.selectedBy, only: transport.only })),
    examples: examples.map(({ payload, result, error }) => omitUndefined({ payload, result, error })),
  });
}
