import { StoreOpenError } from "../../common/store-open-error.ts";
import type { NamedDatabase } from "../../common/named-database.ts";
import { requireUpToDate } from "../../postgres/migrate.ts";
import { knownSealKeys } from "../../postgres/seal/seal-keys.ts";
import { placeSql } from "../../postgres/places.ts";
import { carryOut, type CarriedOut } from "./carry-out.ts";
import { comparedTables, type ComparedTables } from "./compared-tables.ts";
import { whereabouts, withDeployment, type Deployment } from "./deployment.ts";
import { placeIn, removeMovedRows, requireNoOtherMove, resume, takeBack, type Move } from "./steps.ts";

export interface MoveInstitutionOptions {
  readonly institutionId: string;
  /** All databases of the deployment; the first one holds the directory. */
  readonly databases: readonly NamedDatabase[];
  /** Name of the one to move to. */
  readonly to: string;
  /** Called with the number of rows written so far. */
  readonly onProgress: (rows: number) => void;
}

export interface MovedInstitution extends CarriedOut {
  readonly from: string;
}

/**
 * Moves an institution to another database while both are served. Copies one state of it and compares every row, while
 * transactions note what they change; then copies what was noted, again and again until that is little; then pauses writes,
 * copies and compares the rest, and has it served from the target. Reads are answered all the time. Run again after an
 * interruption, it goes on.
 * @throws StoreOpenError where it cannot be moved; it stays where it is then.
 */
export function moveInstitution(options: MoveInstitutionOptions): Promise<MovedInstitution> {
  const { databases, to, institutionId, onProgress } = options;
  return withDeployment(databases, async (deployment) => {
    const target = await deployment.sessionOf(to);
    const { from, to: former = to } = await whereabouts(institutionId, deployment);
    if (former !== to) {
      throw new StoreOpenError(
        `A move of institution ${institutionId} to ${former} was interrupted: run it again, or take it back with --abort`,
      );
    }
    if (from === to) {
      await removeMovedRowsOfOthers(deployment, institutionId, to);
      return { from, rows: 0, pauseMs: 0 };
    }
    const source = await deployment.sessionOf(from);
    const move: Move = { source, target, institutionId, from, to };
    for (const session of [source, target]) await requireNoOtherMove(session, institutionId);
    const moved = await carryOut(move, await checkedTables(move), onProgress);
    const first = databases[0]?.name ?? from;
    if (first !== from && first !== to)
      await (await deployment.sessionOf(first)).change(placeSql, [institutionId, to]);
    return { from, ...moved };
  });
}

/**
 * Takes back a move that was interrupted: the institution stays where it was, and its writes go on at once. Rows that were
 * copied stay in the target as former rows, which are not read; they are a state that was once true.
 * @returns the name of the database that has it, and of the one that it was to be moved to, if it was.
 * @throws StoreOpenError where a move is under way.
 */
export function abortMove(
  options: Pick<MoveInstitutionOptions, "institutionId" | "databases">,
): Promise<{ readonly from: string; readonly to: string | undefined }> {
  const { databases, institutionId } = options;
  return withDeployment(databases, async (deployment) => {
    const { from, to } = await whereabouts(institutionId, deployment);
    if (to === undefined) return { from, to };
    const source = await deployment.sessionOf(from);
    const target = await deployment.sessionOf(to);
    for (const session of [source, target]) await requireNoOtherMove(session, institutionId);
    await takeBack({ source, target, institutionId, from, to });
    return { from, to };
  });
}

/** Finishes a move that was interrupted at its very end. */
async function removeMovedRowsOfOthers(
  { databases, sessionOf }: Deployment,
  institutionId: string,
  to: string,
): Promise<void> {
  const target = await sessionOf(to);
  for (const { name } of databases.filter((database) => database.name !== to)) {
    const source = await sessionOf(name);
    const place = await placeIn(source, institutionId);
    if (place?.state !== "MOVED") continue;
    await removeMovedRows({ institutionId, from: name, to, source, target });
    await resume({ source, institutionId });
  }
}

/** Throws a `StoreOpenError` where the rows of one database would not be of use in the other. */
async function checkedTables({ source, target, institutionId, to }: Move): Promise<ComparedTables> {
  await requireUpToDate(target);
  const [there, here] = await Promise.all([knownSealKeys(source), knownSealKeys(target)]);
  if (here.current !== there.current) {
    throw new StoreOpenError(
      `${to} is sealed with key ${here.current ?? "none yet"}, the institution's database with ${there.current}: give both the ` +
        "same, and start a service on them once",
    );
  }
  const [[unowned = null] = []] = await source.rowsOnce(
    "SELECT count(*) FROM answers WHERE institution_id IS NULL AND created_at > $1",
    [Date.now() - 24 * 3_600_000],
  );
  if (Number(unowned) > 0) {
    throw new StoreOpenError(
      `${unowned} stored results were kept by an earlier release and do not say whose they are: move 24 hours after the upgrade`,
    );
  }
  const place = await placeIn(target, institutionId);
  const isThere = await target.rowsOnce("SELECT 1 FROM institutions WHERE id = $1", [institutionId]);
  if (place === undefined && isThere.length > 0) {
    throw new StoreOpenError(`${to} has another institution ${institutionId} of its own`);
  }
  return comparedTables(source, target);
}
