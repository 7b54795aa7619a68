import type { EventModel, ServiceModel, RequestIdModel, MethodModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { type Printable, bracketed, deeper, lines, braces } from "../../../print/layout.ts";
import { stringLiteral, arrayLiteral, jsonLiteral, propertyName } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { ClientNames } from "./names.ts";
import { typeExpression, unionDeclaration } from "../../../print/type-expression.ts";
import { openTypeNames } from "../../../targets/types/types-module.ts";
import { requestIdOf } from "../../../model/index.ts";
import { payloadNames } from "../../../model/event-members.ts";
import { packageName } from "../../../targets/client/readme-parts.ts";
import { sensitiveNames, operationDeclaration } from "../../../targets/client/operations.ts";

/** `error-classes.ts`: the class of all errors that the service answers with, and one for each code. */
export function errorClassesModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const errors = `${folder}/errors.ts`;
  const classes = model.errors.map((error) => {
    const name = names.errorClass(error);
    const code = stringLiteral(error.code);
    const make = ["/* @__PURE__ */ ", importedValue("codeClass", errors), `(${code});`];
    const type = [": ", importedType("CodeClass", errors), `<${code}> =`];
    const alias = `export type ${name} = ${names.error}<${code}>;`;
    const action = error.action === "" ? "" : ` ${error.action}`;
    return [
      docComment({ ...error, doc: `\`${error.code}\`: ${error.doc}${action}` }),
      [`export const ${name}`, type, " ", make, "\n", alias],
    ];
  });
  return printModule({
    path: `${folder}/error-classes.ts`,
    preamble: preamble(model),
    declares: [names.error, ...model.errors.map((error) => names.errorClass(error))],
    body: [serviceError(names, errors), ...classes],
  });
}

/** The fixed class under the interface's own name: `LedgerError`. */
function serviceError({ error }: ClientNames, errors: string): Printable {
  const doc = "The service answered with an error: `code` says which. The message is the service's.";
  const anyCode = importedType("AnyErrorCode", errors);
  const own = [importedType("ServiceError", errors), "<Code>"];
  const value = [": ", importedType("ErrorClass", errors), `<${error}> =`];
  return [
    docComment({ doc }),
    [`export interface ${error}<Code extends string = `, anyCode, "> extends ", own, " {}\n"],
    [`export const ${error}`, value, " ", importedValue("ServiceError", errors), ";"],
  ];
}

/** `events.ts`: what notifications carry, as a union that `eventName` tells apart. */
export function eventsModule(model: ServiceModel, names: ClientNames, folder: string): string {
  return printModule({
    path: `${folder}/events.ts`,
    preamble: `${preamble(model)}\nimport type * as types from "./types.ts";`,
    declares: ["types", names.event],
    body: [union(model, names, `${folder}/notification.ts`)],
  });
}

function union(model: ServiceModel, names: ClientNames, notifications: string): Printable {
  const notification = importedType("Notification", notifications);
  const style = { money: "number", doubledSpellings: true };
  const types = openTypeNames(model, "types.");
  const members = model.events.map((event) => [
    docComment(event),
    "| ",
    ...notificationType(event, typeExpression(event.payload, types, style), notifications),
    ...(event.members === undefined ? [] : [" & ", typeExpression(event.members.shape, types, style)]),
  ]);
  const doc =
    "Every event of the interface, and those that a newer service may post: give a `switch` over `eventName` a `default`.";
  const newer = [
    docComment({ doc: "An event of a newer service." }),
    ["| ", notification, "<", importedType("NewerEventName", notifications), ", unknown>"],
  ];
  const all = [...members, newer];
  return [docComment({ doc }), `export type ${names.event} =\n`, deeper(lines(all)), ";"];
}

/** A notification whose payload is under its usual name, or under the event's own. */
function notificationType(
  { name, payloadName }: EventModel,
  payload: Printable,
  notifications: string,
): Printable[] {
  if (payloadName === undefined)
    return [importedType("Notification", notifications), bracketed("<", ">", [stringLiteral(name), payload])];
  return [
    importedType("NotificationHead", notifications),
    bracketed("<", ">", [stringLiteral(name)]),
    " & { ",
    docComment({ doc: "The payload of the event." }),
    `readonly ${propertyName(payloadName)}: `,
    payload,
    " }",
  ];
}

