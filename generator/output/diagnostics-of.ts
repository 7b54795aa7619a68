import type { Diagnostic } from "../diagnostics/index.ts";
import type { CatalogueEntry } from "../diagnostics/entry.ts";

type Catalogue<P> = { readonly [C in keyof P]: CatalogueEntry<P[C]> };

/** Makes the findings of a catalogue: severity, message and hint come from there. */
export function diagnosticsOf<P>(entries: Catalogue<P>) {
  return <C extends keyof P & string>(
    code: C,
    params: P[C],
    where: Pick<Diagnostic, "span" | "path" | "related">,
  ): Diagnostic => {
    const { severity, message, hint } = entries[code];
    const text = hint?.(params);
    return {
      code,
      severity,
      message: message(params),
      ...where,
      ...(text === undefined ? {} : { hint: text }),
    };
  };
}
