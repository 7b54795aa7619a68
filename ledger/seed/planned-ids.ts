import { accountNumberDraws } from "../../runtime/domain/index.ts";
import type { IdSource } from "../../runtime/ports/index.ts";

/** Draws what is planned first, in its order, and then what another source draws. */
export interface PlannedIds extends IdSource {
  /** @throws Error where what was planned before was not drawn: the demo data would have other identifiers. */
  plan(next: { readonly ids?: readonly string[]; readonly accountNumbers?: readonly string[] }): void;
}

export function plannedIds(source: IdSource): PlannedIds {
  let ids: string[] = [];
  let integers: number[] = [];
  return {
    id: () => ids.shift() ?? source.id(),
    integer: (limit) => integers.shift() ?? source.integer(limit),
    bytes: (length) => source.bytes(length),
    plan(next) {
      if (ids.length + integers.length > 0) throw new Error(`nothing drew ${[...ids, ...integers].join()}`);
      ids = [...(next.ids ?? [])];
      integers = (next.accountNumbers ?? []).flatMap((number) => accountNumberDraws(number));
    },
  };
}
