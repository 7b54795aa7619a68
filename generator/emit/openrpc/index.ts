import { jsonDocument } from "../../print/json-document.ts";
import type { Emitter } from "../emitter.ts";
import { openRpcDocument } from "./document.ts";

/** `openrpc.json`: the interface as an OpenRPC 1.3 document. */
export const emitter: Emitter = {
  name: "openrpc",
  emit(model, layout) {
    const path = `${layout.out}/openrpc.json`;
    return [{ path, ownership: "owned", text: jsonDocument(openRpcDocument(model)) }];
  },
};
