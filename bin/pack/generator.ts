import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  readdirSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { bundleProgram } from "./bundle.ts";
import { compileForNode, dependenciesOf } from "./compile.ts";
import { emptyFolder, packed, type PackOptions, readManifest, writePackage } from "../../tools/pack/pack.ts";
import { root } from "./folder.ts";
import Handlebars from "handlebars";
import { emitterNames } from "../../generator/targets/index.ts";
import { pageOptions, templateFolder, textOptions } from "../../generator/print/compiled-templates.ts";

/** Packs `ledger-rpc`: the generator, its templates and the conformance runner. Gives the path of the tarball. */
export async function packGenerator(options: PackOptions): Promise<string> {
  const folder = emptyFolder(options, "ledger-rpc");
  const compiled = join(folder, "compiled");
  mkdirSync(compiled);
  const sources = ["generator/**/*.ts", "runtime/contract/raw-json.d.ts"];
  compileForNode(
    compiled,
    root,
    sources.map((pattern) => join(root, pattern)),
  );
  for (const [path, text] of Object.entries(packedModules(compiled)))
    writeFileSync(join(compiled, path), text);
  const dependencies = dependenciesOf(compiled);
  await bundleProgram(folder, "generator/cli/main.js", compiled);
  copyChecker(folder);
  copyDocs(folder);
  copyDeclarations(compiled, join(folder, "types"), emitterTypes);
  rmSync(compiled, { recursive: true });
  for (const path of ["templates", "spec/schema", "conformance/report/page", "web/shared", "web/try"])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  cpSync(join(root, "runtime/contract"), join(folder, "contract"), { recursive: true });
  for (const file of ["launch.mjs", "ledger-rpc.mjs"])
    cpSync(join(root, "bin", file), join(folder, "bin", file));
  const version = options.version ?? readManifest(root).version;
  const manifest = {
    name: "ledger-rpc",
    version,
    description:
      "Generates validators, types, handlers, clients and conformance tests from a JSON-RPC spec in YAML",
    type: "module",
    engines: { node: ">=22.12" },
    bin: { "ledger-rpc": "bin/ledger-rpc.mjs" },
    exports: {
      // The exports for a project's module that is a target: types alone.
      "./emitter": { types: `./types/${emitterTypes}` },
      "./package.json": "./package.json",
    },
    files: [
      "SECURITY.md",
      "bin",
      "bundle",
      "conformance",
      "contract",
      "copied",
      "docs",
      "generator",
      "spec",
      "templates",
      "types",
      "web",
    ],
    dependencies,
    projectVersions: projectVersions(),
  };
  await writePackage(folder, manifest, { "README.md": readme(version) }, options);
  return packed(folder);
}

const emitterTypes = "generator/targets/emitter.d.ts";

/** Copies declarations with all that they import. */
function copyDeclarations(from: string, to: string, path: string): void {
  const target = join(to, path);
  if (existsSync(target)) return;
  const text = readFileSync(join(from, path), "utf8");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  for (const [, imported = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
    copyDeclarations(from, to, `${join(dirname(path), imported)}.d.ts`);
}

/** Packages that the templates of projects name, in the versions that this repository tests. */
function projectVersions(): Readonly<Record<string, string>> {
  const { dependencies = {}, devDependencies = {} } = readManifest(root);
  const named = globSync("templates/project/*/template.json", { cwd: root }).flatMap((file) => {
    const template: Template = JSON.parse(readFileSync(join(root, file), "utf8"));
    return [...(template.dependencies ?? []), ...(template.devDependencies ?? [])];
  });
  const names = [...new Set(["@types/node", "typescript", ...named])].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const version = dependencies[name] ?? devDependencies[name];
      if (version === undefined)
        throw new Error(`a template needs ${name}, but package.json does not list it`);
      return [name, version];
    }),
  );
}

interface Template {
  readonly dependencies?: readonly string[];
  readonly devDependencies?: readonly string[];
}

const readme = (version: string): string => `# ledger-rpc

Generates validators, types, handler stubs, a client, a conformance suite, OpenAPI, OpenRPC and JSON Schema from a spec in
YAML.

\`\`\`sh
npm install ./ledger-rpc-${version}.tgz
cp -R node_modules/ledger-rpc/contract contract     # the few types that generated code imports: yours from then on
npx --no-install ledger-rpc generate                # writes what ledger-rpc.yaml asks for
npx --no-install ledger-rpc check                   # in CI: exit 1 and a diff when generated code is out of date
npx --no-install ledger-rpc diff HEAD               # what an edit changes, and which callers it breaks
npx --no-install ledger-rpc conform --help          # tests a running service of an interface
npx --no-install ledger-rpc --help
\`\`\`

\`ledger-rpc.yaml\`, beside your specs:

\`\`\`yaml
specs:
  - spec: spec/notes
    out: generated/notes
    handlers: handlers/notes
contract: contract/index.ts
\`\`\`

The documentation is in the package: \`docs/README.md\` is its index, \`docs/spec-language.md\` has every key of a spec.
Node 22.12 or later.
`;

/**
 * Modules that the package replaces, by path, because what they find out at run time is known when it is packed.
 * `compiled` is the folder of the compiled modules.
 */
