import { cpSync, globSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";
import { emitterNames } from "../../generator/targets/index.ts";
import { pageOptions, templateFolder, textOptions } from "../../generator/print/compiled-templates.ts";
import { root } from "./folder.ts";

/**
 * Modules that the package replaces, by path, because what they find out at run time is known when it is packed.
 * `compiled` is the folder of the compiled modules.
 */
export function packedModules(compiled: string): Readonly<Record<string, string>> {
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
export function copyChecker(folder: string): void {
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
