import { everyProtocol, jsonFile, type Emitter } from "../emitter.ts";
import { asciiComponents } from "../../print/ascii-components.ts";
import { openApiDocument } from "./document.ts";
import { openApi30, openApi31 } from "./dialect.ts";
import { standardDocument } from "./standard/document.ts";

/**
 * `openapi.json`: the interface as an OpenAPI 3.1 document, for tools that read nothing else, and `openapi-3.0.json`
 * for those that read 3.0 alone. A standard interface has `openapi.one-path.json`, too: the same with its one real path,
 * for mock servers.
 */
export const emitter: Emitter = {
  name: "openapi",
  protocols: everyProtocol,
  emit(model, { out }) {
    const file = (name: string, document: Parameters<typeof asciiComponents>[0]) =>
      jsonFile(`${out}/${name}`, asciiComponents(document));
    if (model.wire.protocol !== "json-rpc-2.0")
      return [
        file("openapi.json", openApiDocument(model)),
        file("openapi-3.0.json", openApiDocument(model, openApi30)),
      ];
    return [
      file("openapi.json", standardDocument(model, "fragments", openApi31)),
      file("openapi-3.0.json", standardDocument(model, "fragments", openApi30)),
      file("openapi.one-path.json", standardDocument(model, "one-path", openApi31)),
    ];
  },
};
