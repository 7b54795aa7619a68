/**
 * `npm run client:pack -- [interface …] [--scope scope] [--name name] [--version number] [--out folder]`: compiles the
 * generated client of each interface, `ledger` if none is named, and packs it: `dist/ledger-client-1.0.11.tgz`. Version,
 * front page and changelog come from the spec. Without a scope or a name of the publisher's own the package is private:
 * it is installed from its file. Prints the path of each tarball; the package's files are in a folder beside it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { addDocuments, compile, nameOptions, packed, publishedName, root } from "./pack-folder.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...nameOptions,
    out: { type: "string", default: join(root, "dist") },
    version: { type: "string" },
  },
});
const names = positionals.length === 0 ? ["ledger"] : positionals;
for (const name of names) console.log(await pack(name, resolve(values.out)));

/** Gives the path of the tarball. */
async function pack(name: string, out: string): Promise<string> {
  const source = join(root, "generated", name, "client");
  if (!existsSync(source))
    throw new Error(`${source} is missing: is ${name} an interface of ledger-rpc.yaml?`);
  const folder = join(out, `${name}-client`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compileTo(source, folder, "esnext");
  compileForRequire(source, folder);
  await addDocuments(source, folder, ["README.md", "CHANGELOG.md"], {
    name: publishedName(`${name}-client`, values),
    ...(values.version !== undefined && { version: values.version }),
  });
  return packed(folder);
}

/** JavaScript and declarations, one of each a module. */
function compileTo(source: string, outDir: string, module: "esnext" | "commonjs"): void {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
    module,
    moduleResolution: "bundler",
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: module === "esnext",
    declaration: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    rootDir: source,
  };
  compile(outDir, compilerOptions, [join(source, "*.ts")]);
  for (const file of readdirSync(outDir)) {
    if (file.endsWith(".d.ts")) rewrite(join(outDir, file), ".ts", ".js");
  }
}

/** The same for `require`: `.cjs` and `.d.cts` beside the modules. */
function compileForRequire(source: string, folder: string): void {
  const own = join(folder, "require");
  mkdirSync(own);
  compileTo(source, own, "commonjs");
  for (const file of readdirSync(own)) {
    rewrite(join(own, file), ".js", ".cjs");
    const name = file.replace(/\.d\.ts$/, ".d.cts").replace(/\.js$/, ".cjs");
    renameSync(join(own, file), join(folder, name));
  }
  rmSync(own, { recursive: true });
}

/** Gives the relative specifiers of a module another extension. */
function rewrite(path: string, from: string, to: string): void {
  const specifier = new RegExp(`((?:from|require\\(|import\\()\\s*"\\./[a-z-]+)\\${from}"`, "g");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(specifier, `$1${to}"`));
}
