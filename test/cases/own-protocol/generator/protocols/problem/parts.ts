import type { ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { member, objectLiteral, stringLiteral } from "../../print/literals.ts";
import { importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { validatorModule, validatorName } from "../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../../targets/emitter.ts";
import type { Parts } from "../protocol.ts";
import { server } from "../signed/server/index.ts";

/** What targets print for it: a service. Clients, documents and the suite are not printed. */
export const parts: Parts = {
  protocol: "problem",
  server: {
    errors: server.errors,
    methods: (model, layout) => [methods(model, layout)],
    handlers: { ...server.handlers, servesRevisions: false },
  },
};

function methods(model: ServiceModel, layout: EmitLayout): FileDraft {
  const path = `${layout.out}/methods.ts`;
  const name = `${interfaceNames(model).value}Interface`;
  const errorsModule = `${layout.out}/errors.ts`;
  const entries = model.methods.map((method) =>
    member(
      method.name,
      objectLiteral([
        member("name", stringLiteral(method.name)),
        member("effect", [stringLiteral(method.effect), " as const"]),
        member(
          "validate",
          importedValue(
            validatorName(interfaceNames(model).of(method).payload),
            validatorModule(layout.out, "payloads"),
          ),
        ),
        member("errors", importedValue("errors", errorsModule)),
      ]),
    ),
  );
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name],
    body: [
      [
        `export const ${name} = `,
        objectLiteral([
          member("revision", stringLiteral(model.revision)),
          member("path", stringLiteral(model.path)),
          member("methods", objectLiteral(entries, { broken: true })),
        ]),
        ";",
      ],
    ],
  });
  return { path, ownership: "owned", text };
}
