import { codesIn, type Section } from "./document.ts";
import { sameSets } from "./same-sets.ts";
import { formsOf, type SpecFiles, type SpecMethod } from "./spec-files.ts";

/** Names, `params.api` members, presence of `jsonrpc`, flat bodies and groups of fields, operation by operation. */
export function operationProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  return sameSets("operation", factsOfDocument(sections), factsOfSpec(spec));
}

function factsOfDocument(sections: readonly Section[]): ReadonlySet<string> {
  const facts = new Set<string>();
  const { absent, present } = jsonrpcStatements(sections);
  for (const section of sections.filter((each) => /^4\.\d/.test(each.number))) {
    const name = operationName(section.title);
    const text = section.paragraphs.join(" ");
    facts.add(`${section.number} ${name}`);
    if (text.startsWith("Posted to the same path with a flat body") || text.startsWith("Flat body"))
      facts.add(`${section.number} has a flat body`);
    const api = /`params\.api`(?::| \()([^.)]*)/.exec(text)?.[1] ?? "";
    const same = /Same method name and `api` fields as (4\.\d+)/.exec(text)?.[1];
    const members = same === undefined ? codesIn(api) : membersAt(facts, same);
    if (members.length > 0) facts.add(`${section.number} api ${members.toSorted().join()}`);
    if (absent.has(name)) facts.add(`${section.number} jsonrpc absent`);
    if (present.has(name)) facts.add(`${section.number} jsonrpc present`);
    const atLeastOne = groupIn(section, text);
    if (atLeastOne.length > 0) facts.add(`${section.number} at least one of ${atLeastOne.join()}`);
  }
  return facts;
}

function operationName(title: string): string {
  const code = codesIn(title)[0];
  return code ?? title.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

function membersAt(facts: ReadonlySet<string>, section: string): readonly string[] {
  const prefix = `${section} api `;
  return [...facts].flatMap((fact) => (fact.startsWith(prefix) ? fact.slice(prefix.length).split(",") : []));
}

function jsonrpcStatements(sections: readonly Section[]) {
  const absent = new Set<string>();
  const present = new Set<string>();
  for (const section of sections) {
    const row = section.tables.flatMap((table) => table.rows).find(([field]) => field === "`jsonrpc`");
    if (section.number === "1" && row !== undefined)
      codesIn(row[2] ?? "").forEach((code) => absent.add(code));
    const states = section.paragraphs.some((text) => /`jsonrpc` (?:beside|\(`2\.0`\)|is `2\.0`)/.test(text));
    if (row?.[2]?.includes("sits beside `result`") || states)
      codesIn(section.title).forEach((code) => present.add(code));
  }
  return { absent, present };
}

function groupIn(section: Section, text: string): readonly string[] {
  if (/At least one of the \w+ fields is to be present/.test(text))
    return section.tables.flatMap((table) => table.rows.map(([field = ""]) => codesIn(field)[0] ?? ""));
  const either = /^Flat body with either (.*); one of the two is supplied/.exec(text)?.[1] ?? "";
  return codesIn(either);
}

function factsOfSpec(spec: SpecFiles): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const [name, method] of Object.entries(spec.methods)) {
    const { payload } = method;
    const forms = formsOf(method);
    for (const { section } of forms.length > 0 ? forms : [method]) {
      facts.add(`${section} ${name}`);
      for (const fact of transportFacts(method)) facts.add(`${section} ${fact}`);
    }
    if (typeof payload === "string") continue;
    for (const group of payload.atLeastOneOf) facts.add(`${method.section} at least one of ${group.join()}`);
    for (const group of payload.exactlyOneOf) facts.add(`${method.section} exactly one of ${group.join()}`);
  }
  return facts;
}

function transportFacts(method: SpecMethod): readonly string[] {
  if (method.flat !== undefined) return ["has a flat body"];
  return [`api ${(method.auth ?? []).toSorted().join()}`, `jsonrpc ${method.jsonrpc}`];
}
