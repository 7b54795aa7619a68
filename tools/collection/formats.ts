import type { ServiceModel } from "../../generator/model/index.ts";
import { copyTemplate } from "../../generator/print/template.ts";
import {
  isSecret,
  jsonFile,
  requestsOf,
  valueOf,
  variablesOf,
  withoutVariables,
  type CollectionRequest,
} from "./requests.ts";
import { partOf } from "../../generator/protocols/parts.ts";

export { unservedSchemes, variableOf } from "./requests.ts";

/** The formats of collections: files by path, and an environment where values of the variables are given. */
export const collectionFormats: Readonly<
  Record<
    string,
    (model: ServiceModel, values: Readonly<Record<string, string>> | undefined) => ReadonlyMap<string, string>
  >
> = { bruno: brunoFiles, postman: postmanFiles };

/** Files by path: a collection of Bruno, and an environment where values are given. */
function brunoFiles(
  model: ServiceModel,
  values: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, string> {
  const requests = requestsOf(model);
  const variables = variablesOf(model, requests);
  const files = new Map([
    [
      "bruno.json",
      jsonFile({
        version: "1",
        name: withoutVariables(`${model.title} ${model.revision}`),
        type: "collection",
      }),
    ],
    ["collection.bru", brunoCollection(model, variables)],
  ]);
  for (const [at, request] of requests.entries()) {
    const path = `${folderOf(request)}${fileName(request.name)}`;
    const isTaken = [...files.keys()].some((each) => each.toLowerCase() === `${path}.bru`.toLowerCase());
    files.set(`${path}${isTaken ? `-${at + 1}` : ""}.bru`, requestFile(request, at + 1));
  }
  if (values !== undefined) files.set("environments/sandbox.bru", environment(model, variables, values));
  return files;
}

function brunoCollection(model: ServiceModel, variables: readonly string[]): string {
  const doc = `${withoutVariables(model.doc)}\n\nChoose an environment that has ${variables.join(", ")}.`;
  const secrets = variables.filter((name) => isSecret(name, model));
  const notice = secrets.length === 0 ? "" : ` Keep it to yourself: it holds ${secrets.join(" and ")}.`;
  const { script: name } = partOf(model, "collection");
  const script =
    name === undefined
      ? ""
      : block("script:pre-request", copyTemplate(`collection/${name}.bruno.js`).trimEnd());
  const tests = block("tests", copyTemplate("collection/answer.bruno.js").trimEnd());
  return [script, tests, block("docs", doc + notice)].filter((text) => text !== "").join("\n");
}

function requestFile({ name, doc, path, headers, body }: CollectionRequest, seq: number): string {
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${oneLine(value)}`);
  return [
    block("meta", `name: ${oneLine(name)}\ntype: http\nseq: ${seq}`),
    block("post", `url: {{baseUrl}}${oneLine(path)}\nbody: json\nauth: none`),
    block("headers", lines.join("\n")),
    block("body:json", body),
    block("docs", doc),
  ].join("\n");
}

function environment(
  model: ServiceModel,
  variables: readonly string[],
  values: Readonly<Record<string, string>>,
): string {
  const lines = variables.map((name) => `${name}: ${oneLine(valueOf(name, model, values))}`);
  return block("vars", lines.join("\n"));
}

/** A block ends with a brace at the start of a line: its text is indented, so that none of it does. */
function block(name: string, text: string): string {
  return `${name} {\n${text.replaceAll(/^(?=.)/gm, "  ")}\n}\n`;
}

/** The value of a pair: on one line, and not as the beginning of a text of several. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, " ").replace(/^\s*'''/, "\u2060$&");
}

function folderOf({ folder }: CollectionRequest): string {
  return folder === undefined ? "" : `${fileName(folder)}/`;
}

/** A name that every file system takes: never of dots alone, or of a device. */
function fileName(name: string): string {
  const kept = name.replaceAll(/[^\w.-]+/g, "-").replaceAll(/^\.+|[-.]+$/g, "");
  return kept === "" || /^(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\.|$)/i.test(kept) ? `request-${kept}` : kept;
}

/** Files by path: a collection of Postman (format 2.1), and an environment where values are given. */
function postmanFiles(
  model: ServiceModel,
  values: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, string> {
  const requests = requestsOf(model);
  const variables = variablesOf(model, requests);
  const files = new Map([
    [`${model.name}.postman_collection.json`, jsonFile(postmanCollection(model, requests, variables))],
  ]);
  if (values !== undefined) {
    const environment = {
      name: withoutVariables(model.title),
      values: variables.map((key) => ({
        key,
        value: valueOf(key, model, values),
        type: isSecret(key, model) ? "secret" : "default",
        enabled: true,
      })),
      _postman_variable_scope: "environment",
    };
    files.set(`${model.name}.postman_environment.json`, jsonFile(environment));
  }
  return files;
}

function postmanCollection(
  model: ServiceModel,
  requests: readonly CollectionRequest[],
  variables: readonly string[],
): object {
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  const { script: signing } = partOf(model, "collection");
  return {
    info: {
      name: withoutVariables(`${model.title} ${model.revision}`),
      description: `${withoutVariables(model.doc)}\n\nChoose an environment that has ${variables.join(", ")}. Secrets belong into it, not into the collection.`,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: [...folders].flatMap(([folder, own]): readonly object[] => {
      const items = own.map((request) => item(request));
      return folder === undefined ? items : [{ name: folder, item: items }];
    }),
    event: [
      ...(signing === undefined
        ? []
        : [script("prerequest", copyTemplate(`collection/${signing}.postman.js`))]),
      script("test", copyTemplate("collection/answer.postman.js")),
    ],
  };
}

function item({ name, doc, path, headers, body }: CollectionRequest): object {
  return {
    name,
    request: {
      description: doc,
      method: "POST",
      url: `{{baseUrl}}${path}`,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      body: { mode: "raw", raw: body, options: { raw: { language: "json" } } },
    },
  };
}

function script(listen: string, text: string): object {
  return { listen, script: { type: "text/javascript", exec: text.trimEnd().split("\n") } };
}
