import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { emitter as client } from "../../generator/targets/client/index.ts";
import type { EmitLayout, Emitter } from "../../generator/targets/emitter.ts";
import { emitter as jsonSchema } from "../../generator/targets/json-schema/index.ts";
import { emitter as openRpc } from "../../generator/targets/openrpc/index.ts";
import { emitter as support } from "../../generator/targets/support/index.ts";
import { emitter as validators } from "../../generator/targets/validators/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { browserModules } from "./browser-module.ts";

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
