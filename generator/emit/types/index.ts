import { everyProtocol, type Emitter } from "../emitter.ts";
import { importedType } from "../../print/module.ts";
import { typesModule } from "./types-module.ts";

/** `types.ts`: every named type, and the payload and the result of every method, as handlers see them. */
export const emitter: Emitter = {
  name: "types",
  protocols: everyProtocol,
  emit(model, layout) {
    const style = {
      money: importedType("Decimal", layout.contract),
      json: importedType("JsonValue", layout.contract),
      doubledSpellings: false,
      defaultsFilled: true,
    };
    const path = `${layout.out}/types.ts`;
    return [{ path, ownership: "owned", text: typesModule(model, path, style) }];
  },
};