function packedModules(compiled: string): Readonly<Record<string, string>> {
  return {
    ...protocolTables(compiled),
    "generator/targets/folders.js": foldersModule(emitterNames()),
    "generator/targets/emitters.js": emittersModule(emitterNames()),
    "generator/print/compiled-templates.js": templatesModule(),
    "generator/language/patterns/load-checker.js": checkerModule,
  };
}

/** The folder of the package with what it copies of others. */
const copiesFolder = "copied";

/**
 * Copies the one file of recheck that is used. As a dependency, recheck brings a Java archive and a native program of
 * 52 MB.
 */
function copyChecker(folder: string): void {
  const source = join(root, "node_modules/recheck");
  const target = join(folder, copiesFolder, "recheck");
  mkdirSync(target, { recursive: true });
  cpSync(join(source, "lib/browser.js"), join(target, "browser.cjs"));
  cpSync(join(source, "LICENSE"), join(target, "LICENSE"));
}

const checkerModule = `import { createRequire } from "node:module";
import { join } from "node:path";
const path = join(import.meta.dirname, "../../../${copiesFolder}/recheck/browser.cjs");
export const loadChecker = () => createRequire(import.meta.url)(path);
`;

/** In place of the folders: a list of the emitters, which are one module, as a module each costs a start. */
function foldersModule(names: readonly string[]): string {
  return `export const emitterNames = () => ${JSON.stringify(names)};
export const importEmitter = async (name) => (await import("./emitters.js")).emitters[name];
`;
}

/** The tables of protocols, which import the modules that they find in a clone. */
function protocolTables(compiled: string): Readonly<Record<string, string>> {
  const folder = "generator/protocols";
  const tables = globSync(`${folder}/*.js`, { cwd: compiled }).map((file) => {
    const text = readFileSync(join(compiled, file), "utf8");
    const part = /await modulesOf\("(\w+)"\)/.exec(text)?.[1];
    const found =
      part === undefined ? [] : globSync(`*/${part}.js`, { cwd: join(compiled, folder) }).toSorted();
    const imports = found.map((path, at) => `import * as p${at} from "./${path.replaceAll("\\", "/")}";\n`);
    const list = `[${found.map((_, at) => `p${at}`).join(", ")}]`;
    return [
      file.replaceAll("\\", "/"),
      imports.join("") + text.replace(/await modulesOf\("\w+"\)/, list),
    ] as const;
  });
  return Object.fromEntries(tables);
}

function emittersModule(names: readonly string[]): string {
  const imports = names.map((name, at) => `import * as e${at} from "./${name}/index.js";\n`);
  const entries = names.map((name, at) => `${JSON.stringify(name)}: e${at}`);
  return `${imports.join("")}export const emitters = { ${entries.join(", ")} };\n`;
}

/** In place of templates as texts: compiled ones, without the compiler. */
function templatesModule(): string {
  const pages = join(templateFolder, "reference");
  const texts = globSync("**/*.hbs", {
    cwd: templateFolder,
    exclude: ["reference/**/*.html.hbs", "**/partials/**"],
  });
  const partials = readdirSync(join(pages, "partials"));
  return `import { join } from "node:path";
import Handlebars from "handlebars/runtime.js";
export const templateFolder = join(import.meta.dirname, "../../templates");
const handlebars = Handlebars.create();
const texts = ${entries(templateFolder, texts, ".hbs", textOptions)};
const pages = ${entries(pages, globSync("**/*.html.hbs", { cwd: pages }), ".html.hbs", pageOptions)};
const partials = ${entries(join(pages, "partials"), partials, ".hbs", pageOptions)};
for (const [name, partial] of Object.entries(partials)) handlebars.registerPartial(name, handlebars.template(partial));
export const textTemplate = (name) => Handlebars.template(texts[name]);
export const pageTemplate = (name) => handlebars.template(pages[name]);
`;
}

/** Compiled templates by their names, as the text of an object. */
function entries(folder: string, files: readonly string[], ending: string, options: object): string {
  const specs = files.toSorted().map((file) => {
    const name = file.slice(0, -ending.length).replaceAll("\\", "/");
    return `  ${JSON.stringify(name)}: ${Handlebars.precompile(readFileSync(join(folder, file), "utf8"), options)},\n`;
  });
  return `{\n${specs.join("")}}`;
}

/** Files outside `docs/` that a package has, too, and that pages may link to. */
const beside = ["README.md", "SECURITY.md"];

/** The pages of `docs/` as a package has them, by path: what they link to is in the package, or is no link. */
export function packedPages(): ReadonlyMap<string, string> {
  const files = globSync("docs/**/*", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  const present = new Set([...files, ...beside]);
  const pages = files.filter((file) => file.endsWith(".md"));
  return new Map(
    pages.map((page) => {
      const text = readFileSync(join(root, page), "utf8");
      const linked = text.replaceAll(
        /\[([^\]\n]+)\]\(([^)\s]+)\)/g,
        (link, shown: string, target: string) => {
          const [path = ""] = target.split("#");
          const isThere =
            /^[a-z]+:/.test(target) || path === "" || present.has(posix.join(posix.dirname(page), path));
          return isThere ? link : shown;
        },
      );
      return [page, linked];
    }),
  );
}

/** Copies the docs, with their pictures, into the folder of a package. */
function copyDocs(folder: string): void {
  cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true });
  cpSync(join(root, "SECURITY.md"), join(folder, "SECURITY.md"));
  for (const [page, text] of packedPages()) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), text);
  }
}
