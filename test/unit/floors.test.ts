import { globSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { generatorFolders } from "../../generator/cli/generator-digest.ts";
import { importedFiles, importGraph, root, textOf, type ImportGraph } from "../import-graph.ts";

/**
 * The top folders, and what each may import beside itself: files whose paths begin with one of these. What lies where
 * inside a folder is free. Tests, benchmarks and `bin` may import everything.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  conformance: [],
  // What everyone needs.
  "conformance/base": [],
  generator: [
    "conformance/base/",
    "conformance/cases/",
    "conformance/exploration/rules.ts",
    "conformance/request/",
    "conformance/samples/",
    "conformance/suite/",
    "conformance/values/",
    "spec/schema/",
    // The command `ledger-rpc` has the tools' commands too, and its `diff` imports the documents of others.
    "tools/commands.ts",
    "tools/import/",
  ],
  ledger: ["generated/", "runtime/"],
  // The interface that it serves for every application.
  runtime: ["generated/admin/"],
  "templates/client": [],
  // A mock serves as the runtime does.
  tools: ["conformance/", "generator/", "runtime/"],
  web: [
    "generated/admin/client/",
    "generated/ledger/client/",
    "generated/operator/client/",
    "generated/partner/client/",
    "templates/client/",
  ],
};

/** The rooms of the runtime, floor by floor: a room imports those of its own floor and below. */
const runtimeFloors = [
  ["contract", "json", "platform"],
  ["protocol", "auth"],
  ["service"],
  ["transport"],
  // A service over HTTP needs nothing above.
  ["store"],
  ["pipeline"],
  ["events"],
  ["operations"],
  ["server", "index.ts", "testing.ts"],
  ["operations/cli"],
];

/** Files that nothing imports because a program or a folder that is discovered begins there. */
const entryPoints = [
  /^generator\/cli\/main\.ts$/,
  /^conformance\/package\/(?:cli|index|main)\.ts$/,
  /^generator\/targets\/[^/]+\/index\.ts$/,
  /^runtime\/(?:auth|protocol)\/[^/]+\/index\.ts$/,
  /^runtime\/(?:[^/]+|operations\/cli\/index|server\/administration|pipeline\/sqlite-store|transport\/http\/endpoint|transport\/(?:stdio|websocket)\/index)\.ts$/,
  /^ledger\/cli\/main\.ts$/,
  /^runtime\/.*-(?:thread|worker)\.ts$/,
  /\.d\.ts$/,
  /^web\/(?:console\/console|operator\/operator|partner\/partner|try\/(?:try|envelope|standard))\.ts$/,
];

const importsOf = importGraph(Object.keys(mayImport));
const files = [...importsOf.keys()];

describe("floors", () => {
  test.for(Object.entries(mayImport))("%s imports itself and what its line allows", ([folder, others]) => {
    const allowed = [`${folder}/`, ...others];
    const inFolder = [...importsOf].filter(([file]) => file.startsWith(`${folder}/`));
    expect(inFolder.length).toBeGreaterThan(5);
    const breaches = inFolder.flatMap(([file, imports]) =>
      imports
        .filter((imported) => !allowed.some((start) => imported.startsWith(start)))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(folder === "runtime" ? [...breaches, ...stepsUp(inFolder)] : breaches).toEqual([]);
  });

  test("the bank imports what the rooms of the runtime export", () => {
    const inner = [...importsOf].flatMap(([file, imports]) =>
      imports
        .filter((imported) => file.startsWith("ledger/") && /^runtime\/.*(?<!\/index\.ts)$/.test(imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(inner).toEqual([]);
  });

  test("the generated service imports only the runtime's contract, its client nothing", () => {
    const breaches = [];
    for (const file of globSync("generated/**/*.{ts,js}", { cwd: root })) {
      const own = file.includes("/client/") ? posix.dirname(file) : file.split("/").slice(0, 2).join("/");
      for (const imported of importedFiles(file)) {
        if (imported.startsWith(`${own}/`) || imported === "runtime/contract/index.ts") continue;
        breaches.push(`${file} imports ${imported}`);
      }
    }
    expect(breaches).toEqual([]);
  });

  test("every module that decides what a spec becomes is in the digest of the generator", () => {
    const reached = new Set(["generator/cli/build-plan.ts", "tools/built.ts"]);
    for (const target of globSync("generator/targets/*/index.ts", { cwd: root })) reached.add(target);
    for (const file of reached) for (const imported of importsOf.get(file) ?? []) reached.add(imported);
    const isCounted = (file: string) => generatorFolders.some((folder) => file.startsWith(`${folder}/`));
    expect([...reached].filter((file) => !isCounted(file))).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    expect(circlesOfFiles(importsOf)).toEqual([]);
    expect(circlesOfFiles(importGraph(["bench", "bin", "generated", "test"]))).toEqual([]);
  });

  test("every file is used", () => {
    const used = new Set([...importsOf.values()].flat());
    const dead = files.filter((file) => !used.has(file) && !entryPoints.some((entry) => entry.test(file)));
    // Emitters copy the modules of a client by their names; kinds of schemes name some.
    const emitters = files
      .filter((file) =>
        /^(?:generator\/protocols|generator\/targets|conformance\/request\/schemes)\//.test(file),
      )
      .map(textOf)
      .join("\n");
    const isCopied = (file: string): boolean =>
      file.startsWith("templates/client/") &&
      [posix.basename(file), posix.relative("templates/client", file)].some((name) =>
        emitters.includes(`"${name}"`),
      );
    expect(dead.filter((file) => !isCopied(file))).toEqual([]);
  });
});

/** Imports of a room on a floor above. */
function stepsUp(
  inRuntime: Iterable<readonly [file: string, imports: readonly string[]]>,
): readonly string[] {
  const floorOf = (file: string): number => {
    const [, room = "", inner = ""] = file.split("/");
    const isOn = (rooms: readonly string[]) => rooms.includes(`${room}/${inner}`);
    const within = runtimeFloors.findIndex(isOn);
    return within >= 0 ? within : runtimeFloors.findIndex((rooms) => rooms.includes(room));
  };
  return [...inRuntime].flatMap(([file, imports]) => {
    if (floorOf(file) < 0) return [`${file} is on no floor`];
    const above = imports.filter(
      (imported) => imported.startsWith("runtime/") && floorOf(imported) > floorOf(file),
    );
    return [...new Set(above)].map((imported) => `${file} imports ${imported}`);
  });
}

/** Circles of files. */
function circlesOfFiles(graph: ImportGraph): readonly string[] {
  const all = [...graph.keys()];
  const importedBy = (file: string): readonly string[] => graph.get(file) ?? [];
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (one: string, path: readonly string[]): void => {
    const at = path.indexOf(one);
    if (at >= 0) {
      found.push([...path.slice(at), one].join(" → "));
      return;
    }
    if (done.has(one)) return;
    for (const imported of importedBy(one)) visit(imported, [...path, one]);
    done.add(one);
  };
  for (const one of all) visit(one, []);
  return found;
}
