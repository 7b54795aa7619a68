import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { Emitter } from "../emitter.ts";
import { shapeDeclarations } from "./shape-declarations.ts";

/** `shapes.ts`: the fields of every payload and result, for matching names and encoding answers. */
export const emitter: Emitter = {
  name: "shapes",
  emit(model, layout) {
    const path = `${layout.out}/shapes.ts`;
    const { declarations, names } = shapeDeclarations(model, layout.contract);
    const text = printModule({ path, preamble: preamble(model), declares: names, body: declarations });
    return [{ path, ownership: "owned", text }];
  },
};
