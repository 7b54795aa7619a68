import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { format } from "prettier";
import { Project, type SourceFile, ts } from "ts-morph";
import { messageOf } from "../../conformance/base/message-of.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { nameOf, selectSpecs, type SpecOptions } from "../../generator/cli/select.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import { checkInside, isBelow } from "../../generator/output/index.ts";

export interface PackCommandOptions extends SpecOptions {
  readonly out: string;
  readonly scope?: string;
  readonly name?: string;
  readonly packageVersion?: string;
}

/** `ledger-rpc pack`: a package of each generated client. */
export async function pack(options: PackCommandOptions, terminal: Terminal): Promise<number> {
  const failure = (message: string, code: number): number =>
    reportFailure({ message, diagnostics: [], exitCode: code }, terminal, false);
  const selection = selectSpecs(options, terminal.cwd);
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { root } = selection.config;
  const clients = selection.targets
    .map(({ spec, out }) => ({ name: nameOf(spec), folder: resolve(root, out, "client") }))
    .filter(({ folder }) => existsSync(join(folder, "package.json")));
  if (clients.length === 0)
    return failure("there is no generated client: add the target `client`, and generate", exitCode.failed);
  if (clients.length > 1 && options.name !== undefined)
    return failure(
      "--name names one package: give --scope for several, or choose one with --spec",
      exitCode.usage,
    );
  const { scope, name: whole, packageVersion: version } = options;
  const how = { scope, name: whole, version, out: resolve(root, options.out), owner: root };
  for (const { name, folder } of clients) {
    terminal.progress(`${name}: compiling the client …`);
    try {
      const tarball = await packClient(folder, how);
      terminal.print(relative(terminal.cwd, tarball));
    } catch (error) {
      return failure(`${name}: ${messageOf(error)}`, exitCode.failed);
    }
  }
  return exitCode.ok;
}

/** How a package is named, and whose it is. */
export interface PackOptions {
  /** Folder of the tarballs. */
  readonly out: string;
  /** Folder of the project: the package gets the licence that stands there. */
  readonly owner: string;
  /** The whole name of the package. */
  readonly name?: string | undefined;
  /** The publisher's scope, put before the package's own name. */
  readonly scope?: string | undefined;
  readonly version?: string | undefined;
}

/** Members of a `package.json` that are read here. */
export interface Manifest {
  /** Modules that bundles for browsers have in place of others. */
  readonly browser?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly description?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Makes an empty folder for a package.
 * @throws Error for a name that is no folder of `out`, and where a link leads out of the project
 */
export function emptyFolder({ out, owner }: Pick<PackOptions, "out" | "owner">, name: string): string {
  const folder = join(out, name);
  if (folder === join(out) || !isBelow(out, folder)) throw new Error(`${name} is no name of a package`);
  if (isBelow(owner, folder)) checkInside(owner, folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Packs a folder that is a package; gives the path of the tarball, which is beside it. */
export function packed(folder: string): string {
  const printed = execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", "..", folder], {
    cwd: folder,
    encoding: "utf8",
  });
  const [{ filename = "" } = {}]: { readonly filename?: string }[] = JSON.parse(printed);
  return join(folder, "..", filename);
}

/** Writes a package's manifest, its documents, in which its name stands, and the licence. */
export async function writePackage(
  folder: string,
  manifest: Manifest & Readonly<Record<string, unknown>>,
  documents: Readonly<Record<string, string>>,
  { owner, name, scope, version }: PackOptions,
): Promise<void> {
  const published = publishedName(manifest.name, name, scope);
  for (const [file, text] of Object.entries(documents)) {
    const named = published === undefined ? text : renamed(text, manifest.name, published);
    writeFileSync(join(folder, file), await format(named, { parser: "markdown", printWidth: 88 }));
  }
  for (const file of globSync("LICEN[CS]E*", { cwd: owner })) cpSync(join(owner, file), join(folder, file));
  // Without the publisher's own name a package is installed from its file: it must not replace a package of others.
  const identity = published === undefined ? { private: true } : { name: published };
  const { license }: Partial<Manifest> = existsSync(join(owner, "package.json")) ? readManifest(owner) : {};
  const whole = { ...manifest, license, ...omitUndefined({ version }), ...identity };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(whole, undefined, 2)}\n`);
}

/** The name that a publisher gives a package; undefined for none. Throws for a name that npm refuses. */
export function publishedName(
  own: string,
  name: string | undefined,
  scope: string | undefined,
): string | undefined {
  const given = name ?? (scope === undefined ? undefined : `@${scope.replace(/^@/, "")}/${own}`);
  if (given !== undefined && !/^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/.test(given)) {
    throw new Error(`${given} is no name of a package: give --name or --scope in lower case`);
  }
  return given;
}

/** A document with another name of the package: in its text, its imports and the names of its files. */
function renamed(text: string, own: string, name: string): string {
  const file = name.replace(/^@/, "").replace("/", "-");
  return text
    .replaceAll(`./${own}-`, `./${file}-`)
    .replaceAll(new RegExp(`(?<![\\w/-])${own}(?![\\w-])`, "g"), name);
}

/** The `package.json` of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The generated texts of a package. */
export function documentsOf(source: string, files: readonly string[]): Readonly<Record<string, string>> {
  const present = files.filter((file) => existsSync(join(source, file)));
  return Object.fromEntries(present.map((file) => [file, readFileSync(join(source, file), "utf8")]));
}

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
