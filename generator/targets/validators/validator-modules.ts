import { relativeSpecifier } from "../../print/module.ts";
import { validatorFolder, validatorKinds, validatorModule } from "../../print/validator-places.ts";
import { ownedFiles, type EmitLayout, type FileDraft } from "../emitter.ts";
import type { PrintedType, PrintedValidator } from "./printed-validators.ts";

/**
 * The modules of validators, one a kind, each with its declarations. A service loads those of payloads alone, so these
 * modules have the types of payloads; all other types are in `types.js`. They import nothing from elsewhere but `support.js`.
 */
export function validatorModules(
  validators: readonly PrintedValidator[],
  preamble: string,
  layout: EmitLayout,
): readonly FileDraft[] {
  const ofPayloads = typesOf(validators.filter(({ kind }) => kind === "payloads"));
  const others = typesOf(validators).filter((type) => !ofPayloads.includes(type));
  const places = new Map([
    ...ofPayloads.map(({ name }) => [name, "payloads"] as const),
    ...others.map(({ name }) => [name, "types"] as const),
  ]);
  const files: Record<string, string> = {};
  for (const kind of validatorKinds) {
    const own = validators.filter((validator) => validator.kind === kind);
    if (own.length === 0) continue;
    const types = kind === "payloads" ? ofPayloads : [];
    const code = [...own.map((each) => `${each.doc}\n${each.code}`), ...types.map(exported)];
    files[`${kind}.js`] = module(preamble, importsOf(kind, [...own, ...types], places), code);
    files[`${kind}.d.ts`] = declarations(validatorModule(layout.out, kind), own, preamble, layout);
  }
  if (others.length > 0) {
    files["types.js"] = module(preamble, importsOf("types", others, places), others.map(exported));
    files["types.d.ts"] = module(preamble, [], ["export {};"]);
  }
  return ownedFiles(files, validatorFolder(layout.out));
}

function typesOf(validators: readonly PrintedValidator[]): readonly PrintedType[] {
  return [...new Set(validators.flatMap(({ types }) => types))];
}

function exported({ code }: PrintedType): string {
  return code.replace(/^function/m, "export function");
}

function declarations(
  path: string,
  validators: readonly PrintedValidator[],
  preamble: string,
  { contract }: EmitLayout,
): string {
  const imports = [`import type { PayloadValidator } from "${relativeSpecifier(path, contract)}";`];
  const declared = validators.map(
    ({ doc, name }) => `${doc}\nexport declare const ${name}: PayloadValidator;`,
  );
  return module(preamble, imports, declared);
}

/** The imports of functions that a module calls and does not have. */
function importsOf(
  module: string,
  parts: readonly Pick<PrintedType, "support" | "calls">[],
  places: ReadonlyMap<string, string>,
): readonly string[] {
  const called = new Set(parts.flatMap(({ calls }) => calls));
  const ofTypes = Map.groupBy([...called], (type) => places.get(type) ?? "types");
  const functions = new Map([
    ["support", [...new Set(parts.flatMap(({ support }) => support))]],
    ...[...ofTypes].map(([place, types]) => [place, types.map((type) => `check${type}`)] as const),
  ]);
  return ["payloads", "support", "types"].flatMap((from) => {
    const names = functions.get(from) ?? [];
    if (from === module || names.length === 0) return [];
    return [`import { ${names.toSorted().join(", ")} } from "./${from}.js";`];
  });
}

function module(preamble: string, imports: readonly string[], statements: readonly string[]): string {
  return `${[[preamble, ...imports].join("\n"), ...statements].join("\n\n")}\n`;
}
