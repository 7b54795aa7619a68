import { errorsOfMethod } from "../../../model/index.ts";
import type { ErrorModel } from "../../../model/method-model.ts";
import type { JsonRpcFault, ServiceModel } from "../../../model/service-model.ts";
import { objectView, valueDetails } from "../field-tree.ts";
import { nameParts } from "../name-parts.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { typeWords } from "../type-words.ts";

const conditions: Readonly<Record<JsonRpcFault, string>> = {
  parseError: "The body is no JSON.",
  invalidRequest: "The body is JSON, and no call.",
  methodNotFound: "There is no such method.",
  invalidParams: "The parameters do not fit the method.",
  internalError: "The service failed.",
  unauthenticated: "The caller proves no identity, and the method asks for one.",
  forbidden: "The caller may not do this.",
  rateLimited: "The caller calls too often.",
  unavailable: "The service cannot answer now.",
  tooLarge: "The request is larger than the service takes.",
};

/** The errors that the runtime of a standard interface answers by itself. */
export function faultsOf({ wire }: ServiceModel) {
  if (wire.protocol !== "json-rpc-2.0") return undefined;
  return Object.entries(conditions).flatMap(([fault, when]) => {
    const error = Object.entries(wire.faults).find(([name]) => name === fault)?.[1];
    return error === undefined ? [] : { code: String(error.code), message: error.message, when };
  });
}

/** `errors.html`: every code, when it is answered, and what the caller does about it. */
export function errorsPage(context: PageContext): Page {
  const { model, links } = context;
  const methodCodes = model.methods.map((method) => ({
    name: method.name,
    parts: nameParts(method.name),
    href: links.method(method.name),
    codes: new Set(errorsOfMethod(model, method).map(({ code }) => code)),
  }));
  return {
    path: "errors.html",
    title: "Errors",
    template: "errors",
    current: "errors",
    view: {
      faults: faultsOf(model),
      errors: model.errors.map((error) => ({
        ...context.remarks(error),
        anchor: error.names.file,
        code: error.code,
        message: error.message,
        condition: error.condition,
        action: error.action,
        httpStatus: statusWords(model, error),
        rpcCode: error.rpcCode,
        sentAs: error.wireCode === undefined ? undefined : String(error.wireCode),
        standard: model.wire.protocol === "json-rpc-2.0",
        data: error.data && {
          type: typeWords(error.data, links),
          object: error.data.kind === "object" ? objectView(error.data, context) : undefined,
          ...valueDetails(error.data, context),
        },
        isOfEvery: error.everyMethod,
        methods: error.everyMethod ? [] : methodCodes.filter(({ codes }) => codes.has(error.code)),
      })),
    },
  };
}

/** The status that is sent unless a setting says otherwise, and when it is another. */
function statusWords({ wire, faults }: ServiceModel, { code, httpStatus }: ErrorModel): string {
  if (wire.protocol === "json-rpc-2.0") return String(wire.http.status === "mapped" ? httpStatus : 200);
  if (code === faults["rateLimited"]) return "429";
  if (code === faults["unavailable"]) return "503";
  const mapped = `; ${httpStatus} where the service is set to map codes to statuses`;
  return code === faults["badInput"]
    ? `200; 400 for a body that is not JSON, 413 for one that is too large${mapped}`
    : `200${mapped}`;
}
