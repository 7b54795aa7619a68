import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  diffJson,
  diffModels,
  explainRule,
  renderChangelog,
  renderGithub,
  renderMarkdown,
  renderMigration,
  renderRuleExplanation,
  rules,
  sarif,
  versionAdvice,
  type DiffReport,
  type SpecDiff,
  type Change,
} from "../../generator/diff/index.ts";
import { demonstrate } from "../../generator/diff/migration/demonstrate.ts";
import { sampleOf } from "../../generator/diff/migration/sample.ts";
import type { MethodModel, PayloadModel, ServiceModel, Shape } from "../../generator/model/index.ts";
import { casesFolder, diffCases, documentWith, libraryWith, revisionsOf } from "./diff-cases.ts";
import { modelOf, type SpecDocument } from "./diff-edits.ts";

const ids = [...rules.keys()];

describe("a scenario in every form", () => {
  const folder = join(casesFolder, "scenario-next-revision");
  const [old, recent] = revisionsOf("scenario-next-revision");
  const changes = diffModels(old, recent);
  const accepted = changes.map((change) =>
    change.rule === "method-renamed" ? { ...change, exception: "Agreed, with 100 % of callers" } : change,
  );
  const spec: SpecDiff = {
    name: "library",
    interfaceName: "library",
    old: { label: "v1.2.0:library", revision: old.revision },
    new: { label: "library", revision: recent.revision },
    changes: accepted,
    version: versionAdvice(changes, old.revision),
  };
  const report: DiffReport = { specs: [spec], failOn: "breaking", failed: true };

  test.each([
    ["expected.md", renderMarkdown(report)],
    ["expected.json", JSON.stringify(diffJson(report, [], false), null, 2)],
    ["expected.sarif.json", JSON.stringify(sarif(report, "1.0.0"), null, 2)],
    ["expected.github.txt", renderGithub(report)],
    ["expected.changelog.md", renderChangelog([spec])],
    ["expected.migration.md", renderMigration([{ diff: spec, revisions: { old, new: recent } }])],
  ])("%s", (name, text) => {
    const file = join(folder, name);
    if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(file, `${text}\n`);
    expect(`${text}\n`).toBe(readFileSync(file, "utf8"));
  });

  test("GitHub's commands are one line each, and what they say is escaped", () => {
    const lines = renderGithub(report).split("\n");
    expect(lines).toHaveLength(changes.length);
    for (const line of lines)
      expect(line).toMatch(/^::(?:error|warning|notice) file=[^:,]+,line=\d+,[^:]*title=[a-z-]+::\S/);
    expect(lines.find((line) => line.includes("title=method-renamed"))).toContain("100 %25 of callers");
  });
});

describe("a migration note shows what is right before and after", () => {
  /** Changes of requests that show in no example. */
  const alike: string[] = [];
  test.each([...diffCases])("%s", (_, { old: before, new: now }) => {
    if (before === undefined || now === undefined) return;
    const [old, recent] = [libraryWith(before), libraryWith(now)];
    for (const change of diffModels(old, recent)) {
      const breaks = change.impacts.some(
        ({ party, severity }) => party !== "implementers" && severity === "breaking",
      );
      if (!breaks) continue;
      const shown = demonstrate({ old, new: recent }, change);
      if (shown === undefined) continue;
      const then: Revision = { document: documentWith(before), model: old };
      const today: Revision = { document: documentWith(now), model: recent };
      if (shown.before !== undefined) expect(isRight(shown.before, then, change), shown.before).toBe(true);
      if (shown.after !== undefined) expect(isRight(shown.after, today, change), shown.after).toBe(true);
      if (shown.before === undefined || shown.after === undefined || change.direction === undefined) continue;
      // Values that are taken for something else are not refused, which is the trouble. Second names are not
      // examples.
      if (/-reused$|-also-sent-as-/.test(change.rule) || shown.what === "Event") continue;
      if (shown.before === shown.after) {
        alike.push(change.rule);
        continue;
      }
      // Sent values are refused; answered values could not be answered before.
      const called = Exchange.parse(JSON.parse(shown.after)).method;
      const isTaken =
        change.direction === "request"
          ? isRight(shown.before, today, change, called)
          : isRight(shown.after, then, change);
      expect(isTaken, `${change.rule}: ${shown.before} ${shown.after}`).toBe(false);
    }
  });

  test("and what is not right on the other side, but for few", () => {
    // JSON does not show that a number is money; and a group may need the very field that became optional.
    // That an enum is open shows only once it has a value more.
    expect(alike.toSorted()).toEqual([
      "request-type-narrowed",
      "response-enum-opened",
      "response-field-required-to-optional",
    ]);
  });
});

const Exchange = z.looseObject({
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  event: z.string().optional(),
  error: z.unknown().optional(),
});

interface Revision {
  readonly document: SpecDocument;
  readonly model: ServiceModel;
}

const Mapping = z.record(z.string(), z.unknown());

/** Whether the spec takes what goes over the wire for an example of its own. Events have no examples. */
function isRight(text: string, { document, model }: Revision, change: Change, called?: string): boolean {
  const exchange = Exchange.parse(JSON.parse(text));
  if (exchange.event !== undefined || exchange.error !== undefined) return true;
  const flat = model.methods.find(({ transport }) => transport.kind === "flat");
  const isAnswer = exchange.result !== undefined;
  const name = isAnswer ? change.reaches[0] : (called ?? exchange.method ?? flat?.name);
  const method = model.methods.find((each) => each.name === name);
  if (method === undefined) return false;
  const payload = isAnswer ? sampleOf(model, payloadShape(method.payload)) : payloadIn(exchange, method);
  const result = isAnswer ? exchange.result : sampleOf(model, method.result);
  const methods = Mapping.parse(document["methods"]);
  const own = Mapping.parse(methods[method.name]);
  const example = { name: "Shown", payload, result };
  return (
    modelOf({ ...document, methods: { ...methods, [method.name]: { ...own, examples: [example] } } }) !==
    undefined
  );
}

/** What the parameters of a call hold, or the whole of a flat body. */
function payloadIn(exchange: z.infer<typeof Exchange>, method: MethodModel): unknown {
  const { params = exchange } = exchange;
  if (method.transport.kind !== "json-rpc") return Enveloped.catch({ payload: params }).parse(params).payload;
  if (!Array.isArray(params)) return params;
  const fields = payloadShape(method.payload);
  const names = fields.kind === "object" ? fields.fields.map(({ name }) => name) : [];
  return Object.fromEntries(params.map((value, at) => [names[at] ?? "", value]));
}

const Enveloped = z.object({ payload: z.unknown() });

function payloadShape(payload: PayloadModel): Shape {
  return payload.kind === "single" ? payload.shape : (payload.forms[0]?.shape ?? { kind: "boolean" });
}

describe("explain", () => {
  test.each(ids)("%s", (id) => {
    const explanation = explainRule(id);
    if (explanation === undefined) throw new Error("no explanation");
    const text = renderRuleExplanation(explanation);
    expect(text).not.toMatch(/undefined|``|\[object|  of |\bof [,.]/);
    expect(text).toContain("Before:\n");
  });

  test("what is no rule has no explanation", () => {
    expect(explainRule("toString")).toBeUndefined();
  });
});
