import type { EventModel, ServiceModel, RequestIdModel, MethodModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { type Printable, bracketed, deeper, lines, braces } from "../../../print/layout.ts";
import { stringLiteral, arrayLiteral, jsonLiteral, propertyName } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { ClientNames } from "./names.ts";
import { typeExpression } from "../../../print/type-expression.ts";
import { openTypeNames } from "../../../targets/types/types-module.ts";
import { requestIdOf } from "../../../model/index.ts";
import { payloadNames } from "../../../model/events.ts";
import { errorClassesModule } from "../../../targets/client/error-classes.ts";
import type { InterfaceFacts } from "../../../targets/client/interface-module.ts";
import { sensitiveNames, type OperationsSource } from "../../../targets/client/operations.ts";

/** The class of all errors that the service answers with, and one for each code. */
export function signedErrors(model: ServiceModel, names: ClientNames, folder: string): string {
  const classes = model.errors.map((error) => ({
    className: names.errorClass(error),
    code: stringLiteral(error.code),
    doc: `\`${error.code}\`: ${error.doc}${error.action === "" ? "" : ` ${error.action}`}`,
    error,
  }));
  return errorClassesModule(model, folder, classes, names.error);
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

/** `templates/client/signed-envelope/interface.ts` stands in for it. */
export function signedInterface(model: ServiceModel, names: ClientNames, folder: string): InterfaceFacts {
  return {
    errorName: names.error,
    codes: model.errors.map((error) => stringLiteral(error.code)),
    codeType: "string",
    temporaryCodes: temporaryCodes(model).map(stringLiteral),
    hasErrorData: true,
    headers: { "x-interface-revision": model.revision },
    declarations: [
      [docComment({ doc: "Reads the body of an answer." }), parseBody(model, folder)],
      ...newId(model, folder),
    ],
    constants: [["Path of the endpoint, appended to the base URL.", "path", stringLiteral(model.path)]],
  };
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

/** Every method with its transport, which those that ask for the same members share. */
export function signedOperations(model: ServiceModel, folder: string): OperationsSource {
  const envelopes = envelopesOf(model);
  return {
    constants: [...envelopes].map(([members, name]) => ({
      name,
      body: [
        `const ${name} = /* @__PURE__ */ `,
        importedValue("enveloped", `${folder}/method.ts`),
        bracketed("(", ")", members === "" ? [] : members.split(" ").map(stringLiteral)),
        ";",
      ],
    })),
    argumentsOf: (method) => operationArguments(method, model, envelopes, folder),
  };
}

/** The distinct lists of members of `params.api`, each with the name of the constant that makes such envelopes. */
function envelopesOf(model: ServiceModel): ReadonlyMap<string, string> {
  const lists = model.methods.flatMap(({ transport }) =>
    transport.kind === "enveloped" ? [transport.auth.join(" ")] : [],
  );
  return new Map(
    [...new Set(lists)].map((list, at) => [list, at === 0 ? "_envelope" : `_envelope${at + 1}`]),
  );
}

function operationArguments(
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
  return bracketed("(", ")", args);
}
