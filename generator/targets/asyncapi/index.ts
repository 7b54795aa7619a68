import { jsonFile, type Emitter } from "../emitter.ts";
import { asciiComponents } from "../../print/ascii-components.ts";
import { partOf } from "../../protocols/parts.ts";
import { asyncApiDocument } from "./document.ts";

/** `asyncapi.json`: the events of the interface as an AsyncAPI 3 document; nothing where it has none. */
export const emitter: Emitter = {
  name: "asyncapi",
  part: "documents",
  emit(model, layout) {
    if (model.events.length === 0) return [];
    const path = `${layout.out}/asyncapi.json`;
    return [jsonFile(path, asciiComponents(asyncApiDocument(model, partOf(model, "documents").events)))];
  },
};
