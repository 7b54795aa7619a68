import { errorsOfMethod, flatMethods, formsOf, methodPath, requestIdOf } from "../../../model/index.ts";
import type {
  ErrorModel,
  MethodModel,
  PagingModel,
  PayloadModel,
  ServiceModel,
} from "../../../model/service-model.ts";
import { oncePer } from "../../../language/source/once-per.ts";
import { examplesOf, isNotification } from "../examples.ts";
import { objectView, valueDetails } from "../field-tree.ts";
import { nameParts } from "../name-parts.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { prose } from "../prose.ts";
import { programsOf } from "../snippets.ts";
import { typeWords } from "../type-words.ts";
import { securityText } from "./schemes.ts";

const effects = {
  read: "Reads. It may be repeated at any time.",
  set: "Sets. A repetition changes nothing more.",
  create: "Creates. A repetition under the same request id is answered as the first was.",
} as const;

/** Without memory of request ids: clients of the standard count from 1 each time. */
const standardEffects = { ...effects, create: "A repetition is a new call." } as const;

const notifications = {
  never: "It is called with an id only.",
  allowed: "Without an id it is a notification, and is not answered.",
  only: "It is called without an id only, and is never answered.",
} as const;

/** `operations/<name>.html`: one operation with all that a caller needs to know of it. */
export function operationPage(method: MethodModel, context: PageContext): Page {
  const { model } = context;
  const { transport, payload } = method;
  return {
    path: `operations/${method.names.file}.html`,
    title: method.name,
    template: "operation",
    current: method.name,
    view: {
      ...context.remarks(method),
      service: method.service ?? "Operation",
      programs: programsOf(method, model),
      name: method.name,
      parts: nameParts(method.name),
      tryIn: encodeURIComponent(model.name),
      tryName: encodeURIComponent(method.name),
      isSigned: transport.kind !== "json-rpc",
      effect: (transport.kind === "json-rpc" ? standardEffects : effects)[method.effect],
      ...standardCall(method),
      endpoint: `POST ${methodPath(method, model)}`,
      isFlat: transport.kind === "flat",
      flat: transport.kind === "flat" ? selectorWords(transport) : undefined,
      flatAfter: transport.kind === "flat" ? earlierOperations(method, model) : undefined,
      auth: transport.kind === "enveloped" ? transport.auth : [],
      ids: requestIdOf(model, method)?.pattern,
      security: securityText(method, model),
      authentication: context.links.page("authentication"),
      selection: selectionOf(payload),
      forms: formsOf(payload).map((form) => ({
        name: form.name,
        doc: prose(form.doc ?? ""),
        section: form.section,
        object: objectView(form.shape, context),
      })),
      paging: method.paging && pagingWords(method.paging),
      result: method.result.kind === "object" ? objectView(method.result, context) : undefined,
      isNotification: isNotification(method),
      resultType: resultView(method, context),
      examples: examplesOf(method, model),
      ...errorsView(method, context),
      events: method.emits.map((name) => ({ name, href: context.links.event(name) })),
      transitions: transitionsBy(method, context),
      sentences: model.requirements
        .filter(({ section }) => section !== undefined && section === method.section)
        .map(({ doc }) => prose(doc)),
    },
  };
}

/** What is not an object with fields of its own. */
function resultView({ result }: MethodModel, context: PageContext) {
  if (result.kind === "object") return undefined;
  return { type: typeWords(result, context.links), ...valueDetails(result, context) };
}

/** How a call of a standard interface is written. */
function standardCall({ transport, payload }: MethodModel) {
  if (transport.kind !== "json-rpc") return {};
  const names = payload.kind === "single" ? payload.shape.fields.map(({ name }) => name) : [];
  const places = names.length === 0 ? "" : `: ${names.join(", ")}`;
  const styles = {
    "by-name": "By name, in an object.",
    "by-position": `By position, in an array${places}.`,
    either: `By name, in an object, or by position, in an array${places}.`,
  } as const;
  return { params: styles[transport.params], notify: notifications[transport.notify] };
}

