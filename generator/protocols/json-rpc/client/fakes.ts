import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import { member, objectLiteral } from "../../../print/literals.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { importedType, importedValue } from "../../../print/module.ts";
import type { FakeSource } from "../../../targets/client/fakes.ts";
import type { StandardNames } from "./names.ts";

/** The fake service of a standard interface. */
export function fakeSource(model: ServiceModel, names: StandardNames, folder: string): FakeSource {
  const client = importedType(names.client, `${folder}/client.ts`);
  const make = importedValue(names.create, `${folder}/client.ts`);
  const auth = objectLiteral(
    model.schemes.map(({ name, kind }) => member(name, schemeKindOf(kind)?.client.fake ?? "undefined")),
  );
  const options =
    model.schemes.length === 0 ? ["(this.options)"] : ["({ ...this.options, auth: ", auth, " })"];
  return {
    name: names.fake,
    methods: names.methods,
    client: {
      type: client,
      made: [make, ...options],
    },
    types: [
      importedType("ClientOptions", `${folder}/connection.ts`),
      importedType("Id", `${folder}/message.ts`),
      "string | number",
    ],
    playing: "json-rpc/playing.ts",
    examples: {
      methods: model.methods.map((method) => ({
        name: method.name,
        parameters: payloadShapes(method.payload).flatMap(({ fields }) => fields.map(({ name }) => name)),
        examples: method.examples.map(({ payload, result, error }) =>
          omitUndefined({ payload, result, error }),
        ),
      })),
      errors: Object.fromEntries(names.errors.map(({ name, code, message }) => [name, { code, message }])),
    },
  };
}
