import { everyProtocol, jsonFile, type Emitter } from "../emitter.ts";
import { asciiComponents } from "../../print/ascii-components.ts";
import { openApiDocument } from "./document.ts";
import { standardDocument } from "./standard/document.ts";

/**
 * `openapi.json`: the interface as an OpenAPI 3.1 document, for tools that read nothing else. A standard interface has
 * `openapi.one-path.json`, too: the same with its one real path, for mock servers.
 */
export const emitter: Emitter = {
  name: "openapi",
  protocols: everyProtocol,
  emit(model, { out }) {
    const file = (name: string, document: object) => jsonFile(`${out}/${name}`, document);
    if (model.wire.protocol !== "json-rpc-2.0")
      return [file("openapi.json", asciiComponents(openApiDocument(model)))];
    return [
      file("openapi.json", asciiComponents(standardDocument(model, "fragments"))),
      file("openapi.one-path.json", asciiComponents(standardDocument(model, "one-path"))),
    ];
  },
};
