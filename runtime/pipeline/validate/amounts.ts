import { decimal } from "../../contract/index.ts";
import { exactDecimal, significantDigitsMax } from "../../domain/exact-decimal.ts";
import type { Amount } from "./canonicalise.ts";
import type { FieldFault } from "./field-fault.ts";

/** The same JSON text with every number as the text it was written in: amounts never pass through a float (D-37). */
export function parseLexemes(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? context?.source : value,
  );
}

/** The amounts with more digits than every JSON reader keeps (D-37). */
export function amountFaults(amounts: readonly Amount[]): readonly FieldFault[] {
  return amounts.flatMap(({ pointer, lexeme }) => {
    const digits = exactDecimal(lexeme)?.significant.length ?? Infinity;
    return digits > significantDigitsMax ? [{ pointer, reason: "digits" }] : [];
  });
}

/** Puts every amount in its place as a `Decimal`. */
export function placeAmounts(amounts: readonly Amount[]): void {
  for (const { holder, key, lexeme } of amounts) holder[key] = decimal(lexeme);
}
