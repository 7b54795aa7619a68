import { partOf } from "../../protocols/parts.ts";
import { jsonFile, type Emitter } from "../emitter.ts";

/** `openrpc.json`: the interface as an OpenRPC 1.3 document. */
export const emitter: Emitter = {
  name: "openrpc",
  part: "documents",
  emit: (model, { out }) => [jsonFile(`${out}/openrpc.json`, partOf(model, "documents").openRpc(model))],
};
