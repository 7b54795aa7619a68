import { asciiComponents } from "../../print/ascii-components.ts";
import { partOf } from "../../protocols/parts.ts";
import { jsonFile, type Emitter } from "../emitter.ts";

/** OpenAPI documents: `openapi.json` in version 3.1, for tools that read nothing else, and `openapi-3.0.json`. */
export const emitter: Emitter = {
  name: "openapi",
  part: "documents",
  emit: (model, { out }) =>
    Object.entries(partOf(model, "documents").openApi(model)).map(([name, document]) =>
      jsonFile(`${out}/${name}`, asciiComponents(document)),
    ),
};
