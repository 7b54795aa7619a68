import type { ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { stringLiteral } from "../../print/literals.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { fillTemplate } from "../../print/template.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import type { Emitter, FileDraft } from "../emitter.ts";
import { typesModule } from "../types/types-module.ts";
import { clientModule, clientNames } from "./client-module.ts";
import { methodsModule } from "./methods-module.ts";

/** `client/`: a typed client that signs, for any runtime with `fetch` and WebCrypto. Imports nothing else. */
export const emitter: Emitter = {
  name: "client",
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    const texts = {
      ...templateTexts(model),
      "client.ts": clientModule(model, folder),
      "error-codes.ts": errorCodesModule(model, folder),
      "methods.ts": methodsModule(model, folder),
      "types.ts": typesModule(model, `${folder}/types.ts`, { money: "number", doubledSpellings: true }),
    };
    return Object.entries(texts).map(([name, text]): FileDraft => ({
      path: `${folder}/${name}`,
      ownership: "owned",
      text,
    }));
  },
};

/** The modules that are the same for every interface but for a few words. */
function templateTexts(model: ServiceModel): Readonly<Record<string, string>> {
  const { create, type } = clientNames(interfaceNames(model));
  const values = {
    preamble: preamble(model),
    path: stringLiteral(model.path),
    revision: stringLiteral(model.revision),
    create,
    client: type,
  };
  const names = ["answer.ts", "call.ts", "connection.ts", "errors.ts", "index.ts", "signing.ts"];
  return Object.fromEntries(names.map((name) => [name, fillTemplate(`client/${name}`, values)]));
}

function errorCodesModule(model: ServiceModel, folder: string): string {
  const remarks = { doc: "Every code of the interface." };
  const codes = model.errors.map((error) => stringLiteral(error.code));
  return printModule({
    path: `${folder}/error-codes.ts`,
    preamble: preamble(model),
    declares: ["ErrorCode"],
    body: [unionDeclaration("ErrorCode", remarks, codes)],
  });
}
