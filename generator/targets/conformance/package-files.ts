import { schemeKindOf } from "../../../conformance/request/schemes/index.ts";
import type { Case } from "../../../conformance/suite/case.ts";
import type { JsonRpcEntry } from "../../../conformance/suite/json-rpc.ts";
import type { Suite } from "../../../conformance/suite/suite.ts";
import { formsOf, resolve } from "../../model/index.ts";
import type { ServiceModel, Shape } from "../../model/service-model.ts";
import { jsonText } from "../../print/literals.ts";
import { fillTemplate } from "../../print/template.ts";
import { shapeParts } from "../../language/shape-parts.ts";
import { markdownText } from "../../print/markdown.ts";

/** The files that make the folder a package: manifest and README. */
export function packageFiles(
  model: ServiceModel,
  suite: Suite,
  written: readonly Case[],
): Readonly<Record<string, string>> {
  return { "README.md": readme(model, suite, written), "package.json": jsonText(manifest(model)) };
}

/** As it is published: beside the compiled modules. */
function manifest(model: ServiceModel) {
  const name = packageName(model);
  return {
    name,
    version: version(model.revision),
    description: `Tries implementations of ${model.title}`,
    type: "module",
    engines: { node: ">=22.12" },
    bin: { [name]: "./lib/package/main.js" },
    exports: {
      ".": { types: "./lib/package/index.d.ts", default: "./lib/package/index.js" },
      "./package.json": "./package.json",
    },
    files: ["lib", "suite"],
  };
}

function packageName({ name }: ServiceModel): string {
  return `${name}-conformance`;
}

/** A revision as npm takes it: three numbers. */
function version(revision: string): string {
  const [major = "0", minor = "0", patch = "0"] = revision.split(".");
  return [major, minor, patch].join(".");
}

function readme(model: ServiceModel, suite: Suite, written: readonly Case[]): string {
  const needed = new Set([...written.flatMap(namesInRequest), ...samplesOfPayloads(model)]);
  const samples = suite.resources
    .filter(({ absent }) => absent !== undefined)
    .flatMap(({ name, samples: own }) => own.map((sample) => ({ sample, name })))
    .filter(({ sample }) => needed.has(sample));
  const [first] = suite.methods;
  const common = {
    packageName: packageName(model),
    version: version(model.revision),
    title: markdownText(model.title),
    revision: model.revision,
    operation: suite.probe === "" ? (first?.name ?? "") : suite.probe,
    operations: String(suite.methods.length),
  };
  if (suite.wire !== undefined)
    return fillTemplate("conformance/standard.md", { ...common, credentials: credentialsOf(suite.wire) });
  return fillTemplate("conformance/README.md", {
    ...common,
    scenarios: String(suite.scenarios.length),
    samples: samples.map(({ sample, name }) => `| \`${sample}\` | ${words(name)} |`).join("\n"),
    firstSample: samples[0]?.sample ?? "",
  });
}

/** The least members of an access file for each scheme, for its example. */
function credentialsOf({ schemes }: JsonRpcEntry): string {
  const entries = schemes.map(
    ({ name, kind }) => `    "${name}": ${schemeKindOf(kind)?.access.example ?? "{}"}`,
  );
  return entries.length === 0 ? "{}" : `{\n${entries.join(",\n")}\n  }`;
}

/** The samples that fields of payloads hold, which the cases that their shapes say need. */
function samplesOfPayloads(model: ServiceModel): ReadonlySet<string> {
  const samples = new Set<string>();
  const visited = new Set<Shape>();
  const visit = (shape: Shape): void => {
    const resolved = resolve(model, shape);
    if (visited.has(resolved)) return;
    visited.add(resolved);
    for (const { identifies, refersTo } of resolved.kind === "object" ? resolved.fields : [])
      for (const sample of [identifies, refersTo]) if (sample !== undefined) samples.add(sample);
    for (const part of shapeParts(resolved)) visit(part);
  };
  for (const { payload } of model.methods) for (const { shape } of formsOf(payload)) visit(shape);
  return samples;
}

/** The names in double braces. */
function namesInRequest(written: Case): readonly string[] {
  return [...JSON.stringify(written.request).matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name = ""]) => name);
}

/** `businessCustomer` as words. */
function words(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
