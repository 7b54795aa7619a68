import { errorsOfMethod } from "../../../model/index.ts";
import { protocolOf } from "../../../protocols/index.ts";
import { partOf } from "../../../protocols/parts.ts";
import { objectView, valueDetails } from "../field-tree.ts";
import { nameParts } from "../prose.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { typeWords } from "../type-words.ts";

/** `errors.html`: every code, when it is answered, and what the caller does about it. */
export function errorsPage(context: PageContext): Page {
  const { model, links } = context;
  const part = partOf(model, "reference");
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
      faults: part.faults?.(model),
      errors: model.errors.map((error) => ({
        ...context.remarks(error),
        anchor: error.names.file,
        code: error.code,
        message: error.message,
        condition: error.condition,
        action: error.action,
        httpStatus: part.status(error, model),
        rpcCode: error.rpcCode,
        sentAs: error.wireCode === undefined ? undefined : String(error.wireCode),
        isNumbered: protocolOf(model).errorCode === "number",
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
