import { errorsOfMethod, formsOf, isNotification, methodPath, requestIdOf } from "../../../model/index.ts";
import type {
  ErrorModel,
  ExampleModel,
  MethodModel,
  PagingModel,
  PayloadModel,
  ServiceModel,
} from "../../../model/service-model.ts";
import { sentValue } from "../../../print/sent-value.ts";
import { protocolOf } from "../../../protocols/index.ts";
import { partOf } from "../../../protocols/parts.ts";
import { jsonHtml, type CodeHtml, examplesOf } from "../code.ts";
import { objectView, valueDetails } from "../field-tree.ts";
import { nameParts, firstSentence, prose } from "../prose.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { shownPrograms, type ShownProgram } from "../snippets.ts";
import { typeWords } from "../type-words.ts";

/** `operations/<name>.html`: one operation with all that a caller needs to know of it. */
export function operationPage(
  method: MethodModel,
  context: PageContext,
  programs: readonly ShownProgram[],
): Page {
  const { model } = context;
  const { payload } = method;
  const protocol = protocolOf(model);
  const part = partOf(model, "reference");
  const { creates, view } = part.call(method, model);
  return {
    path: `operations/${method.names.file}.html`,
    title: method.name,
    about: firstSentence(method.doc),
    template: "operation",
    current: method.name,
    view: {
      ...context.remarks(method),
      service: method.service ?? "Operation",
      programs: shownPrograms(programs, method.names.file),
      name: method.name,
      parts: nameParts(method.name),
      tryIn: encodeURIComponent(model.name),
      tryName: encodeURIComponent(method.name),
      isSigned: protocol.isSigned,
      effect: effectWords(method, creates),
      ...view,
      endpoint: `POST ${methodPath(method, model)}`,
      ids: requestIdOf(model, method)?.pattern,
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
      examples: examplesOf(method, model).map((example) => exampleView(example, method, model)),
      ...errorsView(method, context),
      events: method.emits.map((name) => ({ name, href: context.links.event(name) })),
      transitions: transitionsBy(method, context),
      sentences: model.requirements
        .filter(({ section }) => section !== undefined && section === method.section)
        .map(({ doc }) => prose(doc)),
    },
  };
}

function effectWords({ effect }: MethodModel, creates: string): string {
  const words = {
    read: "Reads. It may be repeated at any time.",
    set: "Sets. A repetition changes nothing more.",
    create: creates,
  } as const;
  return words[effect];
}

/** A call and its answer, as bodies on the wire. */
function exampleView(
  { name, payload, result, error }: ExampleModel,
  method: MethodModel,
  model: ServiceModel,
) {
  const { exchange } = protocolOf(model);
  const answer = (): CodeHtml | undefined => {
    if (isNotification(method)) return undefined;
    if (error === undefined)
      return result === undefined
        ? undefined
        : jsonHtml(exchange.answer(method, sentValue(result, method.result, model), model));
    const known = errorsOfMethod(model, method).find(({ code }) => code === error);
    return known && jsonHtml(exchange.failure(known.declared, known.message, model, method));
  };
  return {
    name,
    request: jsonHtml(exchange.request(method, payload, model)),
    answer: answer(),
    isError: error !== undefined,
  };
}

/** What is not an object with fields of its own. */
function resultView({ result }: MethodModel, context: PageContext) {
  if (result.kind === "object") return undefined;
  return { type: typeWords(result, context.links), ...valueDetails(result, context) };
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
  const [common, own] = [true, false].map((every) => views.filter(({ isOfEvery }) => isOfEvery === every));
  return { ownErrors: own, commonErrors: common, errors: links.page("errors") };
}

/** The number that callers see instead of the name, where there is one. */
function numberOf({ rpcCode, wireCode }: ErrorModel, model: ServiceModel): string | undefined {
  const number = protocolOf(model).errorCode === "number" ? rpcCode : wireCode;
  return number === undefined ? undefined : String(number);
}

function transitionsBy(method: MethodModel, { transitions, links }: PageContext) {
  return (transitions.get(method.name) ?? []).map(({ machine, transition }) => ({
    machine,
    href: links.state(machine),
    from: transition.from,
    to: transition.to,
    condition: transition.condition,
    effects: transition.effects.join("; "),
  }));
}
