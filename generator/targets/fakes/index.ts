import { partOf } from "../../protocols/parts.ts";
import { ownedFiles, type Emitter } from "../emitter.ts";

/** `client/testing.ts`: a service for the tests of callers, which answers from the examples of the interface. */
export const emitter: Emitter = {
  name: "fakes",
  part: "client",
  needs: ["client"],
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    return ownedFiles(partOf(model, "client").fakes(model, folder), folder);
  },
};