const reExports = [
  'export type * from "./events.ts";',
  'export type * from "./notification.ts";',
  'export type { VerificationJwk } from "./webhook-keys.ts";',
  "export {",
  "  WebhookError,",
  "  type WebhookFault,",
  "  type WebhookHeaders,",
  "  type WebhookOptions,",
  "  type WebhookVerifier,",
  '} from "./webhook-verifier.ts";',
];

/** `webhooks.ts`: the verifier of notifications, typed by the events of the interface. */
export function webhooksModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const event = importedType(names.event, `${folder}/events.ts`);
  const verifier = `${folder}/webhook-verifier.ts`;
  const type: Printable = [
    docComment({ doc: "Verifies notifications and gives their events." }),
    "export type Webhooks = ",
    [importedType("WebhookVerifier", verifier), "<", event, ">;"],
  ];
  const doc =
    "Makes a verifier. Of the signatures in `webhook-signature` (Standard Webhooks: `v1` by secret, `v1a` by public key) one has to fit; where public keys are known, the body's own signature over its payload has to fit as well.";
  const payloads = payloadNames(model);
  const make: Printable = [
    docComment({ doc }),
    ["export function webhooks(options: ", importedType("WebhookOptions", verifier), "): Webhooks "],
    braces([
      [
        "return ",
        importedValue("webhookVerifier", verifier),
        "(options",
        payloads === undefined ? "" : `, ${jsonLiteral(payloads)}`,
        ");",
      ],
    ]),
  ];
  return printModule({
    path: `${folder}/webhooks.ts`,
    preamble: preamble(model),
    declares: ["Webhooks", "webhooks"],
    body: [lines(reExports), type, make],
  });
}

/** `interface.ts`: what the fixed modules read of the interface. `templates/client/signed-envelope/interface.ts` stands in for it. */
export function interfaceModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const constants: readonly (readonly [doc: string, name: string, value: Printable])[] = [
    ["Path of the endpoint, appended to the base URL.", "path", stringLiteral(model.path)],
    [
      "Headers of every request: the interface's revision, too.",
      "ownHeaders",
      jsonLiteral({ "content-type": "application/json", "x-interface-revision": model.revision }),
    ],
    [
      "Codes with which the service asks the caller to try again later.",
      "temporaryCodes: readonly unknown[]",
      arrayLiteral(temporaryCodes(model).map(stringLiteral)),
    ],
    ["The `name` of errors that the service answers with.", "errorName", stringLiteral(names.error)],
    [
      "Name of the member that marks the errors of this package.",
      "errorMark",
      stringLiteral(packageName(model)),
    ],
  ];
  const codes = model.errors.map((error) => stringLiteral(error.code));
  return printModule({
    path: `${folder}/interface.ts`,
    preamble: preamble(model),
    declares: [],
    body: [
      [docComment({ doc: "Reads the body of an answer." }), parseBody(model, folder)],
      ...newId(model, folder),
      ...constants.map(([doc, name, value]) => [docComment({ doc }), `export const ${name} = `, value, ";"]),
      unionDeclaration("ErrorCode", { doc: "Every code of the interface." }, codes),
    ],
  });
}

/** How a request is given its id: with one of the pattern of its method or of the interface, if there is one. */
function newId(model: ServiceModel, folder: string): readonly Printable[] {
  const usual = requestIdOf(model);
  const own = model.methods.flatMap(({ name, transport }) =>
    transport.kind === "enveloped" && transport.requestId !== undefined
      ? [arrayLiteral([stringLiteral(name), drawnIds(transport.requestId, folder)])]
      : [],
  );
  const drawn = usual && ["/* @__PURE__ */ ", drawnIds(usual, folder)];
  const comment = docComment({ doc: "Makes the id of a request of a method." });
  const parameter = "_method: { readonly name: string }";
  if (own.length === 0 && drawn === undefined)
    return [[comment, `export const newId = (${parameter}): string => crypto.randomUUID();`]];
  const made = ["const usualId = ", drawn ?? "(): string => crypto.randomUUID()", ";"];
  if (own.length === 0) return [made, [comment, `export const newId = (${parameter}): string => usualId();`]];
  return [
    made,
    ["const ownIds = /* @__PURE__ */ new Map([", ...own.flatMap((each) => [each, ", "]), "]);"],
    [
      comment,
      "export const newId = ({ name }: { readonly name: string }): string => (ownIds.get(name) ?? usualId)();",
    ],
  ];
}

