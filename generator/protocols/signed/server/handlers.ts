import { stringLiteral } from "../../../print/literals.ts";
import { importedType } from "../../../print/module.ts";
import { unionDeclaration } from "../../../print/type-expression.ts";
import { handlerDeclaration } from "../../../targets/handlers/handler-declaration.ts";
import type { HandlersPart } from "../../protocol.ts";

/** The parts of `handlers.ts` of signed envelopes: handlers throw codes. */
export const handlers: HandlersPart = {
  servesRevisions: true,
  before: () => ({ declares: [], body: [] }),
  errorCode(method, { model, names, layout }) {
    const shared = new Set(model.errors.filter((error) => error.everyMethod).map((error) => error.code));
    const own = method.errors.filter((error) => !shared.has(error.code));
    return unionDeclaration(names.of(method).errorCode, { doc: `What \`${method.name}\` can fail with.` }, [
      ...(shared.size === 0 ? [] : [importedType("EveryMethodErrorCode", `${layout.out}/errors.ts`)]),
      ...own.map((error) => stringLiteral(error.code)),
    ]);
  },
  handler: (method, { names, layout }) =>
    handlerDeclaration("Handler", method, names, layout, names.of(method).errorCode),
};
