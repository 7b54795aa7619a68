/**
 * `npm run conformance:pack -- [interface …] [--scope scope] [--name name] [--out folder]`: packs what tries implementations of each interface,
 * `ledger` if none is named: `dist/ledger-conformance-1.0.11.tgz`, compiled, with the interface's cases inside. Prints
 * the path of each tarball; the package's files are in a folder beside it.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  addDocuments,
  compile,
  nameOptions,
  packed,
  publishedName,
  readManifest,
  root,
} from "./pack-folder.ts";

const compilerOptions = {
  target: "es2023",
  lib: ["es2024", "esnext"],
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  declaration: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...nameOptions, out: { type: "string", default: join(root, "dist") } },
});
const names = positionals.length === 0 ? ["ledger"] : positionals;
for (const name of names) console.log(await pack(name, resolve(values.out)));

/** Gives the path of the tarball. */
async function pack(name: string, out: string): Promise<string> {
  const source = join(root, "generated", name, "conformance");
  if (!existsSync(source))
    throw new Error(`${source} is missing: is ${name} an interface of ledger-rpc.yaml?`);
  const folder = join(out, `${name}-conformance`);
  const lib = join(folder, "lib");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "suite"), { recursive: true });
  mkdirSync(lib);
  const code = join(root, "conformance");
  compile(lib, { ...compilerOptions, rootDir: code }, [join(code, "**/*.ts")]);
  for (const file of globSync("**/*.d.ts", { cwd: lib })) {
    const text = readFileSync(join(lib, file), "utf8");
    writeFileSync(join(lib, file), text.replaceAll(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'));
  }
  cpSync(join(code, "report/page"), join(lib, "report/page"), { recursive: true });
  for (const file of ["suite.json", "cases.jsonl"]) cpSync(join(source, file), join(folder, "suite", file));
  await addDocuments(source, folder, ["README.md"], {
    name: publishedName(`${name}-conformance`, values),
    dependencies: dependenciesOf(lib),
  });
  return packed(folder);
}

/** What compiled modules import from elsewhere, in the versions that they are tried with here. */
function dependenciesOf(lib: string): Readonly<Record<string, string>> {
  const { dependencies = {}, devDependencies = {} } = readManifest(root);
  const imported = globSync("**/*.js", { cwd: lib }).flatMap((file) => {
    const found = readFileSync(join(lib, file), "utf8").matchAll(/(?:from |import\()"(@?[a-z][\w:/.-]*)"/g);
    return [...found].map(([, name = ""]) => name);
  });
  const outside = [...new Set(imported)].filter((name) => !name.startsWith("node:")).toSorted();
  return Object.fromEntries(
    outside.map((name) => {
      const version = dependencies[name] ?? devDependencies[name];
      if (version === undefined) throw new Error(`${name} is imported, but no dependency`);
      return [name, version];
    }),
  );
}
