import { codesIn, type Section } from "./document.ts";
import { plain, sameSets } from "./same-sets.ts";
import type { SpecFiles } from "./spec-files.ts";

/** Errors of section 7, events of section 6, and the meanings of account types in 2.2. */
export function catalogueProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  return [
    ...errorProblems(sections, spec),
    ...eventProblems(sections, spec),
    ...typeMeanings(sections, spec),
  ];
}

function rowsOf(sections: readonly Section[], number: string): readonly (readonly string[])[] {
  return sections
    .filter((section) => section.number === number)
    .flatMap((section) => section.tables.flatMap((table) => table.rows));
}

const documentedMethods = ["AccountService.GetAccount", "TransactionService.GetTransactionsByRef"];

function errorProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const rows = rowsOf(sections, "7").map(([code = "", message = "", condition = ""]) => ({
    code: codesIn(code)[0] ?? "",
    message,
    condition,
  }));
  const documented = Object.entries(spec.errors).filter(([, error]) => error.section === "7");
  const problems = [
    ...sameSets(
      "error",
      rows.map(({ code, message }) => `${code}: ${message}`),
      documented.map(([code, error]) => `${code}: ${error.message.replace("{field}", "ID")}`),
    ),
  ];
  for (const [code, error] of Object.entries(spec.errors)) {
    if (error.section !== "7" && ![error.decision].flat().includes("D-07"))
      problems.push(`error ${code}: neither in section 7 nor by D-07`);
  }
  for (const { code, condition } of rows) {
    const action = condition.split("; ")[1];
    const answer = spec.errors[code]?.action ?? "";
    if (action !== undefined && plain(action) !== plain(answer))
      problems.push(`error ${code}: action "${answer}"`);
  }
  return [...problems, ...documentedMethods.flatMap((method) => methodErrorProblems(method, rows, spec))];
}

function methodErrorProblems(
  name: string,
  rows: readonly { readonly code: string; readonly message: string; readonly condition: string }[],
  spec: SpecFiles,
): readonly string[] {
  const errors = Object.entries(spec.methods[name]?.errors ?? {});
  const operation = name.split(".")[1] ?? "";
  const own = rows.filter(({ condition }) => {
    const only = /^`(\w+)` only/.exec(condition)?.[1];
    return only === undefined || only === operation;
  });
  const wrongConditions = own.flatMap(({ code, condition }) => {
    const answer = spec.methods[name]?.errors[code]?.condition ?? "?";
    return plain(condition).includes(plain(answer)) ? [] : [`${name} ${code}: condition "${answer}"`];
  });
  return [
    ...sameSets(
      `error of ${name}`,
      own.map(({ code, message }) => `${code}: ${message}`),
      errors.filter(([, error]) => error.section === "7").map(([code, error]) => `${code}: ${error.message}`),
    ),
    ...wrongConditions,
  ];
}

function eventProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const rows = rowsOf(sections, "6").map(
    ([name = "", meaning = ""]) => `${codesIn(name)[0]}: ${plain(meaning)}`,
  );
  return [
    ...sameSets(
      "event",
      rows,
      Object.entries(spec.events).map(([name, event]) => `${name}: ${plain(event.doc ?? "")}`),
    ),
    ...sameSets(
      "event name",
      rows,
      (spec.types["EventName"]?.enum ?? []).map(({ value, doc }) => `${value}: ${plain(doc ?? "")}`),
    ),
  ];
}

function typeMeanings(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const sentence = sections
    .flatMap((section) => section.paragraphs)
    .find((text) => text.startsWith("Account type meanings: "));
  const meanings = new Map(
    (sentence ?? "").split("; ").map((part) => [codesIn(part)[0] ?? "", plain(part.split("`").at(-1) ?? "")]),
  );
  return (spec.types["AccountType"]?.enum ?? []).flatMap(({ value, doc }) => {
    const said = meanings.get(value) ?? "nothing";
    return said.endsWith(plain(doc ?? ""))
      ? []
      : [`account type ${value}: "${doc}", but the document says "${said}"`];
  });
}
