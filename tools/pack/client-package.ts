import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Project, type SourceFile, ts } from "ts-morph";
import {
  documentsOf,
  emptyFolder,
  packed,
  publishedName,
  readManifest,
  writePackage,
  type PackOptions,
} from "./package-folder.ts";

/**
 * Packs a generated client, for `import` and for `require`. Gives the path of the tarball; the package's files are in a
 * folder beside it.
 *
 * @throws Error for what does not compile, and for a name that npm refuses
 */
export async function packClient(source: string, options: PackOptions): Promise<string> {
  const manifest = readManifest(source);
  publishedName(manifest.name, options.name, options.scope);
  const folder = emptyFolder(options, manifest.name);
  compile(source, folder);
  const documents = documentsOf(source, ["README.md", "CHANGELOG.md"]);
  await writePackage(folder, compiledManifest(manifest), documents, options);
  return packed(folder);
}

/** The manifest without what it says of the modules before they are compiled. */
function compiledManifest({ browser = {}, ...manifest }: ReturnType<typeof readManifest>) {
  const compiled = Object.entries(browser).filter(([path]) => !path.endsWith(".ts"));
  return { ...manifest, browser: Object.fromEntries(compiled) };
}

const printed: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, rewriteRelativeImportExtensions: true };

/** Checks the modules, and writes JavaScript and declarations, one of each a module. */
function compile(source: string, folder: string): void {
  const project = new Project({
    compilerOptions: {
      ...printed,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      declaration: true,
      skipLibCheck: true,
      rootDir: source,
      outDir: folder,
    },
  });
  project.addSourceFilesAtPaths(`${source.replaceAll("\\", "/")}/*.ts`);
  const mistakes = project.getPreEmitDiagnostics();
  if (mistakes.length > 0)
    throw new Error(
      `the client does not compile: generate it again\n${project.formatDiagnosticsWithColorAndContext(mistakes)}`,
    );
  project.emitSync();
  for (const file of project.getSourceFiles()) {
    const path = join(folder, file.getBaseNameWithoutExtension());
    rewrite(`${path}.d.ts`, `${path}.d.ts`, ".ts", ".js");
    writeForRequire(file, path);
  }
}

/** The same for `require`: `.cjs` and `.d.cts` beside a module. What is checked is printed without its types. */
function writeForRequire(file: SourceFile, path: string): void {
  const compilerOptions = { ...printed, module: ts.ModuleKind.CommonJS };
  const { outputText } = ts.transpileModule(file.getFullText(), { compilerOptions });
  writeFileSync(`${path}.cjs`, outputText);
  rewrite(`${path}.cjs`, `${path}.cjs`, ".js", ".cjs");
  rewrite(`${path}.d.ts`, `${path}.d.cts`, ".js", ".cjs");
}

/** Writes a module with another extension in its relative specifiers. */
function rewrite(path: string, target: string, from: string, to: string): void {
  const specifier = new RegExp(`((?:from|require\\(|import\\()\\s*"\\./[a-z-]+)\\${from}"`, "g");
  writeFileSync(target, readFileSync(path, "utf8").replaceAll(specifier, `$1${to}"`));
}
