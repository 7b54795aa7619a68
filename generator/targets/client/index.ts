import type { ServiceModel } from "../../model/service-model.ts";
import { escapeComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { propertyName, propertyOf, stringLiteral } from "../../print/literals.ts";
import { layOut } from "../../print/layout.ts";
import { preamble } from "../../print/preamble.ts";
import { fillTemplate } from "../../print/template.ts";
import { everyProtocol, isWanted, ownedFiles, type Emitter } from "../emitter.ts";
import { typesModule } from "../types/types-module.ts";
import { clientModule } from "./client-module.ts";
import { errorClassesModule } from "./error-classes-module.ts";
import { eventsModule } from "./events-module.ts";
import { fixedModules } from "./fixed-modules.ts";
import { indexModule } from "./index-module.ts";
import { interfaceModule } from "./interface-module.ts";
import { standardClient } from "./json-rpc/index.ts";
import { listsModule } from "./lists-module.ts";
import { standardClashes } from "./json-rpc/names.ts";
import { clientClashes, clientNames } from "./names.ts";
import { operationsModule } from "./operations-module.ts";
import { packageFiles } from "./package-files.ts";
import { readme } from "./readme.ts";
import { schemasModules } from "./schemas-module.ts";
import { webhooksModule } from "./webhooks-module.ts";

/** `client/`: a typed client that signs, for any runtime with `fetch` and WebCrypto. Imports nothing else. */
export const emitter: Emitter = {
  name: "client",
  protocols: everyProtocol,
  check: (model) =>
    model.wire.protocol === "json-rpc-2.0" ? standardClashes(model, model.wire) : clientClashes(model),
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    const wanted = { zod: isWanted("zod", layout), fakes: isWanted("fakes", layout) };
    if (model.wire.protocol === "json-rpc-2.0") {
      return ownedFiles(standardClient(model, model.wire, folder, wanted), folder);
    }
    const names = clientNames(model);
    const texts: Readonly<Record<string, string>> = {
      ...fixedModules(model, names),
      ...registrationModule(model),
      ...packageFiles(model, readme(model, names, wanted), entriesOf(model, wanted)),
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
    return ownedFiles(texts, folder);
  },
};

/** The modules that the package offers. */
function entriesOf(
  { events }: ServiceModel,
  wanted: { readonly zod: boolean; readonly fakes: boolean },
): readonly string[] {
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
