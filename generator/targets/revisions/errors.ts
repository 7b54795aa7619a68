import { errorsOfMethod, type ErrorModel, type MethodModel } from "../../model/index.ts";
import type { Conversions } from "./conversions.ts";

/**
 * The codes that a method gives only in the later revision. Callers of the earlier one get its former name, or the
 * fault nearest to its HTTP status.
 */
export function errorConversions(
  conversions: Conversions,
  old: MethodModel,
  recent: MethodModel,
): ReadonlyMap<string, string> {
  const known = new Set(errorsOfMethod(conversions.old, old).map(({ code }) => code));
  const given = errorsOfMethod(conversions.new, recent).map(({ declared }) => declared);
  return new Map(
    given
      .filter(({ code }) => !known.has(code))
      .map((error) => [
        error.code,
        (error.code === recent.paging?.empty ? old.paging?.empty : undefined) ??
          insteadOf(error, known, conversions),
      ]),
  );
}

function insteadOf(
  { renamedFrom, httpStatus }: ErrorModel,
  known: ReadonlySet<string>,
  { old: { faults } }: Conversions,
): string {
  if (renamedFrom !== undefined && known.has(renamedFrom)) return renamedFrom;
  const fault = faultOf(httpStatus);
  return faults[fault] ?? faults["internal"] ?? "";
}

/** The condition that an HTTP status is nearest to. */
function faultOf(httpStatus: number): string {
  if (httpStatus === 401 || httpStatus === 403) return "unauthorized";
  if (httpStatus === 429) return "rateLimited";
  if (httpStatus === 503) return "unavailable";
  return httpStatus >= 400 && httpStatus < 500 ? "badInput" : "internal";
}
