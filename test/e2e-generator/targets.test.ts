import fs, { statSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadConfig } from "../../generator/cli/config.ts";
import { generatorFolders } from "../../generator/cli/generator-digest.ts";
import { build, builtParts } from "../../tools/built.ts";
import { createProject, repository, type Project } from "./project.ts";

/** A module that gives what a file beside it lists. */
const columnsOfText = `import { readFileSync } from "node:fs";
const text = readFileSync(new URL("./columns.txt", import.meta.url), "utf8");
export const columns = text.split(",");
`;

let project: Project;
beforeEach(() => (project = createProject(join(repository, "test/cases/generate/base"))));
afterEach(() => project.dispose());

const spec = "specs:\n  - { spec: spec/notes, out: generated/notes, handlers: handlers/notes }\n";

describe("a command", () => {
  test.for([
    ["pack", 1, "there is no generated client: add the target `client`, and generate"],
    ["pack --name one", 2, "--name names one package: give --scope for several"],
    ["collection postman --access access.json", 2, "choose one with --spec, notes or other"],
    [`init ${"a".repeat(65)}`, 2, "is no name of a project"],
  ] as const)("says why it does nothing: %s", async ([command, code, reason]) => {
    project.write("ledger-rpc.yaml", `${spec}${spec.replaceAll("notes", "other").replace("specs:\n", "")}`);
    project.write("spec/other/other.yaml", "interface: { name: other }\n");
    for (const name of command === "pack" ? [] : ["notes", "other"])
      project.write(`generated/${name}/client/package.json`, "{}");
    const { exitCode, stderr } = await project.run(command.split(" "));
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(code);
  });

  test.for([
    [0, "is older than this generator (contract 0, not 1)"],
    [1, undefined],
    [2, undefined],
    [3, "is newer than this generator (contract 3, not 1)"],
  ] as const)("upgrade looks at the installed runtime of contract %i", async ([contract, advice]) => {
    project.write("package.json", "{}");
    project.write(
      "node_modules/ledger-rpc-runtime/package.json",
      JSON.stringify({ name: "ledger-rpc-runtime", ledgerRpc: { contract } }),
    );
    const { stdout } = await project.run(["upgrade"]);
    if (advice === undefined) expect(stdout).not.toContain("than this generator");
    else expect(stdout).toContain(advice);
  });
});

