import { DuplicateRecordError } from "../../ports/index.ts";
import type { ConnectionOptions } from "../common/adapter.ts";
import { firstName } from "../common/named-database.ts";
import type { Places } from "../common/places.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { createConnections, type Session } from "./connections.ts";

/** Until it has arrived an institution is where it comes from. */
const databaseSql =
  "SELECT database_name FROM institution_places WHERE institution_id = $1 AND state IN ('MOVED', 'ARRIVING')";
const institutionSql =
  "SELECT institution_id FROM user_places WHERE user_name = $1 " +
  "UNION ALL SELECT institution_id FROM users WHERE user_name = $1 LIMIT 1";
const takeUserNameSql =
  "INSERT INTO user_places (user_name, institution_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const isHereSql = "SELECT 1 FROM institutions WHERE id = $1";
export const placeSql =
  "INSERT INTO institution_places (institution_id, state, database_name, paused_until) VALUES ($1, 'MOVED', $2, 0) " +
  "ON CONFLICT (institution_id) DO UPDATE SET state = 'MOVED', database_name = excluded.database_name, paused_until = 0";

const poolSizeMax = 4;

/** Opens the directory in the first database. */
export function openPlaces(url: string, options: ConnectionOptions): Places {
  const connections = createConnections(url, {
    ...options,
    poolSize: Math.min(poolSizeMax, options.poolSize),
  });

  async function asked<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await connections.session();
    let failure: unknown;
    try {
      return await work(session);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      session.release(failure);
    }
  }

  const textOf = (sql: string, key: string): Promise<string | undefined> =>
    asked(async (session) => {
      const [[value = null] = []] = await session.rows(sql, [key]);
      return value === null ? undefined : String(value);
    });

  return {
    databaseOf: (institutionId) => textOf(databaseSql, institutionId),
    institutionOf: (userName) => textOf(institutionSql, userName),
    takeUserName: (userName, institutionId) =>
      asked(async (session) => {
        await session.change(takeUserNameSql, [userName, institutionId]);
        const owners = await session.rows(ownersSql, [userName]);
        if (owners.some(([owner]) => owner !== institutionId)) {
          throw new DuplicateRecordError("users: the user name is taken");
        }
      }),
    place: (institutionId, database) =>
      asked(async (session) => {
        const [[present] = []] = await session.rows(databaseSql, [institutionId]);
        const isNew = present === undefined && (await session.rows(isHereSql, [institutionId])).length === 0;
        const found = present ?? (isNew ? undefined : firstName);
        if (found !== undefined && found !== database) {
          throw new StoreOpenError(
            `The institution ${institutionId} is in ${found} already: \`ledger-server move --institution\` moves it`,
          );
        }
        if (found === undefined && database !== firstName) {
          await session.change(placeSql, [institutionId, database]);
        }
      }),
    close: () => connections.close(),
  };
}

const ownersSql =
  "SELECT institution_id FROM user_places WHERE user_name = $1 UNION SELECT institution_id FROM users WHERE user_name = $1";
