import { show } from "./dom.ts";
import { HttpError } from "./failure.ts";
import type { FieldError, Form } from "./form.ts";
import { isObject, textOf } from "./json.ts";
import { notice } from "./view.ts";

/** The errors of a generated validator. */
export type Validate = (payload: unknown) => readonly FieldError[];

/** Where modules were found that could not be fetched at first. */
const otherAddresses = new Map<string, string>();
let failures = 0;

/**
 * Loads a module. @throws HttpError where the service answers with an error, which an import does not tell. A browser
 * remembers until the page is loaded anew that it could not fetch a module: then it is loaded from another address.
 */
export async function loadModule(url: URL): Promise<unknown> {
  const { href } = url;
  try {
    return await import(otherAddresses.get(href) ?? href);
  } catch {
    const { ok, status } = await fetch(url);
    if (!ok) throw new HttpError(url.pathname, status);
    failures += 1;
    const other = `${href}?failures=${failures}`;
    const module: unknown = await import(other);
    otherAddresses.set(href, other);
    return module;
  }
}

/** Loads one of the generated validators of a module. */
export async function loadValidator(url: URL, name: string): Promise<Validate> {
  const module = await loadModule(url);
  const found = isObject(module) || typeof module === "object" ? Reflect.get(module ?? {}, name) : undefined;
  if (typeof found !== "function") throw new Error(`${url.pathname} has no ${name}`);
  return (payload) => {
    if (found(payload) === true) return [];
    const errors: unknown = Reflect.get(found, "errors");
    return (Array.isArray(errors) ? errors : []).map((error: unknown) => fieldError(error));
  };
}

/** Shows what does not fit at the fields of a form, and the rest in a place of its own. */
export function showProblems(form: Form, place: HTMLElement, errors: readonly FieldError[]): void {
  const elsewhere = form
    .showErrors(errors)
    .map(({ pointer, text, kind }) =>
      kind === "none-of-several"
        ? `${pointer}${pointer && ": "}${text}. `
        : `${pointer || "The payload"} ${text}. `,
    );
  show(place, elsewhere.length === 0 ? undefined : notice("error", elsewhere));
}

function fieldError(error: unknown): FieldError {
  const { instancePath, keyword, params } = isObject(error) ? error : {};
  const missing = isObject(params) ? textOf(params["missingProperty"]) : "";
  const pointer = textOf(instancePath) + (missing === "" ? "" : `/${missing}`);
  const text = words(textOf(keyword), isObject(params) ? params : {});
  if (keyword === "anyOf") return { pointer, text, kind: "none-of-several" };
  return keyword === "required" ? { pointer, text, kind: "missing" } : { pointer, text };
}

function words(keyword: string, params: Readonly<Record<string, unknown>>): string {
  switch (keyword) {
    case "required":
      return "is needed";
    case "type":
      return `has to be of type ${textOf(params["type"])}`;
    case "enum":
    case "const":
      return "is not one of the values that are taken";
    case "pattern":
    case "format":
      return "has not the form that is asked for";
    case "minLength":
      return "is empty or too short";
    case "maxLength":
      return "is too long";
    case "minimum":
    case "maximum":
      return `has to be ${textOf(params["comparison"])} ${String(params["limit"])}`;
    case "minItems":
      return "has too few items";
    case "anyOf":
      return "Fill in one of the forms that it takes";
    default:
      return `does not fit (${keyword})`;
  }
}
