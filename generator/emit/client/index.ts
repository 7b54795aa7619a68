import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { escapeComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { propertyName, propertyOf, stringLiteral } from "../../print/literals.ts";
import { layOut } from "../../print/layout.ts";
import { preamble } from "../../print/preamble.ts";
import { fillTemplate } from "../../print/template.ts";
import type { Emitter, FileDraft } from "../emitter.ts";
import { typesModule } from "../types/types-module.ts";
import { clientModule } from "./client-module.ts";
import { errorClassesModule } from "./error-classes-module.ts";
import { eventsModule } from "./events-module.ts";
import { fakeDataModule } from "./fake-data-module.ts";
import { fixedModules } from "./fixed-modules.ts";
import { indexModule } from "./index-module.ts";
import { interfaceModule } from "./interface-module.ts";
import { listsModule } from "./lists-module.ts";
import { clientNames, type ClientNames } from "./names.ts";
import { operationsModule } from "./operations-module.ts";
import { packageFiles } from "./package-files.ts";
import { schemasModules } from "./schemas-module.ts";
import { webhooksModule } from "./webhooks-module.ts";

/** `client/`: a typed client that signs, for any runtime with `fetch` and WebCrypto. Imports nothing else. */
export const emitter: Emitter = {
  name: "client",
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    const names = clientNames(model);
    const texts: Readonly<Record<string, string>> = {
      ...fixedModules(model, names),
      ...templateTexts(model, names),
      ...packageFiles(model, names),
      ...(model.events.length > 0 && {
        "events.ts": eventsModule(model, names, folder),
        "webhooks.ts": webhooksModule(model, names, folder),
      }),
      ...(names.lists.length > 0 && { "lists.ts": listsModule(model, names, folder) }),
      "client.ts": clientModule(model, names, folder),
      "error-classes.ts": errorClassesModule(model, names, folder),
      "fake-data.ts": fakeDataModule(model, folder),
      "interface.ts": interfaceModule(model, names, folder),
      "index.ts": indexModule(model, names, folder),
      "operations.ts": operationsModule(model, folder),
      ...schemasModules(model, folder),
      "types.ts": typesModule(model, `${folder}/types.ts`, {
        money: "number",
        doubledSpellings: true,
        openEnums: true,
        presence: true,
      }),
    };
    return Object.entries(texts).map(([name, text]): FileDraft => ({
      path: `${folder}/${name}`,
      ownership: "owned",
      text,
    }));
  },
};

/** Modules that are filled in rather than copied. */
function templateTexts(model: ServiceModel, names: ClientNames): Readonly<Record<string, string>> {
  const values = {
    preamble: preamble(model),
    client: names.client,
    methods: names.methods,
    fake: names.fake,
  };
  const parts = [
    "fake-description.ts",
    "fake-filter.ts",
    "fake-service.ts",
    "fake-shapes.ts",
    "fake-store.ts",
    "testing.ts",
  ];
  const registration = model.methods.find((method) => method.registersKey !== undefined);
  return {
    ...Object.fromEntries(parts.map((name) => [name, fillTemplate(`client/${name}`, values)])),
    ...(registration !== undefined && {
      "registration.ts": fillTemplate("client/registration.ts", {
        ...values,
        ...registrationValues(registration, model),
      }),
    }),
  };
}

function registrationValues(method: MethodModel, model: ServiceModel): Readonly<Record<string, string>> {
  const { publicKey = "", keyId = "" } = method.registersKey ?? {};
  return {
    method: escapeComment(method.name),
    operation: method.names.value,
    payload: interfaceNames(model).of(method).payload,
    publicKey: stringLiteral(publicKey),
    publicKeyMember: propertyName(publicKey),
    keyIdAccess: layOut(propertyOf("", keyId)),
  };
}
