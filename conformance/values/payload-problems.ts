import type { Reading } from "../suite/shape.ts";
import type { PayloadShape } from "../suite/suite.ts";
import { escaped, isJsonObject } from "./json.ts";
import type { Problem } from "./problem.ts";
import { problemsOf } from "./problems.ts";

/** All that is wrong with a payload; with several forms, with the form that it comes closest to. */
export function payloadProblems(payload: PayloadShape, value: unknown, reading: Reading): readonly Problem[] {
  if (payload.kind === "single") return problemsOf(payload.shape, value, reading);
  const { forms, selectedBy } = payload;
  const byForm = forms.map((form) => ({ form, problems: problemsOf(form.shape, value, reading) }));
  if (!isJsonObject(value)) return byForm[0]?.problems ?? [];
  const own = new Map<string, unknown>(Object.entries(value));
  if (selectedBy === "stored") {
    const misfits = [...own].flatMap(([name, part]) => formFieldProblems(payload, name, part, reading));
    const closest = byForm.toSorted((a, b) => a.problems.length - b.problems.length)[0];
    return [...(closest?.problems ?? []), ...misfits];
  }
  const chosen = byForm.filter(({ form }) => {
    const selector = form.shape.fields.find(({ name }) => name === selectedBy);
    // A body without the selector is of the form that may lack it.
    if (selector?.presence.kind === "optional" && (own.get(selectedBy) ?? undefined) === undefined)
      return true;
    return selector !== undefined && problemsOf(selector.shape, own.get(selectedBy), reading).length === 0;
  });
  const none: Problem = {
    at: `/${selectedBy}`,
    kind: "form",
    expected: `one of ${forms.map(({ name }) => name).join(", ")}`,
    found: own.get(selectedBy),
  };
  return chosen.length === 0 ? [none] : chosen.flatMap(({ problems }) => problems);
}

/** A field has to fit the field of that name of any form that has one. */
function formFieldProblems(
  payload: Extract<PayloadShape, { kind: "forms" }>,
  name: string,
  value: unknown,
  reading: Reading,
): readonly Problem[] {
  const fields = payload.forms.flatMap((form) => form.shape.fields.filter((field) => field.name === name));
  const found = fields.map((field) => problemsOf(field.shape, value, reading));
  if (found.length === 0 || found.some((problems) => problems.length === 0)) return [];
  return (found[0] ?? []).map((problem) => ({ ...problem, at: `/${escaped(name)}${problem.at}` }));
}

/** Whether a JSON value is a payload that validation lets through to the handler. */
export function acceptsPayload(payload: PayloadShape, value: unknown, reading: Reading): boolean {
  return payloadProblems(payload, value, reading).length === 0;
}
