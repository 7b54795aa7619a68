import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { methodsAsTried } from "../../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { importedType, importedValue } from "../../../print/module.ts";
import type { FakeSource } from "../../../targets/client/fakes.ts";
import type { ClientNames } from "./names.ts";

/** The fake service of a signed interface, with a client of its own. */
export function fakeSource(model: ServiceModel, names: ClientNames, folder: string): FakeSource {
  const client = importedValue(names.client, `${folder}/client.ts`);
  const errors = model.errors.map(({ code, message, rpcCode, wireCode }) => [
    code,
    omitUndefined({ message, rpcCode, wireCode }),
  ]);
  return {
    name: names.fake,
    methods: names.methods,
    types: [
      importedType("ClientOptions", `${folder}/guard.ts`),
      "string",
      importedType("ErrorCode", `${folder}/interface.ts`),
    ],
    playing: "signed-envelope/playing.ts",
    examples: { methods: methodsAsTried(model).map(methodExamples), errors: Object.fromEntries(errors) },
    client: { type: client, made: ["new ", client, "(this.options)"] },
  };
}

function methodExamples({ name, effect, path, transport, examples }: MethodModel) {
  return omitUndefined({
    name,
    path,
    creates: effect === "create" ? true : undefined,
    ...(transport.kind === "flat" &&
      omitUndefined({ selectedBy: transport.selectedBy, only: transport.only })),
    examples: examples.map(({ payload, result, error }) => omitUndefined({ payload, result, error })),
  });
}
