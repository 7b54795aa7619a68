import { handlerDeclaration } from "../../../targets/handlers/handler-declaration.ts";
import type { HandlersPart } from "../../protocol.ts";

/** The parts of `handlers.ts` of signed envelopes: handlers throw codes. */
export const handlers: HandlersPart = {
  servesRevisions: true,
  before: () => ({ declares: [], body: [] }),
  handler: (method, { names, layout }) =>
    handlerDeclaration("Handler", method, names, layout, names.of(method).errorCode),
};
