import { protocolOf } from "../../protocols/index.ts";
import { errorsOfMethod, type ErrorModel, type MethodModel, type ServiceModel } from "../../model/index.ts";

/** A request as it goes over the wire. */
export function requestText(model: ServiceModel, method: MethodModel, payload: unknown): string {
  return json(protocolOf(model).exchange.request(method, payload, model));
}

/** A success as it comes back. */
export function answerText(model: ServiceModel, method: MethodModel, result: unknown): string {
  return json(protocolOf(model).exchange.answer(method, result, model));
}

/** A failure as it comes back, with the text that the method gives. */
export function failureText(model: ServiceModel, error: ErrorModel, method?: MethodModel): string {
  const own =
    method === undefined ? undefined : errorsOfMethod(model, method).find(({ code }) => code === error.code);
  return json(protocolOf(model).exchange.failure(error, own?.message ?? error.message, model, method));
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
