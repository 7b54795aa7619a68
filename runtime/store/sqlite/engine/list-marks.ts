import { createMarkers } from "../../common/marker.ts";
import type { Listing } from "../../sql/listing.ts";
import type { Connection } from "../connection.ts";
import { sqliteDialect } from "../dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { runRead } from "../reading/run-reading.ts";

/** Marks made in one transaction, which others wait for: a millisecond or two. */
const markedAtOnce = 2;

/** Has a list marked where a page far behind its first was read. */
export function createListMarking(
  connection: Connection,
  { transact }: Pick<GroupCommit, "transact">,
): <Asked, R>(listing: Listing<Asked, R>, asked: Asked) => Promise<void> {
  const markerOf = createMarkers();
  return async ({ name, marks }, asked) => {
    const place = marks.placeOf(asked, sqliteDialect);
    if (place === undefined) return;
    const limits = { count: markedAtOnce, untilMs: Infinity };
    const markSome = async (): Promise<boolean> => {
      const added = runRead(connection, marks.next(asked, limits, sqliteDialect), Infinity);
      for (const { sql, values } of added) connection.change(sql, values);
      return added.length === markedAtOnce;
    };
    await markerOf(name, marks.every).noteOffset(place.list, place.offset, async () => {
      while (await transact(markSome, { isRepeatable: true }));
    });
  };
}