/** The call that makes a function which draws ids. */
function drawnIds(ids: RequestIdModel, folder: string): Printable {
  const parts = ids.parts.map(({ characters, most }) =>
    arrayLiteral([stringLiteral(characters), String(most)]),
  );
  return [
    importedValue("drawnIds", `${folder}/request-ids.ts`),
    "(",
    ...parts.flatMap((part) => [part, ", "]),
    ")",
  ];
}

/** How the body of an answer is read: with names for the codes that are numbers on the wire. */
function parseBody({ errors }: ServiceModel, folder: string): Printable {
  const json = `${folder}/json.ts`;
  const names = errors.flatMap(({ code, wireCode }) =>
    wireCode === undefined ? [] : [[JSON.stringify(wireCode), code]],
  );
  if (names.length === 0) {
    const parse = importedValue("parseJson", json);
    return ["export const parseBody: typeof ", parse, " = ", parse, ";"];
  }
  const call = [importedValue("namedCodes", json), "(", jsonLiteral(Object.fromEntries(names)), ")"];
  return [
    "export const parseBody: typeof ",
    importedValue("parseJson", json),
    " = /* @__PURE__ */ ",
    ...call,
    ";",
  ];
}

/** Codes with which the service asks the caller to try again later. */
export function temporaryCodes({ faults }: ServiceModel): readonly string[] {
  const codes = [faults["rateLimited"], faults["unavailable"]].filter((code) => code !== undefined);
  return [...new Set(codes)];
}

/** `operations.ts`: every method as a function of its own, so that a bundle holds only those that are called. */
export function operationsModule(model: ServiceModel, folder: string): string {
  const envelopes = envelopesOf(model);
  return printModule({
    path: `${folder}/operations.ts`,
    preamble: preamble(model),
    declares: [...envelopes.values(), ...model.methods.map((method) => method.names.value)],
    body: [
      ...[...envelopes].map(([members, name]) => [
        `const ${name} = /* @__PURE__ */ `,
        importedValue("enveloped", `${folder}/method.ts`),
        bracketed("(", ")", members === "" ? [] : members.split(" ").map(stringLiteral)),
        ";",
      ]),
      ...model.methods.map((method) => operationConstant(method, model, envelopes, folder)),
    ],
  });
}

/** The distinct lists of members of `params.api`, each with the name of the constant that makes such envelopes. */
export function envelopesOf(model: ServiceModel): ReadonlyMap<string, string> {
  const lists = model.methods.flatMap(({ transport }) =>
    transport.kind === "enveloped" ? [transport.auth.join(" ")] : [],
  );
  return new Map(
    [...new Set(lists)].map((list, at) => [list, at === 0 ? "_envelope" : `_envelope${at + 1}`]),
  );
}

export function operationConstant(
  method: MethodModel,
  model: ServiceModel,
  envelopes: ReadonlyMap<string, string>,
  folder: string,
): Printable {
  const { transport } = method;
  const sensitive = sensitiveNames(method, model);
  const shared =
    transport.kind === "enveloped"
      ? (envelopes.get(transport.auth.join(" ")) ?? "")
      : importedValue("flat", `${folder}/method.ts`);
  const args = [
    stringLiteral(method.name),
    method.path === undefined ? shared : ["{ ...", shared, `, path: ${stringLiteral(method.path)} }`],
    ...(sensitive.length === 0 ? [] : [arrayLiteral(sensitive.map((name) => stringLiteral(name)))]),
  ];
  return operationDeclaration(method, model, folder, bracketed("(", ")", args));
}
