import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { explainRule, rules, type RuleExplanation } from "../../generator/diff/index.ts";

const docs = join(import.meta.dirname, "../../docs");
const titles: Readonly<Record<string, string>> = {
  interface: "The interface as a whole",
  authentication: "Authentication",
  operations: "Operations",
  types: "Types and generated code",
  errors: "Errors",
  events: "Events",
  states: "States",
  rules: "Normative sentences",
  fields: "Fields",
  values: "Values",
  texts: "Texts, examples and trials",
};

describe("the documentation of changes", () => {
  test("lists every rule", async () => {
    const file = join(docs, "changes.md");
    const text = await format(pageText(), { parser: "markdown", printWidth: 110 });
    if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("says no rule that there is not", () => {
    const text = readFileSync(join(docs, "diff.md"), "utf8");
    const named = [
      ...text.matchAll(/(?:rule: |"rule": "|explain |`)((?:request|response|event|method)-[a-z-]+[a-z])/g),
    ];
    expect(named.length).toBeGreaterThan(2);
    expect(named.map(([, id = ""]) => id).filter((id) => !rules.has(id))).toEqual([]);
  });
});

function pageText(): string {
  const explained = [...rules.keys()].map(explainRule).filter((rule) => rule !== undefined);
  const sections = Object.entries(titles).flatMap(([area, title]) => [
    `## ${title}`,
    tableText(explained.filter((rule) => rule.area === area)),
  ]);
  return [
    "# Changes",
    `The ${explained.length} kinds of change that [\`ledger-rpc diff\`](diff.md) tells apart, what each means to whom, and the version of the client that it calls for. \`ledger-rpc explain <id>\` says more of each: why, what to do, and an example before and after. This page is written by a test from the rules themselves.`,
    ...sections,
  ].join("\n\n");
}

function tableText(explained: readonly RuleExplanation[]): string {
  const rows = explained.map(({ rule, what, parties, version }) => {
    const severities = [parties.callers, parties.implementers, parties.receivers];
    return `| \`${rule}\` | ${escaped(what)} | ${severities.map((effect) => effect?.severity ?? "–").join(" | ")} | ${version} |`;
  });
  return [
    "| id | change | callers | implementers | receivers | version |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}
