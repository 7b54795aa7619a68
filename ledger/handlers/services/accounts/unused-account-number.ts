import { newAccountNumber } from "../../../domain/account-number.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import { accountByNumber } from "../../../tables/index.ts";

const drawsMax = 20;

/** A new account number that the institution does not use yet (D-30): seeded foreign numbers are stepped around. */
export async function unusedAccountNumber(
  context: Pick<WriteContext, "store" | "ids" | "caller">,
): Promise<string> {
  for (let draw = 0; draw < drawsMax; draw += 1) {
    const number = newAccountNumber(context.ids);
    const taken = await context.store.one(accountByNumber, context.caller.institutionId, number);
    if (taken === undefined) return number;
  }
  throw new Error(`no unused account number in ${drawsMax} draws`);
}
