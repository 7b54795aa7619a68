import { randomBytes } from "node:crypto";
import pg from "pg";

/** One statement of a recorded transaction. */
interface Recorded {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Replays a transaction that was recorded, with identifiers of its own. */
export type Replay = (client: pg.PoolClient) => Promise<void>;

/** The columns whose values no two rows share. */
const uniqueColumns = new Set(["id", "number", "request_hash", "subject_id"]);

/**
 * Records the statements of a call and returns the transaction that inserts into `table`, with the same statements
 * and values except identifiers.
 */
export async function recordTransaction(table: string, call: () => Promise<void>): Promise<Replay> {
  const connections = new Map<pg.Client, Recorded[]>();
  const original = pg.Client.prototype.query;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...args: readonly unknown[]): unknown {
      const [question] = args;
      if (isRecorded(question)) {
        const recorded = connections.get(this) ?? [];
        recorded.push({ text: question.text, values: [...question.values] });
        connections.set(this, recorded);
      }
      return Reflect.apply(original, this, args);
    },
  });
  try {
    await call();
  } finally {
    Object.assign(pg.Client.prototype, { query: original });
  }
  for (const recorded of connections.values()) {
    const insert = recorded.findLastIndex(({ text }) => text.startsWith(`INSERT INTO ${table} `));
    const begin = recorded.findLastIndex(({ text }, index) => index < insert && text.startsWith("BEGIN"));
    const end = recorded.findIndex(({ text }, index) => index > insert && text === "COMMIT");
    if (begin !== -1 && end !== -1) return replayOf(recorded.slice(begin, end + 1));
  }
  throw new Error(`the call inserted nothing into ${table}`);
}

function isRecorded(question: unknown): question is Recorded {
  return (
    typeof question === "object" &&
    question !== null &&
    "text" in question &&
    "values" in question &&
    Array.isArray(question.values)
  );
}

function replayOf(statements: readonly Recorded[]): Replay {
  const identifiers = [...new Set(statements.flatMap(uniqueValues))];
  const named = statements.map((statement, index) => ({ ...statement, name: `replayed_${index}` }));
  return async (client) => {
    const fresh = new Map(identifiers.map((value) => [value, sameLength(value)]));
    const renewed = (value: unknown): unknown => {
      if (typeof value !== "string") return value;
      let text = value;
      for (const [from, to] of fresh) text = text.replaceAll(from, to);
      return text;
    };
    for (const { name, text, values } of named) {
      await client.query({ ...(values.length > 0 && { name }), text, values: values.map(renewed) });
    }
  };
}

function uniqueValues({ text, values }: Recorded): readonly string[] {
  const [, list] = /^INSERT INTO \w+ \(([^)]*)\)/.exec(text) ?? [];
  const columns = list?.split(", ") ?? [];
  return columns.flatMap((column, index) => {
    const value = values[index];
    return uniqueColumns.has(column) && typeof value === "string" ? [value] : [];
  });
}

function sameLength(value: string): string {
  const isDigits = /^\d+$/.test(value);
  const bytes = randomBytes(value.length);
  return isDigits
    ? [...bytes].map((byte) => byte % 10).join("")
    : bytes.toString("hex").slice(0, value.length);
}
