import { copiedModules } from "../client/copied-modules.ts";
import { standardNames } from "../client/json-rpc/names.ts";
import { clientNames } from "../client/names.ts";
import { everyProtocol, ownedFiles, type Emitter } from "../emitter.ts";
import { examplesModule } from "./examples-module.ts";
import { standardExamplesModule, standardTestingModule } from "./standard-fakes.ts";
import { testingModule } from "./testing-module.ts";

/** `client/testing.ts`: a service for the tests of callers, which answers from the examples of the interface. */
export const emitter: Emitter = {
  name: "fakes",
  needs: ["client"],
  protocols: everyProtocol,
  emit(model, layout) {
    const folder = `${layout.out}/client`;
    if (model.wire.protocol === "json-rpc-2.0") {
      const names = standardNames(model, model.wire);
      const texts = {
        "examples.ts": standardExamplesModule(model, names, folder),
        ...copiedModules(["example-of.ts", "json-rpc/fake-service.ts"], model),
        "testing.ts": standardTestingModule(model, names, folder),
      };
      return ownedFiles(texts, folder);
    }
    const texts = {
      "examples.ts": examplesModule(model, folder),
      ...copiedModules(["example-of.ts", "signed-envelope/fake-service.ts"], model),
      "testing.ts": testingModule(model, clientNames(model), folder),
    };
    return ownedFiles(texts, folder);
  },
};
