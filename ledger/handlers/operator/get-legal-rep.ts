import type { GetLegalRepHandler } from "../../../generated/operator/handlers.ts";
import { legalRepOf } from "../presenters/people.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a legal representative. @see section 2.5 · D-19 */
export const getLegalRep: GetLegalRepHandler<Contexts> = async ({ legalRepId }, context) => {
  const legalRep = await scopedReader(context).legalRep(legalRepId);
  if (legalRep === undefined) throw context.error("NOT_FOUND_LEGAL_REP", { field: "/legalRepId" });
  return { legalRep: legalRepOf(legalRep) };
};
