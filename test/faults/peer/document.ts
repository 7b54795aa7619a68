import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(import.meta.dirname, "../../../generated/ledger/openapi.json");

/** What an answer has to be: Prism is told for each request, so that an error in place of a result is seen. */
export const outcomes = ["result", "error"] as const;
export type Outcome = (typeof outcomes)[number];

interface PathItem {
  readonly post: {
    readonly operationId: string;
    readonly responses: { readonly "200": { readonly content: JsonContent } };
  };
}

interface JsonContent {
  readonly "application/json": { readonly schema: { readonly $ref: string } };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: { readonly result?: unknown } }>>;
  };
}

/**
 * Our OpenAPI export with a separate path for each operation and outcome. The original paths differ only after `#`,
 * which HTTP tools never see.
 */
export function routedDocument(): object {
  const document: OpenApi = JSON.parse(readFileSync(file, "utf8"));
  const paths = Object.entries(document.paths).flatMap(([path, { post }]) =>
    outcomes.map((outcome) => {
      const operation = path.slice(path.indexOf("#") + 1);
      const { schema } = post.responses["200"].content["application/json"];
      const isFlat = schemaAt(document, schema.$ref)?.properties?.result === undefined;
      // A flat answer is the result itself.
      const wanted =
        isFlat && outcome === "result"
          ? { $ref: schema.$ref.replace(/Response$/, "Result") }
          : { allOf: [schema, { required: [outcome] }] };
      const responses = {
        "200": { description: outcome, content: { "application/json": { schema: wanted } } },
      };
      const operationId = `${post.operationId}-${outcome}`;
      return [`/${outcome}/${operation}`, { post: { ...post, operationId, responses } }] as const;
    }),
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

function schemaAt({ components }: OpenApi, reference: string) {
  return components.schemas[reference.slice(reference.lastIndexOf("/") + 1)];
}
