import { expect, test } from "vitest";
import { diffModels, renderMigration, versionAdvice } from "../../generator/diff/index.ts";
import {
  createReporter,
  diagnosticOf,
  renderDiagnostic,
} from "../../generator/language/diagnostics/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";

const own =
  "interface:\n  name: tasks\n  title: Tasks\n  revision: 1.0.0\n  doc: Keeps tasks.\n  wire: { protocol: json-rpc-2.0 }\n";

function list(payload: string, result = "string", more = ""): string {
  return `methods:\n  list:\n    doc: Lists.\n    effect: read\n    payload: ${payload}\n    result: ${result}\n${more}`;
}

function types(count: number, typeOf: (at: number) => string): string {
  return `types:\n${Array.from({ length: count }, (_, at) => `  T${at}: { doc: A type., ${typeOf(at)} }\n`).join("")}`;
}

function repeated(count: number, textOf: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => textOf(at)).join("");
}

/** Sizes that a spec chooses: each is answered at a place, before anything of that size is made. */
test.each([
  [
    "a chain of 10,000 names for one type",
    list("{ fields: [] }", "T0") +
      types(10_000, (at) => (at === 9_999 ? "type: string" : `type: T${at + 1}`)),
    "types-too-deep",
  ],
  [
    "a group of 2,000 fields",
    list(
      `{ fields: [${repeated(2_000, (at) => `{ name: f${at}, type: string, optional: true, doc: A field. }, `)}], exactlyOneOf: [[${repeated(2_000, (at) => `f${at}, `)}]] }`,
    ),
    "groups-too-large",
  ],
  [
    "2,000 names of types that there are not",
    types(2_000, (at) => `fields: [{ name: a, type: Typo${at}, doc: A field. }], keep: true`),
    "unknown-type",
  ],
  [
    "8,000 keys that the language does not know, each with an anchor",
    list("{ fields: [] }") + repeated(8_000, (at) => `x${at}: &a${at} 1\n`),
    "unknown-key",
  ],
  [
    "aliases of aliases",
    `${list("{ fields: [] }")}rules:\n  a0: &a0 [1]\n${repeated(40, (at) => `  a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}]\n`)}`,
    "yaml-anchor",
  ],
  ["a pattern of 100,000 characters", list(text(`pattern: "^${"a".repeat(100_000)}$"`)), "pattern-slow"],
  [
    "50,000 groups of a pattern in one another",
    list(text(`pattern: "^${"(".repeat(50_000)}${")".repeat(50_000)}$"`)),
    "pattern-invalid",
  ],
  ["a quantifier of 10 million", list(text('pattern: "^a{10000000}$"')), "value-too-large"],
  ["a text of 10 million characters", list(text("minLength: 10000000")), "value-too-large"],
  [
    "10 million items, of an optional field's type",
    `${list("{ fields: [{ name: a, type: T, optional: true, doc: A list. }] }")}types:\n  T: { doc: A list., type: array of string, minItems: 10000000 }\n`,
    "value-too-large",
  ],
  [
    "objects that double 40 times",
    list("{ fields: [] }", "T0") +
      types(41, (at) =>
        at === 40
          ? "type: string"
          : `fields: [{ name: a, type: T${at + 1}, doc: A. }, { name: b, type: T${at + 1}, doc: B. }]`,
      ),
    "value-too-large",
  ],
  ["brackets in brackets", `${list("{ fields: [] }")}rules: ${"[".repeat(100_000)}\n`, "yaml-too-deep"],
  ["parentheses of a type", list("{ fields: [] }", `"${"(".repeat(50_000)}"`), "type-syntax"],
])("%s: at a place, and soon", (_what, text, code) => {
  const before = process.cpuUsage();
  const { value, diagnostics } = loadServiceModel("tasks", () => [sourceText("tasks/t.yaml", own + text)]);
  const { user } = process.cpuUsage(before);
  expect(value).toBeUndefined();
  const found = diagnostics.find((each) => each.code === code);
  expect(found?.span?.source.path, diagnostics[0]?.code).toBe("tasks/t.yaml");
  // Whole seconds even on a busy machine would be the size itself: it was 20 s and 2 GB.
  expect(user).toBeLessThan(5_000_000);
});

const long = "x".repeat(100_000);

test.each([
  ["a type that there is not", list("{ fields: [] }", long), "unknown-type"],
  [
    "a key that there is not",
    `${list("{ fields: [] }")}rules: { r: { doc: R., ${long}: 1 } }\n`,
    "unknown-key",
  ],
  ["a pattern", list(text(`pattern: "^${long}$"`)), "pattern-slow"],
  [
    "a state that there is not",
    `${list("{ fields: [] }", "S")}types:\n  S: { doc: S., enum: [{ value: a, doc: A. }] }\nstates:\n  M: { doc: M., type: S, transitions: [{ from: "${long}", to: a }] }\n`,
    "state-unknown",
  ],
])("%s of 100,000 characters: a message holds its beginning, and what to do", (_what, text, code) => {
  const { diagnostics } = loadServiceModel("tasks", () => [sourceText("tasks/t.yaml", own + text)]);
  const found = diagnostics.find((each) => each.code === code);
  expect(found?.hint).toBeDefined();
  expect(found && renderDiagnostic(found).length).toBeLessThan(1_000);
});

