/** The modules of validators, by what they check. */
export const validatorKinds = ["payloads", "results", "events", "errors"] as const;
export type ValidatorKind = (typeof validatorKinds)[number];

/** The name that the validator of a type is exported by; the type's name is that of `interfaceNames`. */
export function validatorName(type: string): string {
  return `validate${type}`;
}

/** The folder of validators; `out` is the interface's folder of generated files. */
export function validatorFolder(out: string): string {
  return `${out}/validators`;
}

/** The module that has the validators of a kind. */
export function validatorModule(out: string, kind: ValidatorKind): string {
  return `${validatorFolder(out)}/${kind}.js`;
}
