import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { ts } from "ts-morph";
import { readManifest } from "../../tools/pack/pack.ts";
import { root } from "./folder.ts";

/** Compiler options of packages that run on Node. */
const nodeOptions = {
  target: "es2023",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  declaration: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
};

/** The library of each Node version: newer functions fail to compile here, not on the user's machine. */
const libraries = {
  22: ["es2024", "es2025.collection", "es2025.iterator"],
  24: ["es2024", "esnext"],
} as const;

/** Compiler options of pages. */
const browserOptions = {
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  types: [],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  rootDir: root,
};

/** Compiles pages that run in a browser, with all that they import. Patterns are relative to the repository. */
export function compilePages(outDir: string, patterns: readonly string[]): void {
  compile(
    outDir,
    browserOptions,
    patterns.map((pattern) => join(root, pattern)),
  );
}

/** Runs the compiler with a configuration of its own. */
function compile(outDir: string, compilerOptions: object, include: readonly string[]): void {
  const config = join(outDir, "tsconfig.json");
  const exclude = ["**/_orphaned"];
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { ...compilerOptions, outDir }, include, exclude }),
  );
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config], { stdio: "inherit" });
  } finally {
    rmSync(config);
  }
}

/** Compiles what runs on Node: modules, their declarations, and the entries of worker threads. */
export function compileForNode(
  outDir: string,
  rootDir: string,
  include: readonly string[],
  nodeMajorMin: keyof typeof libraries = 22,
): void {
  compile(outDir, { ...nodeOptions, lib: libraries[nodeMajorMin], rootDir }, include);
  for (const file of globSync("**/*.d.ts", { cwd: outDir }))
    rewrite(join(outDir, file), /((?:from |import\()"\.[^"]*)\.ts"/g);
  for (const file of globSync("**/*.js", { cwd: outDir })) {
    // The compiler rewrites imports only.
    rewrite(join(outDir, file), /(new URL\("[\w./-]+)\.ts"(?=, import\.meta\.url\))/g);
    for (const path of filesNamedBy(join(outDir, file))) {
      const inPackage = relative(outDir, path);
      if (path.endsWith(".js")) assertCompiled(path, file);
      else if (inPackage !== "package.json") cpSync(join(rootDir, inPackage), path);
    }
  }
}

/** The files that a compiled module names by their place beside it: entries of threads, and what it reads. */
function filesNamedBy(file: string): readonly string[] {
  const named = readFileSync(file, "utf8").matchAll(/new URL\("([\w./-]+\.\w+)", import\.meta\.url\)/g);
  return [...named].map(([, path = ""]) => join(dirname(file), path));
}

/** No import leads to the entry of a thread, so nothing else notices that a package lacks one. */
function assertCompiled(entry: string, starter: string): void {
  if (!existsSync(entry)) throw new Error(`${starter} starts ${basename(entry)}, which was not compiled`);
}

function rewrite(path: string, specifier: RegExp): void {
  const text = readFileSync(path, "utf8");
  const rewritten = text.replaceAll(specifier, '$1.js"');
  if (rewritten !== text) writeFileSync(path, rewritten);
}

/** The packages that compiled modules import, in the versions that this repository tests. */
export function dependenciesOf(folder: string): Readonly<Record<string, string>> {
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = readManifest(root);
  const imported = globSync("**/*.js", { cwd: folder }).flatMap((file) =>
    importsOf(readFileSync(join(folder, file), "utf8")).map(packageOf),
  );
  const names = [...new Set(imported)].filter((name) => !/^\.|^node:/.test(name)).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const version = dependencies[name] ?? optionalDependencies[name] ?? devDependencies[name];
      if (version === undefined) throw new Error(`${name} is imported, but package.json does not list it`);
      return [name, version];
    }),
  );
}

/** The specifiers of a compiled module. */
function importsOf(text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const required = text.matchAll(/createRequire\(import\.meta\.url\)(?:\.resolve)?\("([^"]+)"\)/g);
  return [...importedFiles.map(({ fileName }) => fileName), ...[...required].map(([, name = ""]) => name)];
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
