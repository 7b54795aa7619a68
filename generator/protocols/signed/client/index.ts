import { escapeComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { layOut } from "../../../print/layout.ts";
import { propertyName, propertyOf, stringLiteral } from "../../../print/literals.ts";
import { preamble } from "../../../print/preamble.ts";
import { fillTemplate } from "../../../print/template.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { copiedModules } from "../../../targets/client/copied-modules.ts";
import { listsModule } from "../../../targets/client/lists-module.ts";
import { packageFiles } from "../../../targets/client/package-files.ts";
import { schemasModules } from "../../../targets/client/schemas-module.ts";
import { inSubjects, type Subjects } from "../../../targets/client/subjects.ts";
import { typesModule } from "../../../targets/types/types-module.ts";
import type { ClientPart, WantedEntries } from "../../protocol.ts";
import { clientModule } from "./client-module.ts";
import { examplesModule, testingModule } from "./fakes.ts";
import {
  errorClassesModule,
  eventsModule,
  interfaceModule,
  operationsModule,
  webhooksModule,
} from "./modules.ts";
import { clientClashes, clientNames } from "./names.ts";
import { fixedModules, indexModule } from "./package.ts";
import { readme } from "./readme.ts";

/** A client that signs. */
export const client: ClientPart = {
  clashes: clientClashes,
  files,
  fakes(model, folder) {
    const pieces = {
      "examples.ts": examplesModule(model, folder),
      ...copiedModules(["example-of.ts", "signed-envelope/fake-service.ts"], model),
      "testing.ts": testingModule(model, clientNames(model), folder),
    };
    return inSubjects(pieces, subjects, ["testing"]);
  },
};

function files(model: ServiceModel, folder: string, wanted: WantedEntries): Readonly<Record<string, string>> {
  const names = clientNames(model);
  const entries = entriesOf(model, wanted);
  const pieces = {
    ...fixedModules(model, names),
    ...registrationModule(model),
    ...packageFiles(model, readme(model, names, wanted), { entries, signs: true }),
    ...(model.events.length > 0 && {
      "events.ts": eventsModule(model, names, folder),
      "webhooks.ts": webhooksModule(model, names, folder),
    }),
    ...(names.lists.length > 0 && { "lists.ts": listsModule(model, names.lists, folder) }),
    "client.ts": clientModule(model, names, folder),
    "error-classes.ts": errorClassesModule(model, names, folder),
    "interface.ts": interfaceModule(model, names, folder),
    "index.ts": indexModule(model, names, folder),
    "operations.ts": operationsModule(model, folder),
    ...(wanted.zod && schemasModules(model, folder)),
    "types.ts": typesModule(model, `${folder}/types.ts`, {
      money: "number",
      doubledSpellings: true,
      openEnums: true,
      presence: "payloads",
    }),
  };
  return inSubjects(pieces, subjects, entries);
}

/** The files of the package, each a subject. */
const subjects: Subjects = {
  json: ["json", "sent-text", "request-ids"],
  errors: ["failures", "errors", "limited", "retry", "error-classes"],
  messages: ["method", "plain-headers", "observe", "exchange", "answer"],
  connection: ["limits", "hooks", "connection", "operation", "guard"],
  signing: ["bytes", "signing", "signed-message", "no-key"],
  "webhook-verifier": ["member-text", "notification", "webhook-keys", "webhook-verifier"],
  "fake-service": ["example-of", "fake-service"],
};

/** The modules that the package offers. */
function entriesOf({ events }: ServiceModel, wanted: WantedEntries): readonly string[] {
  return [
    "index",
    ...(wanted.zod ? ["schemas"] : []),
    ...(wanted.fakes ? ["testing"] : []),
    ...(events.length > 0 ? ["webhooks"] : []),
  ];
}

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