describe("a project", () => {
  test("gets what `targets` asks for and what that needs, and loses the rest when it asks for less", async () => {
    await generated(`${spec}contract: runtime/contract/index.ts\n`);
    expect(entries()).toEqual(
      expect.arrayContaining(["client", "conformance", "openapi.json", "schemas.ts"]),
    );
    await generated(`${spec}contract: runtime/contract/index.ts\ntargets: [methods, handlers]\n`);
    const service = ["errors.ts", "handlers.ts", "manifest.json", "methods.ts", "shapes.ts", "types.ts"];
    expect(entries()).toEqual([...service, "validators"]);
    expect([...project.state().keys()]).toContain("handlers/notes/index.ts");
  });

  test("may have a client and no handlers", async () => {
    await generated("specs:\n  - { spec: spec/notes, out: generated/notes }\ntargets: [client]\n");
    expect(entries()).toEqual(["client", "manifest.json"]);
    expect([...project.state().keys()].filter((path) => path.startsWith("handlers/"))).toEqual([]);
  });

  test("may have targets for one spec, and its handlers where it likes", async () => {
    const own = "  - { spec: spec/notes, out: generated/notes, targets: [handlers] }\n";
    await generated(`specs:\n${own}contract: runtime/contract/index.ts\ntargets: [client]\n`);
    expect(entries()).toEqual(["errors.ts", "handlers.ts", "manifest.json", "types.ts", "validators"]);
    expect([...project.state().keys()].filter((path) => /(?:^|\/)handlers\//.test(path))).toEqual([]);
  });

  test("gets a fake of the service where `fakes` is asked for", async () => {
    const folder = "generated/notes/client";
    const files = ["testing.ts", "examples.ts", "fake-service.ts"].map((name) => `${folder}/${name}`);
    const paths = (): readonly string[] => [...project.state().keys()].filter((path) => files.includes(path));
    const offered = () => [project.read(`${folder}/package.json`), project.read(`${folder}/README.md`)];
    await generated("specs:\n  - { spec: spec/notes, out: generated/notes }\ntargets: [fakes]\n");
    expect(paths().toSorted()).toEqual(files.toSorted());
    for (const text of offered()) expect(text).toContain("/testing");
    expect(entries()).toEqual(["client", "manifest.json"]);
    await generated("specs:\n  - { spec: spec/notes, out: generated/notes }\ntargets: [client]\n");
    expect(paths()).toEqual([]);
    for (const text of offered()) expect(text).not.toContain("/testing");
  });

  test("gets schemas of zod beside the client where `zod` is asked for, and names zod nowhere else", async () => {
    const folder = "generated/notes/client";
    const withSchemas = (): readonly string[] =>
      [...project.state().keys()].filter(
        (path) => path.startsWith(folder) && project.read(path).includes("zod"),
      );
    await generated("specs:\n  - { spec: spec/notes, out: generated/notes }\ntargets: [client, zod]\n");
    expect(withSchemas().toSorted()).toEqual(
      ["README.md", "package.json", "schemas.ts"].map((name) => `${folder}/${name}`),
    );
    await generated("specs:\n  - { spec: spec/notes, out: generated/notes }\ntargets: [client, fakes]\n");
    expect(withSchemas()).toEqual([]);
  });

  test("gets schemas of zod with what they call, and no validators", async () => {
    await generated(`${spec}targets: [zod]\n`);
    expect(entries()).toEqual(["manifest.json", "schemas.ts", "validators"]);
    const shared = [...project.state().keys()].filter((path) => path.includes("/validators/"));
    expect(shared.toSorted()).toEqual(
      ["support.d.ts", "support.js"].map((name) => `generated/notes/validators/${name}`),
    );
  });

  test("has what it lists as `built` built when its spec has changed, and only then", async () => {
    const own = spec.replace(" }", ", built: [openrpc] }");
    const config = `${own}contract: runtime/contract/index.ts\nbuilt: [conformance, json-schema, reference]\n`;
    await generated(config);
    const left = ["conformance", "json-schema.json", "openrpc.json"];
    expect(entries().filter((name) => left.includes(name))).toEqual([]);
    const { value: loaded } = loadConfig(join(project.root, "ledger-rpc.yaml"));
    if (loaded === undefined) throw new Error("the config has errors");
    const write = () => build(loaded, builtParts(loaded));
    const written = () =>
      [...project.state().keys()]
        .filter((path) => /\/(?:conformance\/|reference\/|json-schema\.json|openrpc\.json)/.test(path))
        .map((path) => [path, statSync(join(project.root, path), { bigint: true }).mtimeNs] as const);
    expect(await write()).toBeUndefined();
    const first = written();
    expect(first.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        "generated/notes/conformance/suite.json",
        "generated/notes/json-schema.json",
        "generated/notes/openrpc.json",
        "generated/notes/reference/index.html",
      ]),
    );
    expect(await write()).toBeUndefined();
    expect(written()).toEqual(first);
    const file = "spec/notes/interface.yaml";
    project.write(file, project.read(file).replace(/^( *)title: .*$/m, "$1title: Other notes"));
    const read = await filesReadBy(write);
    expect(project.read("generated/notes/reference/index.html")).toContain("Other notes");
    // A changed module of a page is a changed generator.
    expect(read).toEqual(expect.arrayContaining(["web/shared/look.css", "web/shared/tokens.css"]));
    const counted = [...generatorFolders, "package.json", "package-lock.json"];
    expect(
      read.filter((path) => !counted.some((each) => path === each || path.startsWith(`${each}/`))),
    ).toEqual([]);
    for (const cut of ["", '{"folders":', '{"folders":["spec/notes"]}']) {
      project.write("generated/notes/conformance/.built.json", cut);
      project.write("generated/notes/conformance/suite.json", "old");
      expect(await write()).toBeUndefined();
      expect(project.read("generated/notes/conformance/suite.json")).not.toBe("old");
    }
    await generated(config);
    expect(JSON.parse(project.read("generated/notes/manifest.json")).files).not.toHaveProperty(
      "reference/index.html",
    );
    expect((await project.run(["check"])).exitCode).toBe(0);
  });

  test.for([
    ["columns.js", 'export const columns = ["type", "field"];\n', ""],
    ["columns.txt", "type,field", columnsOfText],
  ] as const)(
    "has a target of its own, printed again when %s beside it has changed",
    async ([file, text, reader]) => {
      const module = "emitters/csv.js";
      project.write("package.json", '{ "type": "module" }');
      if (reader !== "") project.write("emitters/columns.js", reader);
      project.write(`emitters/${file}`, text);
      project.write(module, csvEmitter);
      const config = `${spec}contract: runtime/contract/index.ts\ntargets: [types, ./${module}]\n`;
      await generated(config);
      expect(entries()).toEqual(["csv", "manifest.json", "types.ts"]);
      expect(project.read("generated/notes/csv/fields.csv")).toMatch(/^type,field\nNote,/);
      expect((await project.run(["check"])).stdout).toContain("up to date");
      project.write(`emitters/${file}`, text.replace("type", "of").replace("field", "name"));
      await generated(config);
      expect(project.read("generated/notes/csv/fields.csv")).toMatch(/^of,name\nNote,/);
      await generated(`${spec}contract: runtime/contract/index.ts\ntargets: [types]\n`);
      expect(entries()).toEqual(["manifest.json", "types.ts"]);
    },
  );

  test.for([
    ["export const emitters = [];", "it exports no `emitter` with a `name` and a function `emit`"],
    ["export const emitter = { name: 'types', emit: () => [] };", "there is a target `types` already"],
    [
      "export const emitter = { name: 'csv', needs: ['csv2'], emit: () => [] };",
      "it needs a target `csv2`, but",
    ],
    [
      "export const emitter = { name: 'csv', needs: 'types', emit: () => [] };",
      "`needs` must be a list of names",
    ],
    ["export const emitter = { name: 'csv', check: [], emit: () => [] };", "`check` must be a function"],
    [
      "export const emitter = { name: 'csv', check: () => ['no'], emit: () => [] };",
      "`check` returns no list of",
    ],
    ["export const emitter = { name: 'csv', emit: async () => [] };", "not a promise of them"],
    [
      "export const emitter = {\n  name: 'csv',\n  emit() {\n    throw new Error('no money');\n  },\n};",
      "no money (csv.js, line 4)",
    ],
    ["import './none.js';", "Cannot find module"],
    [files("'/types.ts'"), "it wants to write generated/notes/types.ts, which is not a file in its folder"],
    [files("'/csv/../../a'"), "it wants to write generated/notes/csv/../../a, which is not a file in"],
    [files("'/csv/'"), "it wants to write generated/notes/csv/, which is not a file in its folder"],
    [files("'/csv/\\0'"), "which is not a file in its folder"],
    [files("'/csv/a.ts', 'let'"), "generated/notes/csv/a.ts does not parse"],
    [files("'/csv/a', ''", "'/csv/A', ''"), "it wants to write generated/notes/csv/A twice"],
    [files("'/csv/a/b', ''", "'/csv/a', ''"), "generated/notes/csv/a both as a file and as a folder"],
    [files("'/csv/a', '', 'stub'"), "generated/notes/csv/a must be `owned`"],
  ] as const)("is told what is wrong with a target of its own: %s", async ([text, reason]) => {
    project.write("package.json", '{ "type": "module" }');
    project.write("emitters/csv.js", text);
    project.write(
      "ledger-rpc.yaml",
      `${spec}contract: runtime/contract/index.ts\ntargets: [./emitters/csv.js]\n`,
    );
    const { exitCode, stderr } = await project.run(["generate"]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("emitters/csv.js");
    expect(exitCode).toBe(1);
    expect(entries()).toEqual([]);
  });

  test("imports the contract from the package of the runtime, or from where it says", async () => {
    await generated(spec);
    expect(contractImports()).toEqual(["ledger-rpc-runtime/contract"]);
    await generated(`${spec}contract: "@my-team/rpc"\n`);
    // What is in a handler file stays: it is its author's.
    expect(contractImports()).toEqual(["@my-team/rpc", "ledger-rpc-runtime/contract"]);
  });

  test("imports its modules as its compiler takes it", async () => {
    project.write("tsconfig.base.json", '{ "compilerOptions": { "allowImportingTsExtensions": true } }\n');
    project.write("tsconfig.json", '{\n  // of the team\n  "compilerOptions": { "strict": true, },\n}\n');
    await generated(spec);
    expect(extensions()).toEqual([".js"]);
    expect((await project.run(["generate"])).stdout).toContain("up to date");
    project.write("tsconfig.json", '{ "extends": "./tsconfig.base.json" /* shared */ }\n');
    await generated(spec);
    // Validators are JavaScript.
    expect(extensions()).toEqual([".js", ".ts"]);
  });

  test("has the targets of its own that a spec lists for that spec alone", async () => {
    project.write("package.json", '{ "type": "module" }');
    project.write("emitters/one.js", files("'/csv/one.txt'"));
    project.write("emitters/two.js", files("'/csv/two.txt'"));
    project.write("spec/other/other.yaml", "interface: { name: other, wire: { protocol: json-rpc-2.0 } }\n");
    const own = "  - { spec: spec/notes, out: generated/notes, targets: [types, ./emitters/one.js] }\n";
    const other = "  - { spec: spec/other, out: generated/other }\n";
    await generated(`specs:\n${own}${other}targets: [types, ./emitters/two.js]\n`);
    const texts = () => [...project.state().keys()].filter((path) => path.endsWith(".txt"));
    expect(texts()).toEqual(["generated/notes/csv/one.txt", "generated/other/csv/two.txt"]);
    expect((await project.run(["check"])).exitCode).toBe(0);
  });

  test("has its new stubs, and what is added to its handlers, laid out by its own Prettier", async () => {
    project.write("package.json", "{}");
    symlinkSync(join(repository, "node_modules"), join(project.root, "node_modules"));
    project.write(".prettierrc", '{ "semi": false, "singleQuote": true }');
    project.write(".prettierignore", "handlers/notes/contexts.ts\n");
    await generated(spec);
    const [getNote, addNote] = ["get", "add"].map((verb) => `handlers/notes/note-service/${verb}-note.ts`);
    const stub = project.read(getNote ?? "");
    expect(stub).toContain("import { unimplemented } from 'ledger-rpc-runtime/contract'\n");
    expect(stub).toMatch(/\n {2}throw unimplemented\('NoteService\.GetNote'\)\n\}\n$/);
    // The generator owns the registry, and Prettier is told to leave the contexts alone.
    expect(project.read("handlers/notes/index.ts")).toContain('";\n');
    expect(project.read("handlers/notes/contexts.ts")).toContain("object;\n");

    // It knows its stubs again: one that nobody has written is replaced, and is not looked through for fields.
    project.write(addNote ?? "", `${project.read(addNote ?? "")}\nexport const again = addNote\n`);
    const notes = project.read("spec/notes/notes.yaml");
    const renamed = (verb: string) => `NoteService.${verb}Note:\n    renamedFrom: NoteService.`;
    project.write(
      "spec/notes/notes.yaml",
      notes
        .replace("NoteService.GetNote:", `${renamed("Read")}GetNote`)
        .replace("NoteService.AddNote:", `${renamed("Put")}AddNote`),
    );
    const run = await project.run(["generate"]);
    expect(run.stderr).not.toContain("field-unread");
    const moved = project.read("handlers/notes/note-service/read-note.ts");
    expect(moved).toBe(stub.replaceAll("GetNote", "ReadNote").replaceAll("getNote", "readNote"));
    expect(project.read("handlers/notes/note-service/put-note.ts")).toMatch(
      /\n\}\nexport \{ addNote as putNote \}\n\nexport const again = addNote\n$/,
    );
    expect((await project.run(["check"])).exitCode).toBe(0);
  });

  test.for(["{ semi: ", '{ "plugins": ["none-such"] }'])(
    "has its stubs laid out as the generator does where its Prettier fails: %s",
    async (config) => {
      project.write("package.json", "{}");
      symlinkSync(join(repository, "node_modules"), join(project.root, "node_modules"));
      project.write(".prettierrc", config);
      await generated(`${spec}targets: [methods, handlers]\n`);
      expect(project.read("handlers/notes/note-service/get-note.ts")).toContain('("NoteService.GetNote");\n');
    },
  );

  test("is told what is no target, and which contract is neither a module nor a package", async () => {
    project.write("ledger-rpc.yaml", `${spec}contract: runtime/contract\ntargets: [types, handler]\n`);
    const { exitCode, stderr } = await project.run(["generate"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("there is no target `handler`: there are `asyncapi`, `client`, ");
    expect(stderr).toContain("did you mean `handlers`?");
    expect(stderr).toContain("there is no module `runtime/contract`");
  });
});

/** An emitter of these files: of each the path below the output folder, its text, and perhaps the ownership. */
function files(...drafts: readonly string[]): string {
  const file = "([path, text = '', ownership = 'owned']) => ({ path: out + path, text, ownership })";
  const list = `[${drafts.map((draft) => `[${draft}]`).join(", ")}]`;
  return `export const emitter = { name: 'csv', emit: (_, { out }) => ${list}.map(${file}) };`;
}

const csvEmitter = `import { columns } from "./columns.js";
export const emitter = {
  name: "csv",
  emit(model, { out }) {
    const rows = model.types.flatMap(({ name, shape }) =>
      shape.kind === "object" ? shape.fields.map((field) => [name, field.name]) : [],
    );
    const text = [columns, ...rows].map((row) => row.join(",") + "\\n").join("");
    return [{ path: out + "/csv/fields.csv", text }];
  },
};
`;

async function generated(config: string): Promise<void> {
  project.write("ledger-rpc.yaml", config);
  const { exitCode, stderr } = await project.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
}

/** The files of this repository that a build reads. */
async function filesReadBy(write: () => Promise<string | undefined>): Promise<readonly string[]> {
  const read = vi.spyOn(fs, "readFileSync");
  syncBuiltinESMExports();
  try {
    expect(await write()).toBeUndefined();
    const paths = read.mock.calls.map(([file]) => relative(repository, String(file)).replaceAll("\\", "/"));
    return [...new Set(paths)].filter((path) => !/^(?:\.\.|\.cache|node_modules)\//.test(path));
  } finally {
    read.mockRestore();
    syncBuiltinESMExports();
  }
}

/** What lies directly in the output folder. */
function entries(): readonly string[] {
  const paths = [...project.state().keys()].filter((path) => path.startsWith("generated/notes/"));
  return [...new Set(paths.map((path) => path.split("/")[2] ?? ""))].toSorted();
}

/** Generated modules and stubs; the client imports no contract. */
function moduleTexts(): readonly (readonly [string, string])[] {
  const paths = [...project.state().keys()].filter((path) => /^(?:generated|handlers)\/.*\.ts$/.test(path));
  return paths.filter((path) => !path.includes("/conformance/")).map((path) => [path, project.read(path)]);
}

function specifiers(): readonly string[] {
  return moduleTexts().flatMap(([, text]) =>
    [...text.matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name),
  );
}

function contractImports(): readonly string[] {
  const names = specifiers().filter((name) => name.includes("rpc") || name.includes("contract"));
  return [...new Set(names)];
}

function extensions(): readonly string[] {
  const relative = specifiers().filter((name) => name.startsWith("."));
  return [...new Set(relative.map((name) => name.slice(name.lastIndexOf("."))))].toSorted();
}
