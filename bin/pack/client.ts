import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./compile.ts";
import {
  documentsOf,
  emptyFolder,
  generatedFolder,
  packed,
  readManifest,
  writePackage,
  type PackOptions,
} from "./folder.ts";

/** Packs the generated client of an interface, for `import` and for `require`. Gives the path of the tarball. */
export async function packClient(name: string, options: PackOptions): Promise<string> {
  const source = generatedFolder(name, "client");
  const folder = emptyFolder(options.out, `${name}-client`);
  compileTo(source, folder, "esnext");
  compileForRequire(source, folder);
  const documents = documentsOf(source, ["README.md", "CHANGELOG.md"]);
  await writePackage(folder, compiledManifest(readManifest(source)), documents, options);
  return packed(folder);
}

/** The manifest without what it says of the modules before they are compiled. */
function compiledManifest({ browser = {}, ...manifest }: ReturnType<typeof readManifest>) {
  const compiled = Object.entries(browser).filter(([path]) => !path.endsWith(".ts"));
  return { ...manifest, browser: Object.fromEntries(compiled) };
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