/** `operation = "subscribe"`, where a field selects other operations by other values. */
function selectorWords({
  selectedBy,
  only = {},
}: Extract<MethodModel["transport"], { kind: "flat" }>): string {
  const held = new Map(Object.entries(only));
  return selectedBy
    .map((name) => {
      const value = held.get(name);
      if (value === undefined) return name;
      if ("type" in value) return `${name} (${value.type})`;
      return `${name} = ${value.oneOf.map((one) => JSON.stringify(one)).join(" or ")}`;
    })
    .join(", ");
}

/** The operations that a body is rather than this one, where the spec orders them. */
function earlierOperations(method: MethodModel, model: ServiceModel): string | undefined {
  const flat = flatMethods(model).filter(({ path }) => path === method.path);
  if (flat.every(({ transport }) => transport.order === undefined)) return undefined;
  const earlier = flat.slice(
    0,
    flat.findIndex(({ name }) => name === method.name),
  );
  return earlier.length === 0 ? undefined : earlier.map(({ name }) => name).join(" or ");
}

function selectionOf(payload: PayloadModel): string | undefined {
  if (payload.kind === "single") return undefined;
  return payload.selectedBy === "stored"
    ? "Which of the forms is meant depends on what the request is about."
    : `The value of ${payload.selectedBy} says which of the forms is meant${usualWords(payload)}.`;
}

/** The form that is meant where the field that tells them apart is absent. */
function usualWords({ forms, selectedBy }: Extract<PayloadModel, { kind: "forms" }>): string {
  const usual = forms.find(({ shape }) =>
    shape.fields.some(({ name, presence }) => name === selectedBy && presence.kind === "optional"),
  );
  return usual === undefined ? "" : `; without it, ${usual.name} is`;
}

function pagingWords({
  page,
  first,
  cursor,
  next,
  size,
  sizeMax,
  filter,
  items,
  empty,
}: PagingModel): string {
  const style =
    page === undefined
      ? `${next} of a page is the ${cursor} of the next one, and the last page has none`
      : `${page} is the number of the page${first === undefined ? "" : `, from ${first} on`}`;
  return [
    `The list comes in pages: ${style}`,
    size === undefined ? "" : `, ${size} how many items it has`,
    sizeMax === undefined ? "" : `, at most ${sizeMax}`,
    `. The items are in ${items}.`,
    filter === undefined ? "" : ` ${filter} narrows the list.`,
    empty === undefined ? "" : ` Where there are none, the answer is the error ${empty}.`,
  ].join("");
}

function errorsView(method: MethodModel, { model, links }: PageContext) {
  const views = errorsOfMethod(model, method).map(({ code, message, condition, declared }) => ({
    code,
    number: numberOf(declared, model),
    href: links.error(code),
    message,
    condition,
    action: declared.action,
    isOfEvery: declared.everyMethod && !method.errors.some((error) => error.code === code),
  }));
  return {
    ownErrors: views.filter(({ isOfEvery }) => !isOfEvery),
    hasErrors: views.length > 0,
    errors: links.page("errors"),
    commonErrors: views.filter(({ isOfEvery }) => isOfEvery),
  };
}

/** The number that callers see instead of the name, where there is one. */
function numberOf({ rpcCode, wireCode }: ErrorModel, { wire }: ServiceModel): string | undefined {
  const number = wire.protocol === "json-rpc-2.0" ? rpcCode : wireCode;
  return number === undefined ? undefined : String(number);
}

function transitionsBy(method: MethodModel, { model, links }: PageContext) {
  return (transitionsByMethod(model).get(method.name) ?? []).map(({ machine, transition }) => ({
    machine,
    href: links.state(machine),
    from: transition.from,
    to: transition.to,
    condition: transition.condition,
    effects: transition.effects.join("; "),
  }));
}

/** The transitions of all state machines by the method that causes them. */
const transitionsByMethod = oncePer(({ states }: ServiceModel) =>
  Map.groupBy(
    states.flatMap(({ name, transitions }) =>
      transitions.map((transition) => ({ machine: name, transition })),
    ),
    ({ transition }) => transition.by,
  ),
);
