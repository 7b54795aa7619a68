import { jsonDocument } from "../../print/json-document.ts";
import type { Emitter } from "../emitter.ts";
import { openApiDocument } from "./document.ts";

/** `openapi.json`: the interface as an OpenAPI 3.1 document, for tools that read nothing else. */
export const emitter: Emitter = {
  name: "openapi",
  emit(model, layout) {
    const path = `${layout.out}/openapi.json`;
    return [{ path, ownership: "owned", text: jsonDocument(openApiDocument(model)) }];
  },
};
