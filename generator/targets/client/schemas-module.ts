import type { ServiceModel } from "../../model/service-model.ts";
import { lines, type Printable } from "../../print/layout.ts";
import { importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { supportFunctions, type SupportName } from "../support/support-source.ts";
import { declarationsOf, supportModule, zodPreamble } from "../zod/declarations.ts";
import { ruleFunction, ruleFunctions } from "../zod/rule-functions.ts";

/** Source of a support function in TypeScript, where its JavaScript body is not TypeScript too. */
const typedBodies: Partial<Record<SupportName, string>> = {
  equal: `{
      if (a === b) return true;
      if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
      if (Array.isArray(a) !== Array.isArray(b)) return false;
      const others = new Map<string, unknown>(Object.entries(b));
      const entries = Object.entries(a);
      return (
        entries.length === others.size &&
        entries.every(([name, value]) => others.has(name) && equal(value, others.get(name)))
      );
    }`,
};

/** `schemas.ts`, and `formats.ts` with the checks that zod does not have. */
export function schemasModules(model: ServiceModel, folder: string): Readonly<Record<string, string>> {
  const printed = declarationsOf(model);
  const { declarations, rules, supports } = printed;
  const called = new Set<string>(supports);
  const support = (name: string): Printable => {
    called.add(name);
    return importedValue(name, supportModule);
  };
  const functions = [...ruleFunctions].filter(([name]) => rules.has(name));
  const constants = declarations.map(({ declaration }) => declaration);
  const schemas = printModule({
    path: `${folder}/schemas.ts`,
    preamble: zodPreamble(model, printed),
    declares: ["z", ...declarations.map(({ name }) => name), ...functions.map(([name]) => name)],
    body: [...constants, ...functions.map(([name, source]) => ruleFunction(name, source, support))],
    places: { [supportModule]: `${folder}/formats.ts` },
  });
  return { "schemas.ts": schemas, "formats.ts": formatsModule(model, called) };
}

function formatsModule(model: ServiceModel, called: ReadonlySet<string>): string {
  const functions = Object.entries(supportFunctions)
    .filter(([name]) => called.has(name))
    .map(([name, { doc, declaration, source }]) => {
      const body = typed(name) ?? source.slice(source.indexOf("{"));
      return lines([`/** ${doc} */`, `export ${declaration.replace(/;$/, "")} ${body}`]);
    });
  return printModule({
    path: "",
    preamble: preamble(model),
    declares: [],
    body: functions,
  });
}

function typed(name: string): string | undefined {
  return new Map(Object.entries(typedBodies)).get(name);
}
