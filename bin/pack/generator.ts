import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleProgram } from "./bundle.ts";
import { compileForNode, dependenciesOf } from "./compile.ts";
import { emptyFolder, packed, readManifest, writePackage, type PackOptions } from "../../tools/pack/index.ts";
import { copyDocs } from "./docs.ts";
import { root } from "./folder.ts";
import { copyChecker, packedModules } from "./generator-modules.ts";

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
