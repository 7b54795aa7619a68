import { describe, expect, it } from "vitest";
import { emitter } from "../../generator/emit/openapi/index.ts";
import { libraryLayout, libraryModel } from "./emit-library-model.ts";

const [draft] = emitter.emit(libraryModel(), libraryLayout);
const document: {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly post: { readonly operationId: string } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
} = JSON.parse(draft?.text ?? "");

describe("The OpenAPI document", () => {
  it("tells operations on one path apart by a fragment", () => {
    expect(document.openapi).toBe("3.1.1");
    expect(Object.entries(document.paths).map(([path, { post }]) => [path, post.operationId])).toEqual([
      ["/rpc#ShelfService.AddBook", "addBook"],
      ["/rpc#ShelfService.FindBook", "findBook"],
      ["/rpc#Subscribe", "subscribe"],
    ]);
  });

  it("shows a request as it is on the wire: in an envelope, or flat", () => {
    const of = (path: string) => document.paths[path]?.post;
    expect(of("/rpc#ShelfService.FindBook")).toMatchObject({
      requestBody: {
        content: {
          "application/json": {
            schema: {
              required: ["method", "id", "params"],
              properties: {
                method: { const: "ShelfService.FindBook" },
                params: {
                  properties: {
                    api: { required: ["credential", "signature", "keyId", "apiKey"] },
                    payload: { $ref: "#/components/schemas/FindBookPayload" },
                  },
                },
              },
            },
          },
        },
      },
    });
    expect(of("/rpc#Subscribe")).toMatchObject({
      requestBody: {
        content: { "application/json": { schema: { $ref: "#/components/schemas/SubscribePayload" } } },
      },
    });
  });

  it("refers to nothing that it does not hold", () => {
    const known = new Set(Object.keys(document.components.schemas));
    const references = [...(draft?.text ?? "").matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    expect(references.map(([, name = ""]) => name).filter((name) => !known.has(name))).toEqual([]);
  });
});
