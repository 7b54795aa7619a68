import { everyProtocol, jsonFile, type Emitter } from "../emitter.ts";
import { openRpcDocument } from "./document.ts";
import { standardDocument } from "./standard/document.ts";

/** `openrpc.json`: the interface as an OpenRPC 1.3 document. */
export const emitter: Emitter = {
  name: "openrpc",
  protocols: everyProtocol,
  emit(model, layout) {
    const path = `${layout.out}/openrpc.json`;
    const isStandard = model.wire.protocol === "json-rpc-2.0";
    const document = isStandard ? standardDocument(model) : openRpcDocument(model);
    return [jsonFile(path, document)];
  },
};
