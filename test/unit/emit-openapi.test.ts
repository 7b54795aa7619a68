import { describe, expect, it } from "vitest";
import { emitter } from "../../generator/targets/openapi/index.ts";
import { libraryLayout, libraryModel } from "./emit-library-model.ts";

const [draft] = emitter.emit(libraryModel(), libraryLayout);
interface Operation {
  readonly operationId: string;
  readonly requestBody: {
    readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } };
  };
}
const document: {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
} = JSON.parse(draft?.text ?? "");
const bodyOf = (path: string) =>
  document.paths[path]?.post.requestBody.content["application/json"].schema.$ref;

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
    const { schemas } = document.components;
    expect(bodyOf("/rpc#ShelfService.FindBook")).toBe("#/components/schemas/FindBookRequest");
    expect(schemas["FindBookRequest"]).toMatchObject({
      required: ["method", "id", "params"],
      properties: {
        method: { const: "ShelfService.FindBook", default: "ShelfService.FindBook" },
        params: { $ref: "#/components/schemas/FindBookRequestParams" },
      },
    });
    expect(schemas["FindBookRequestParams"]).toMatchObject({
      properties: {
        api: { $ref: "#/components/schemas/CityLibraryApiWithApiKey" },
        payload: { $ref: "#/components/schemas/FindBookPayload" },
      },
    });
    expect(schemas["CityLibraryApiWithApiKey"]).toMatchObject({
      required: ["credential", "signature", "keyId", "apiKey"],
    });
    expect(bodyOf("/rpc#Subscribe")).toBe("#/components/schemas/SubscribePayload");
  });

  it("refers to nothing that it does not hold", () => {
    const known = new Set(Object.keys(document.components.schemas));
    const references = [...(draft?.text ?? "").matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    expect(references.map(([, name = ""]) => name).filter((name) => !known.has(name))).toEqual([]);
  });
});
