import { partsOf } from "../../protocols/parts.ts";
import { ownedFiles, type Emitter } from "../emitter.ts";

/** `client/testing.ts`: a service for the tests of callers, which answers from the examples of the interface. */
export const emitter: Emitter = {
  name: "fakes",
  needs: ["client"],
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    return ownedFiles(partsOf(model).client.fakes(model, folder), folder);
  },
};
