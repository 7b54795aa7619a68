import type { UpdateAccountCategoryHandler } from "../../../../generated/ledger/handlers.ts";
import { auditAccount } from "../../services/audit.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { categoryByName, accounts } from "../../../tables/index.ts";

/**
 * Maps an account to a globally defined category or product. It is one for all accounts of the institution.
 *
 * @see section 4.10 · D-39 · D-52
 */
export const updateAccountCategory: UpdateAccountCategoryHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock } = context;
  const account = await scopedReader(context).accountByNumber(payload.AccountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/AccountNumber" });
  const category = await store.one(categoryByName, caller.institutionId, payload.AccountCategory);
  if (category === undefined) throw context.error("NOT_FOUND_CATEGORY", { field: "/AccountCategory" });

  if (account.category !== category.name) {
    const changed = { ...account, category: category.name, updatedAt: clock.now() };
    await store.replace(accounts, changed, account);
    await auditAccount(context, account, changed);
  }
  return { Message: "Account category updated successfully" };
};
