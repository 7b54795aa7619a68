import type { ServiceModel } from "../../../model/service-model.ts";
import { jsonLiteral, member, stringLiteral } from "../../../print/literals.ts";
import { validatorModule } from "../../../print/validator-places.ts";
import type { ServedErrors, ServerPart } from "../../protocol.ts";
import { handlerDeclaration } from "../../../targets/handlers/handler-declaration.ts";
import { methodsModule } from "./methods.ts";

/** What a service of signed envelopes is written against. */
export const server: ServerPart = {
  errors,
  methods(model, layout, given) {
    const modules = given ?? {
      payload: () => validatorModule(layout.out, "payloads"),
      result: () => validatorModule(layout.out, "results"),
    };
    return [methodsModule({ model, layout, modules, errors: errors(model) })];
  },
  handlers: {
    servesRevisions: true,
    before: () => ({ declares: [], body: [] }),
    handler: (method, { names, layout }) =>
      handlerDeclaration("Handler", method, names, layout, names.of(method).errorCode),
  },
};

function errors(model: ServiceModel): ServedErrors {
  const list = model.errors.map((declared) => ({
    name: declared.code,
    message: declared.message,
    isEveryMethod: declared.everyMethod,
    members: [
      member("code", stringLiteral(declared.code)),
      member("message", stringLiteral(declared.message)),
      member("httpStatus", String(declared.httpStatus)),
      member("rpcCode", String(declared.rpcCode)),
      declared.wireCode === undefined ? undefined : member("wireCode", jsonLiteral(declared.wireCode)),
    ],
    declared,
  }));
  return { list, descriptor: "ErrorDescriptor", hasData: false };
}
