import { accounts } from "../../tables/accounts.ts";
import { indexEntryRows, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { compareKeys, keyOf, type AccountKey, type KeySource } from "./keys.ts";
import type { CreationRange } from "./sources.ts";

/** Keys read at once of one customer: few at first, for most of many customers give none to a page. */
const portion = { first: 8, max: 512 };

/** The accounts of one customer, in order, as far as they were read. */
interface Stream {
  readonly customerId: string;
  /** Read and not yet given. */
  keys: readonly AccountKey[];
  last: AccountKey;
  portion: number;
  isEnded: boolean;
}

/** The accounts of some customers within a range of time, merged in order. */
// oxlint-disable-next-line max-lines-per-function -- the streams that are merged share one place in the order
export function mergedKeys<SqlValue>(
  institutionId: string,
  customerIds: readonly string[],
  range: CreationRange,
  dialect: SqlDialect<SqlValue>,
): KeySource<SqlValue> {
  const streams = customerIds.map<Stream>((customerId) => ({
    customerId,
    keys: [],
    last: { createdAt: range.from - 1, id: lastId },
    portion: portion.first,
    isEnded: false,
  }));
  const place = (position: number): string => dialect.placeholder(position);
  const sql =
    `SELECT created_at, id FROM accounts ${dialect.through(accounts, "accounts_by_customer")} ` +
    `WHERE institution_id = ${place(1)} AND customer_id = ${place(2)} ` +
    `AND (created_at, id) > (${place(3)}, ${place(4)}) AND created_at < ${place(5)} ` +
    `ORDER BY created_at, id LIMIT ${dialect.limit(place(6))}`;

  function* fill(stream: Stream): Reading<SqlValue, void> {
    const rows = yield {
      sql,
      values: [
        dialect.toSql("text", institutionId),
        dialect.toSql("text", stream.customerId),
        dialect.toSql("time", stream.last.createdAt),
        dialect.toSql("text", stream.last.id),
        dialect.toSql("time", range.until),
        dialect.toSql("integer", stream.portion),
      ],
      rowsRead: stream.portion * indexEntryRows,
    };
    stream.keys = rows.map(keyOf);
    stream.last = stream.keys.at(-1) ?? stream.last;
    stream.isEnded = rows.length < stream.portion;
    stream.portion = Math.min(stream.portion * 2, portion.max);
  }

  /** The position that all streams have reached: no earlier row can follow. */
  function known(): AccountKey | undefined {
    const open = streams.filter(({ isEnded }) => !isEnded).map(({ last }) => last);
    return open.reduce<AccountKey | undefined>(
      (least, key) => (least === undefined || compareKeys(key, least) < 0 ? key : least),
      undefined,
    );
  }

  const ready: AccountKey[] = [];
  return {
    *next(wanted) {
      while (ready.length < wanted && streams.some(({ isEnded, keys }) => !isEnded || keys.length > 0)) {
        for (const stream of streams) {
          if (stream.keys.length === 0 && !stream.isEnded) yield* fill(stream);
        }
        const upTo = known();
        for (const stream of streams) {
          const { keys } = stream;
          const after = upTo === undefined ? -1 : keys.findIndex((key) => compareKeys(key, upTo) > 0);
          const taken = after === -1 ? keys : keys.slice(0, after);
          stream.keys = keys.slice(taken.length);
          ready.push(...taken);
        }
        ready.sort(compareKeys);
      }
      return ready.splice(0, wanted);
    },
  };
}

/** Follows every identifier there is. */
const lastId = "\u{10ffff}";
