import { stringLiteral } from "../../print/literals.ts";
import { relativeSpecifier } from "../../print/module.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { byHandType } from "./adapter-module.ts";
import { byHandName } from "./converter.ts";
import { unwrittenName } from "./hand-written.ts";
import { adapterModule, byHandModule } from "./layout.ts";
import type { AdapterPlan } from "./plan.ts";

/** The file in which people say what no generator can: written once, theirs from then on. */
export function byHandStub(plan: AdapterPlan, layout: EmitLayout): FileDraft {
  const { old, new: recent, handWritten } = plan;
  const path = byHandModule(layout, old);
  const from = (module: string): string => stringLiteral(relativeSpecifier(path, module));
  const isGeneric = handWritten.some(({ handler }) => handler !== undefined);
  const asked = handWritten.filter(({ isOptional }) => isOptional !== true);
  const functions = asked.map(
    ({ name, handler }) =>
      `${name}: ${handler === undefined ? "" : "async "}() => {\nthrow unimplemented(${stringLiteral(unwrittenName(name, old.revision))});\n}`,
  );
  const text = [
    `import type { ${byHandType} } from ${from(adapterModule(layout, old))};`,
    ...(asked.length === 0 ? [] : [`import { unimplemented } from ${from(layout.contract)};`]),
    ...(isGeneric ? [`import type { Contexts } from "../contexts.ts";`] : []),
    "",
    `/** What callers of revision ${old.revision} send and get where ${recent.revision} has no word for it. */`,
    `export const ${byHandName}: ${byHandType}${isGeneric ? "<Contexts>" : ""} = {\n${functions.join(",\n")}\n};`,
  ].join("\n");
  return { path, ownership: "stub", text: `${text}\n` };
}
