import {
  addUser,
  type NewUser,
  type UserAccess,
  type UserParts,
} from "../../runtime/operations/admin/index.ts";
import { operatorRealm } from "../handlers/services/users/realms.ts";

/** Adds an operator, as `ledger-server operator add` does. @throws Error if the user name is taken */
export function createOperator(parts: UserParts, operator: NewUser): Promise<UserAccess> {
  const by = { realm: operatorRealm, noun: "operator", command: "ledger-server operator" };
  return addUser(parts, operator, by);
}