/** Comparing revisions takes time in proportion to their size, not to its square. */
test.each([
  ["5,000 fields with other names", (name: string) => list(`{ fields: [${fieldsCalled(name)}] }`)],
  [
    "5,000 values with other names",
    (name: string) =>
      `${list("{ fields: [] }", "E")}types:\n  E: { doc: E., enum: [${repeated(5_000, (at) => `{ value: ${name}${at}, doc: V. }, `)}] }\n`,
  ],
  [
    "2,000 types with other names",
    (name: string) =>
      `${list("{ fields: [] }")}${types(2_000, (at) => `fields: [{ name: ${name}${at}, type: string, doc: F. }], keep: true`).replaceAll("  T", `  ${name.toUpperCase()}`)}`,
  ],
  [
    "2,000 rules in other words",
    (name: string) =>
      `${list("{ fields: [] }")}rules:\n${repeated(2_000, (at) => `  ${name}-${String(at).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)))}: { doc: It is ${name} ${at}. }\n`)}`,
  ],
  [
    "moves from any of 1,000 states to any",
    (name: string) =>
      `${list("{ fields: [] }", "S")}types:\n  S: { doc: S., enum: [${repeated(1_000, (at) => `{ value: s${at}, doc: S. }, `)}] }\nstates:\n  M:\n    doc: M.\n    type: S\n    transitions:\n${repeated(20, (at) => `      - { from: any, to: requested, condition: ${name}${at} }\n`)}`,
  ],
  [
    "2,000 alternatives in another order",
    (name: string) =>
      `${list("{ fields: [] }", "U")}${types(2_000, (at) => `fields: [{ name: f${at}, type: string, doc: F. }]`)}  U: { doc: U., type: "${Array.from({ length: 2_000 }, (_, at) => `T${name === "a" ? at : 1_999 - at}`).join("|")}" }\n`,
  ],
])("%s: compared soon", (_what, textOf) => {
  const [old, recent] = ["a", "b"].map((name) => {
    const { value, diagnostics } = loadServiceModel("tasks", () => [
      sourceText("tasks/t.yaml", own + textOf(name)),
    ]);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return value;
  });
  const before = process.cpuUsage();
  if (old !== undefined && recent !== undefined) diffModels(old, recent);
  // Seconds even on a busy machine would be the square: it was 8 to 120 s, and more moves than a set holds.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

test("a note on 1,600 changes, each reached from 800 methods: written soon", () => {
  const [old, recent] = ["string", "integer"].map((type) => {
    const methods = repeated(800, (at) => `  m${at}: { payload: T${at}, result: T${at} }\n`);
    const linked = types(
      800,
      (at) =>
        `fields: [{ name: a, type: ${type} }, { name: b, type: T${(at * 7 + 1) % 800}, optional: true }]`,
    );
    const text = `interface: { name: tasks, wire: { protocol: json-rpc-2.0 } }\nmethods:\n${methods}${linked}`;
    return loadServiceModel("tasks", () => [sourceText("tasks/t.yaml", text)]).value;
  });
  if (old === undefined || recent === undefined) throw new Error("the specs have mistakes");
  const changes = diffModels(old, recent);
  const side = { label: "tasks", revision: "1.0.0" };
  const version = versionAdvice(changes, "1.0.0");
  const diff = { name: "tasks", interfaceName: "tasks", old: side, new: side, changes, version };
  const before = process.cpuUsage();
  const note = renderMigration([{ diff, revisions: { old, new: recent } }]);
  expect(note.match(/^### /gm)?.length).toBe(1_600);
  // It was 8 s.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

function fieldsCalled(name: string): string {
  return repeated(5_000, (at) => `{ name: ${name}${at}, type: string, optional: true, doc: F. }, `);
}

test("the numbers of a revision are few enough digits to be compared", () => {
  const text = own.replace("1.0.0", "9007199254740993.0.0") + list("{ fields: [] }");
  const { diagnostics } = loadServiceModel("tasks", () => [sourceText("tasks/t.yaml", text)]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["revision-format"]);
});

test("as many diagnostics as a file has words are no more than a call's arguments", () => {
  const reporter = createReporter();
  reporter.add(Array.from({ length: 200_000 }, () => diagnosticOf("file-empty", {}, { path: "t.yaml" })));
  expect(reporter.diagnostics.length).toBe(200_000);
});

function text(constraint: string): string {
  return `{ fields: [{ name: a, type: string, doc: A text., ${constraint} }] }`;
}

test.each(["^(?!no$)[a-z]{1,9}$", "^(?:a{10000000}|b)$", "^\\p{Script=Greek}{3}$", "^[😀-😂]$", "^(?:|a)$"])(
  "%s has a sample",
  (pattern) => {
    const constraint = JSON.stringify(pattern);
    const { diagnostics } = loadServiceModel("tasks", () => [
      sourceText("tasks/t.yaml", own + list(text(`pattern: ${constraint}`))),
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
  },
);
