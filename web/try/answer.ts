import { el, type Child } from "../shared/dom.ts";
import { isObject, textOf, type JsonObject } from "../shared/json.ts";
import { fieldsOf, type SchemaDocument } from "../shared/schema.ts";
import { badge, notice, prose } from "../shared/view.ts";
import type { Answered, Attempt, Outcome, TriedInterface, TriedOperation } from "./tried.ts";

/** An answer, checked against the contract, with what its fields mean. */
export async function answerView(
  tried: TriedInterface,
  attempt: Attempt,
  answered: Answered,
): Promise<Child> {
  const { status, text, milliseconds } = answered;
  const facts = el("p", { class: "hint" }, `HTTP ${status}, after ${milliseconds.toFixed(0)} ms`);
  if (text === "") {
    const isWell = status >= 200 && status < 300 && attempt.outcomes(undefined).length === 0;
    const words = isWell ? "It was taken. A notification is not answered." : "The answer is empty.";
    return [headingWith(isWell ? "OK" : "error"), facts, notice(isWell ? "done" : "error", words)];
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [
      headingWith("error"),
      facts,
      notice("error", "The answer is not JSON."),
      el("pre", { tabindex: "0" }, text),
    ];
  }
  const outcomes = attempt.outcomes(value);
  const views = await Promise.all(
    outcomes.map(async (outcome) => [
      outcomes.length > 1 ? el("h3", {}, outcome.operation.name) : undefined,
      await verdict(tried, outcome),
    ]),
  );
  const operations = [...new Set(outcomes.map(({ operation }) => operation))];
  return [
    headingWith(stateOf(outcomes)),
    facts,
    outcomes.some(({ error }) => error !== undefined) ? clockNotice(answered) : undefined,
    views,
    el("pre", { tabindex: "0" }, JSON.stringify(value, undefined, 2)),
    operations.map((operation) => resultFields(tried, operation)),
  ];
}

/** A difference of clocks that the spec's schemes do not forgive. */
const clockToleranceSeconds = 30;

/** A clock that is wrong has signatures and tokens refused that are right otherwise. */
function clockNotice({ aheadSeconds }: Answered): Child {
  const seconds = Math.abs(aheadSeconds);
  if (!(seconds > clockToleranceSeconds)) return undefined;
  const difference = seconds < 120 ? `${seconds.toFixed(0)} seconds` : `${(seconds / 60).toFixed(0)} minutes`;
  return notice(
    "error",
    `The clock of this computer is ${difference} ${aheadSeconds > 0 ? "ahead of" : "behind"} the service's. Signatures and tokens that hold a time are refused for that.`,
  );
}

/** In a word: the first error's code, if there is an error. */
function stateOf(outcomes: readonly Outcome[]): string {
  const wrong = outcomes.find(({ error, problem }) => error !== undefined || problem !== undefined);
  return wrong === undefined ? "OK" : codeOf(wrong.error ?? {}) || "error";
}

function headingWith(state: string): Child {
  return el("h2", {}, "Answer ", badge(state));
}

/** Whether an answer is as the contract says. */
async function verdict(
  tried: TriedInterface,
  { operation, error, result, problem }: Outcome,
): Promise<Child> {
  if (error !== undefined) {
    const code = codeOf(error);
    const meaning = operation.errors.get(code);
    if (meaning === undefined)
      return notice("error", `The contract does not give ${code} to this operation.`);
    const field = isObject(error["data"]) ? textOf(error["data"]["field"]) : "";
    const message = textOf(error["message"]);
    return notice(
      "hint",
      message,
      meaning === "" || meaning === message ? undefined : ` ${meaning}`,
      field === "" ? undefined : ` At ${field}.`,
    );
  }
  if (problem !== undefined) return notice("error", problem);
  const errors = (await tried.validator(operation, "result"))(result);
  if (errors.length === 0) return notice("done", "The answer is as the contract says.");
  return notice(
    "error",
    "The answer is not as the contract says: ",
    errors.map(({ pointer, text }) => `${pointer} ${text}. `),
  );
}

function codeOf(error: Readonly<Record<string, unknown>>): string {
  const code = error["code"];
  return typeof code === "number" ? String(code) : textOf(code);
}

function resultFields({ schema }: TriedInterface, operation: TriedOperation): Child {
  const fields = fieldList(schema, schema.of(`${operation.type}Result`), fieldDepth);
  return fields === undefined
    ? undefined
    : el("details", {}, el("summary", {}, "Fields of the answer"), fields);
}

/** Fields deeper than this are in the reference: a type may contain itself. */
const fieldDepth = 3;

/** The fields of an object, or of the items of a list, with those within them. */
function fieldList(schema: SchemaDocument, type: JsonObject, depth: number): HTMLElement | undefined {
  const resolved = schema.resolved(type);
  const fields = fieldsOf(schema, isObject(resolved["items"]) ? resolved["items"] : resolved, {});
  if (depth === 0 || fields.length === 0) return undefined;
  const list = fields.map((field) => [
    el("dt", {}, el("code", {}, field.name)),
    el("dd", {}, prose(field.doc), fieldList(schema, field.schema, depth - 1)),
  ]);
  return el("dl", { class: "meanings" }, list);
}
