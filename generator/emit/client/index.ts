import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { escapeComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { arrayLiteral, propertyName, propertyOf, stringLiteral } from "../../print/literals.ts";
import { layOut } from "../../print/layout.ts";
import { preamble } from "../../print/preamble.ts";
import { copyTemplate, fillTemplate } from "../../print/template.ts";
import type { Emitter, FileDraft } from "../emitter.ts";
import { typesModule } from "../types/types-module.ts";
import { clientModule } from "./client-module.ts";
import { errorClassesModule, errorCodesModule } from "./error-classes-module.ts";
import { eventsModule } from "./events-module.ts";
import { fakeDataModule } from "./fake-data-module.ts";
import { indexModule } from "./index-module.ts";
import { listsModule } from "./lists-module.ts";
import { clientNames, type ClientNames } from "./names.ts";
import { operationsModule } from "./operations-module.ts";
import { packageFiles } from "./package-files.ts";
import { packageName } from "./readme.ts";
import { schemasModules } from "./schemas-module.ts";

/** `client/`: a typed client that signs, for any runtime with `fetch` and WebCrypto. Imports nothing else. */
export const emitter: Emitter = {
  name: "client",
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    const names = clientNames(model);
    const texts: Readonly<Record<string, string>> = {
      ...fixedTexts(model, names),
      ...templateTexts(model, names),
      ...packageFiles(model, names),
      ...(model.events.length > 0 && { "events.ts": eventsModule(model, names, folder) }),
      ...(names.lists.length > 0 && { "lists.ts": listsModule(model, names, folder) }),
      "client.ts": clientModule(model, names, folder),
      "error-classes.ts": errorClassesModule(model, names, folder),
      "error-codes.ts": errorCodesModule(model, folder),
      "fake-data.ts": fakeDataModule(model, folder),
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

/** The modules that are the same for every interface but for a few words. */
function templateTexts(model: ServiceModel, names: ClientNames): Readonly<Record<string, string>> {
  const values = {
    preamble: preamble(model),
    path: stringLiteral(model.path),
    revision: stringLiteral(model.revision),
    error: names.error,
    errorName: stringLiteral(names.error),
    mark: stringLiteral(packageName(model)),
    event: names.event,
    client: names.client,
    methods: names.methods,
    fake: names.fake,
    temporaryCodes: temporaryCodes(model),
  };
  const parts = [
    "answer.ts",
    "send.ts",
    "connection.ts",
    "errors.ts",
    "exchange.ts",
    "fake-description.ts",
    "fake-filter.ts",
    "fake-service.ts",
    "fake-shapes.ts",
    "fake-store.ts",
    "testing.ts",
    ...(model.events.length > 0 ? ["webhooks.ts"] : []),
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

/** The modules that are the same for every interface, copied. */
function fixedTexts(model: ServiceModel, names: ClientNames): Readonly<Record<string, string>> {
  const files = [
    "guard.ts",
    "hooks.ts",
    "json.ts",
    "method.ts",
    "money.ts",
    "operation.ts",
    "plain-headers.ts",
    "sent-text.ts",
    "signing.ts",
    ...(names.lists.length > 0 ? ["paging.ts"] : []),
    ...(model.events.length > 0 ? ["member-text.ts", "webhook-keys.ts"] : []),
  ];
  return Object.fromEntries(files.map((file) => [file, fixedText(file, model)]));
}

function fixedText(file: string, model: ServiceModel): string {
  const text = copyTemplate(`client/${file}`);
  const gap = text.startsWith("import ") ? "\n" : "\n\n";
  return `${preamble(model)}${gap}${text}`;
}

/** The codes that say: not now. */
function temporaryCodes({ faults }: ServiceModel): string {
  const codes = [faults["rateLimited"], faults["unavailable"]].filter((code) => code !== undefined);
  return layOut(arrayLiteral([...new Set(codes)].map(stringLiteral)));
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
