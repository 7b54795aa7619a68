import { relativeSpecifier } from "../../print/module.ts";
import { validatorKinds, validatorModule, type ValidatorKind } from "../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import type { PrintedValidator } from "./printed-validators.ts";

/** The modules of validators, one a kind, each with its declarations. They import nothing but `support.js`. */
export function validatorModules(
  validators: readonly PrintedValidator[],
  preamble: string,
  layout: EmitLayout,
): readonly FileDraft[] {
  return validatorKinds.flatMap((kind) => {
    const own = validators.filter((validator) => validator.kind === kind);
    return own.length === 0 ? [] : drafts(kind, own, preamble, layout);
  });
}

function drafts(
  kind: ValidatorKind,
  validators: readonly PrintedValidator[],
  preamble: string,
  layout: EmitLayout,
): readonly FileDraft[] {
  const path = validatorModule(layout.out, kind);
  const shared = new Set(validators.flatMap((validator) => validator.shared));
  const called = new Set([...validators, ...shared].flatMap(({ support }) => support));
  const contract = relativeSpecifier(path, layout.contract);
  const statements = [
    `${preamble}\nimport { ${[...called].toSorted().join(", ")} } from "./support.js";`,
    ...validators.map(({ doc, code }) => `${doc}\n${code}`),
    ...[...shared].map(({ code }) => code),
  ];
  const declarations = validators.map(
    ({ doc, name }) => `${doc}\nexport declare const ${name}: PayloadValidator;`,
  );
  return [
    { path, ownership: "owned", text: `${statements.join("\n\n")}\n` },
    {
      path: path.replace(/\.js$/, ".d.ts"),
      ownership: "owned",
      text: `${[`${preamble}\nimport type { PayloadValidator } from "${contract}";`, ...declarations].join("\n\n")}\n`,
    },
  ];
}
