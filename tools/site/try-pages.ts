import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { emitter as client } from "../../generator/targets/client/index.ts";
import type { EmitLayout, Emitter } from "../../generator/targets/emitter.ts";
import { emitter as jsonSchema } from "../../generator/targets/json-schema/index.ts";
import { emitter as openRpc } from "../../generator/targets/openrpc/index.ts";
import { emitter as support } from "../../generator/targets/support/index.ts";
import { emitter as validators } from "../../generator/targets/validators/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { ts } from "ts-morph";

/** The page's own modules, for every interface the same; a package has them as they are here. */
const webFolder = join(import.meta.dirname, "../../web");

/** The page that calls the interface from a browser, below the site: texts by path. */
export function tryPages(model: ServiceModel): ReadonlyMap<string, string> {
  const base = `try/${model.name}`;
  const files = new Map([...pageFiles(model), ...interfaceFiles(model)]);
  return new Map([...files].map(([path, text]) => [`${base}/${path}`, text]));
}

function pageFiles(model: ServiceModel): ReadonlyMap<string, string> {
  const { calls } = partOf(model, "reference").tried;
  const read = (path: string): string => readFileSync(join(webFolder, path), "utf8");
  const sources = globSync(["try/*.ts", "shared/*.ts"], { cwd: webFolder }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const modules = browserModules(new Map(sources.map((file) => [file, read(file)])), [
    "try/try.ts",
    `try/${calls}.ts`,
  ]);
  const document = read("try/index.html")
    .replace('data-calls="envelope"', `data-calls="${calls}"`)
    .replace('/try.ts"', '/try.js"');
  return new Map([
    ["index.html", document],
    ...["shared/tokens.css", "shared/look.css", "shared/style.css"].map(
      (path) => [`web/${path}`, read(path)] as const,
    ),
    ...[...modules].map(([path, text]) => [`web/${path}`, text] as const),
  ]);
}

function interfaceFiles(model: ServiceModel): ReadonlyMap<string, string> {
  const out = `generated/${model.name}`;
  const layout: EmitLayout = { out, handlers: "", contract: "", targets: ["client"] };
  const textsOf = (emitter: Emitter): ReadonlyMap<string, string> =>
    new Map(emitter.emit(model, layout).map(({ path, text }) => [path, text]));
  const begin = ["client", "connection", "message-signatures", "operations"];
  const modules = browserModules(
    textsOf(client),
    begin.map((name) => `${out}/client/${name}.ts`),
  );
  const described = partOf(model, "reference").tried.described?.(model);
  return new Map([
    ...modules,
    ...[support, validators]
      .flatMap((emitter) => [...textsOf(emitter)])
      .filter(([path]) => path.endsWith(".js")),
    ...textsOf(jsonSchema),
    ...(described === undefined
      ? textsOf(openRpc)
      : [[`${out}/try.json`, `${JSON.stringify(described)}\n`] as const]),
  ]);
}

/** A module of TypeScript as browsers take it: without types, importing its neighbours by `.js`. */
function browserModule(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  return outputText.replaceAll(ownImport, "$1$2.js$3");
}

/** An import from a module beside it. */
const ownImport = /^((?:import|export)\b[^;"]*")(\.{1,2}\/[^"]+)\.(?:ts|js)(";)/gm;

/** The modules that some begin with need, by way of what they import: paths from a folder to JavaScript. */
function browserModules(
  sources: ReadonlyMap<string, string>,
  begin: readonly string[],
): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const add = (path: string): void => {
    const source = sources.get(path);
    const target = path.replace(/\.ts$/, ".js");
    if (source === undefined || modules.has(target)) return;
    const text = browserModule(source);
    modules.set(target, text);
    for (const [, , imported = ""] of text.matchAll(ownImport))
      add(posix.join(posix.dirname(path), `${imported}.ts`));
  };
  for (const path of begin) add(path);
  return modules;
}
