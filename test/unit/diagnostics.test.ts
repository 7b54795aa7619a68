import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import {
  diagnosticJson,
  explain,
  renderDiagnostic,
  renderExplanation,
  type Diagnostic,
} from "../../generator/language/diagnostics/index.ts";
import { specCodes } from "../../generator/language/diagnostics/codes/index.ts";
import { emitter as client } from "../../generator/targets/client/index.ts";
import { onePerItem, sharedNames } from "../../generator/targets/index.ts";
import { emitter as conformance } from "../../generator/targets/conformance/index.ts";
import type { Span } from "../../generator/language/source/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { baseProject, casesFolder, filesUnder, readerOf, type ProjectFiles } from "./diagnostics-cases.ts";

const update = process.env["UPDATE_EXPECTED"] === "1";
/** The codes of mistakes in a spec: those about files and settings have their cases in test/cases/generate. */
const allCodes = Object.keys(specCodes).toSorted();
const cases = globSync("*/", { cwd: casesFolder }).filter((name) => name !== "base");

describe("a mistake in a spec is shown where it is", () => {
  test.each(cases)("%s", (name) => {
    const folder = join(casesFolder, name);
    const expectedFile = join(folder, "expected.txt");
    const printed = `${printedFor(projectOf(folder))}\n`;
    if (update) writeFileSync(expectedFile, printed);
    expect(existsSync(expectedFile)).toBe(true);
    expect(printed).toBe(readFileSync(expectedFile, "utf8"));
  });

  test("every code has a case that shows it, and every case is named after a code", () => {
    const codes: readonly string[] = allCodes;
    expect(cases.filter((name) => !codes.includes(name))).toEqual([]);
    const shown = cases.filter((name) =>
      readFileSync(join(casesFolder, name, "expected.txt"), "utf8").includes(` ${name}: `),
    );
    expect(codes.filter((code) => !shown.includes(code))).toEqual([]);
  });

  test("of a protocol that there is not, nothing else is held against the spec", () => {
    const text = "interface:\n  name: notes\n  wire: { protocol: json-rpc-2, http: { path: /notes } }\n";
    const files = new Map([["notes/interface.yaml", `${text}methods:\n  list: { result: integer }\n`]]);
    const { diagnostics } = loadServiceModel("notes", readerOf(files));
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["unknown-value", "did you mean `json-rpc-2.0`?"],
    ]);
  });

  test("the spec that cases are laid over has no mistakes", () => {
    expect(loadServiceModel("library", readerOf(baseProject())).diagnostics).toEqual([]);
  });
});

describe("explain", () => {
  test.each(allCodes)("%s: the wrong example is wrong in just that way, the right one is right", (code) => {
    const explanation = explain(code);
    if (explanation === undefined) throw new Error("no explanation");
    const wrong = found(fragmentProject(code, explanation.wrong)).map((diagnostic) => diagnostic.code);
    expect(wrong).toContain(code);
    const right = found(fragmentProject(code, explanation.right));
    expect(right.filter((diagnostic) => diagnostic.code === code)).toEqual([]);
    const errors = right.filter(({ severity, span }) => severity === "error" && isOwn(span));
    expect(errors).toEqual([]);
  });

  test("prints the rule and both examples", () => {
    const explanation = explain("unknown-type");
    if (explanation === undefined) throw new Error("no explanation");
    const text = renderExplanation(explanation);
    expect(text).toContain("unknown-type (error)");
    expect(text).toContain("    types:\n      Shelf:");
  });

  test("an unknown code has no explanation", () => {
    expect(explain("toString")).toBeUndefined();
  });
});

describe("what programs are told", () => {
  test("positions of start and end, the hint, and the related place", () => {
    const files = new Map([
      ...baseProject(),
      ["library/z.yaml", "types:\r\n  Book:\r\n    doc: Again.\r\n    type: Bok\r\n"],
    ]);
    const { diagnostics } = loadServiceModel("library", readerOf(files));
    expect(diagnostics.map(diagnosticJson)).toEqual([
      {
        code: "duplicate-definition",
        severity: "error",
        message: "the type `Book` is defined twice",
        path: "library/z.yaml",
        start: { line: 2, column: 3 },
        end: { line: 2, column: 7 },
        hint: "keep one definition, or give this one another name",
        related: {
          path: "library/books.yaml",
          start: { line: 8, column: 3 },
          end: { line: 8, column: 7 },
          message: "first defined here",
        },
      },
    ]);
  });
});

/** The case's files over the base; a case that has a `library/` folder of its own stands alone. */
function projectOf(folder: string): ProjectFiles {
  const own = filesUnder(folder);
  const isWhole = [...own.keys()].some((path) => path.startsWith("library/"));
  if (isWhole) return own;
  return new Map([...baseProject(), ...[...own].map(([path, text]) => [`library/${path}`, text] as const)]);
}

function printedFor(files: ProjectFiles): string {
  return found(files)
    .map((diagnostic) => renderDiagnostic(diagnostic))
    .join("\n\n");
}

const baseInterface = parse(baseProject().get("library/interface.yaml") ?? "");

/** In the spec itself, not in one that it uses. */
function isOwn(span: Span | undefined): boolean {
  return span === undefined || span.source.path.startsWith("library/");
}

function found(files: ProjectFiles): readonly Diagnostic[] {
  const { value, diagnostics } = loadServiceModel("library", readerOf(files));
  if (value === undefined) return diagnostics;
  const emitters = [conformance, client].flatMap((emitter) => emitter.check?.(value) ?? []);
  return [...diagnostics, ...onePerItem([...sharedNames(value), ...emitters])];
}

/**
 * An example of `explain` as a project: the files that its `# path.yaml` lines name, over the base. Its statements
 * about an interface override those of the base. An example of a standard interface stands alone: the base speaks the
 * signed envelope.
 */
function fragmentProject(code: string, fragment: string): ProjectFiles {
  const base = baseProject();
  const standsAlone = code === "no-interface" || fragment.includes("json-rpc-2.0");
  const files = new Map(standsAlone ? [] : base);
  const parts = fragment.split(/^# (\S+\.yaml)\n/m);
  if (parts[0] !== "") files.set("library/zz-example.yaml", parts[0] ?? "");
  for (let at = 1; at < parts.length; at += 2) {
    const path = posix.join("library", parts[at] ?? "");
    const folder = posix.dirname(path);
    if (/-\d+\.\d+\.\d+$/.test(folder)) {
      for (const [file, text] of base) files.set(file.replace(/^library/, folder), text);
    }
    files.set(path, parts[at + 1] ?? "");
  }
  const { interface: whole } = structuredClone(baseInterface);
  const hasOwn = [...files].some(
    ([path, text]) =>
      path !== "library/interface.yaml" && path.startsWith("library/") && text.startsWith("interface:"),
  );
  if (hasOwn) files.delete("library/interface.yaml");
  if (code === "uses-ambiguous") delete whole.faults;
  for (const [path, text] of files) {
    if (!text.startsWith("interface:") || standsAlone) continue;
    const { interface: own, ...rest } = parse(text);
    files.set(path, stringify({ interface: { ...whole, ...own }, ...rest }));
  }
  return files;
}
