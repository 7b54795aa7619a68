import { errorsOfMethod } from "../../../model/index.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";

/** `errors.html`: every code, when it is answered, and what the caller does about it. */
export function errorsPage(context: PageContext): Page {
  const { model, links } = context;
  const givers = model.methods.map((method) => ({
    name: method.name,
    href: links.method(method.name),
    codes: new Set(errorsOfMethod(model, method).map(({ code }) => code)),
  }));
  return {
    path: "errors.html",
    title: "Errors",
    template: "errors",
    current: "errors",
    view: {
      errors: model.errors.map((error) => ({
        ...context.remarks(error),
        anchor: error.names.file,
        code: error.code,
        message: error.message,
        condition: error.condition,
        action: error.action,
        httpStatus: error.httpStatus,
        rpcCode: error.rpcCode,
        isOfEvery: error.everyMethod,
        methods: error.everyMethod ? [] : givers.filter(({ codes }) => codes.has(error.code)),
      })),
    },
  };
}
