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

/** Files by path: a collection of Postman (format 2.1), and an environment where values are given. */
export function postmanFiles(
  model: ServiceModel,
  values: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, string> {
  const requests = requestsOf(model);
  const variables = variablesOf(model, requests);
  const files = new Map([
    [`${model.name}.postman_collection.json`, jsonFile(collection(model, requests, variables))],
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

function collection(
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
