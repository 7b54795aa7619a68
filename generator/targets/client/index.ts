import { partOf } from "../../protocols/parts.ts";
import { isWanted, ownedFiles, type Emitter } from "../emitter.ts";

/** `client/`: a typed client for any runtime with `fetch` and WebCrypto. Imports nothing else. */
export const emitter: Emitter = {
  name: "client",
  part: "client",
  check: (model) => partOf(model, "client").clashes(model),
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    const wanted = { zod: isWanted("zod", layout), fakes: isWanted("fakes", layout) };
    return ownedFiles(partOf(model, "client").files(model, folder, wanted), folder);
  },
};
