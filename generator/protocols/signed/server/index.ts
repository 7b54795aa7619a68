import { validatorModule } from "../../../print/validator-places.ts";
import type { ServerPart } from "../../protocol.ts";
import { errors } from "./errors.ts";
import { handlers } from "./handlers.ts";
import { methodsModule } from "./methods.ts";

/** What a service of signed envelopes is written against. */
export const server: ServerPart = {
  errors,
  methods: (model, layout, modules) => [
    methodsModule(
      model,
      layout,
      modules ?? {
        payload: () => validatorModule(layout.out, "payloads"),
        result: () => validatorModule(layout.out, "results"),
      },
    ),
  ],
  handlers,
};
