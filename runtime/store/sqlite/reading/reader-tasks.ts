import { type SqliteValue, type Connection, sqliteDialect } from "../connection.ts";
import { messageOf } from "../../../contract/index.ts";
import { TooManyRowsError, UnavailableError } from "../../ports/index.ts";
import type { Listing, Reading } from "../../sql/listing.ts";
import { codeOf } from "../errors.ts";

/** The data that a reading thread is started with. */
export interface ReaderSettings {
  readonly file: string;
  readonly limits: ReadLimits;
}

/** How much one question may take. */
interface ReadLimits {
  /** Rows that it looks at. Entries of an index alone count a fourth. */
  readonly rowsMax: number;
  /** Time that a thread spends on it. */
  readonly timeMs: number;
}

/** A question to a thread: a page of a list, which a module exports by a name, or the rows of one statement. */
export type Question =
  | { readonly kind: "list"; readonly module: string; readonly name: string; readonly asked: unknown }
  | { readonly kind: "rows"; readonly sql: string; readonly values: readonly SqliteValue[] };

/** `rows`: it would take looking at more rows than it may. `time`: it took more time. */
export type ReadFailure =
  | "rows"
  | "time"
  | { readonly message: string; readonly errcode: number | undefined };

export type Rows = readonly (readonly SqliteValue[])[];

export type ReadAnswer = { readonly rows: Rows } | { readonly failure: ReadFailure };

/** A question under way, with a connection inside a read transaction, so that it sees one state. */
interface Task {
  readonly answer: (answer: ReadAnswer) => void;
  readonly connection: Connection;
  readonly read: RunningRead<Rows>;
  usedMs: number;
}

/** How long one question is worked on before the others have their turns. */
const turnMs = 8;
const idleMax = 4;

/**
 * The questions that a thread works on, in turns. Next is always the one that has taken the least time so far: a page
 * that is found at once is answered at once, whatever else is being looked for.
 */
// oxlint-disable-next-line max-lines-per-function -- every step changes the list of tasks of one thread
export function createReaderTasks(options: {
  readonly open: () => Connection;
  readonly limits: ReadLimits;
  /** Imports the list that a question names. */
  readonly listOf: (module: string, name: string) => Promise<Pick<Listing<unknown, unknown>, "steps">>;
}): {
  /** Takes a question on, and calls `answer` once. */
  add(question: Question, answer: (answer: ReadAnswer) => void): Promise<void>;
  /** Works for one turn. Gives whether there is more to do. */
  work(): boolean;
} {
  const { limits } = options;
  const tasks: Task[] = [];
  const idle: Connection[] = [];

  return {
    add: async (question, answer) => {
      let connection: Connection | undefined;
      try {
        const reading = await readingOf(question);
        connection = idle.pop() ?? options.open();
        connection.execute("BEGIN");
        const read = startRead(connection, reading, limits.rowsMax);
        tasks.push({ answer, connection, read, usedMs: 0 });
      } catch (error) {
        if (connection !== undefined) release(connection);
        answer({ failure: failureOf(error) });
      }
    },
    work: () => {
      const task = tasks.reduce<Task | undefined>(
        (least, each) => (least === undefined || each.usedMs < least.usedMs ? each : least),
        undefined,
      );
      if (task !== undefined) takeTurn(task);
      return tasks.length > 0;
    },
  };

  async function readingOf(question: Question): Promise<Reading<SqliteValue, Rows>> {
    if (question.kind === "rows") return single(question);
    const { steps } = await options.listOf(question.module, question.name);
    return steps(question.asked, sqliteDialect);
  }

  function takeTurn(task: Task): void {
    const beganAt = performance.now();
    try {
      let isDone = false;
      const endsAt = beganAt + Math.min(turnMs, limits.timeMs);
      while (!isDone && performance.now() < endsAt) isDone = task.read.step();
      task.usedMs += performance.now() - beganAt;
      if (isDone) finish(task, { rows: task.read.answer() });
      else if (task.usedMs > limits.timeMs) finish(task, { failure: "time" });
    } catch (error) {
      finish(task, { failure: failureOf(error) });
    }
  }

  function finish(task: Task, answer: ReadAnswer): void {
    tasks.splice(tasks.indexOf(task), 1);
    release(task.connection);
    task.answer(answer);
  }

  function release(connection: Connection): void {
    try {
      if (connection.isTransaction) connection.execute("COMMIT");
    } catch {
      // A file that fails even then is of no use to the next question, which opens it anew.
      connection.close();
      return;
    }
    if (idle.length < idleMax) idle.push(connection);
    else connection.close();
  }
}

/** SQLite's own words for a fault that the connection has declared: it is declared again on arrival. */
function failureOf(error: unknown): ReadFailure {
  if (error instanceof TooManyRowsError) return "rows";
  const said = error instanceof UnavailableError ? error.cause : error;
  return { message: messageOf(said), errcode: codeOf(said) };
}

function* single({ sql, values }: Extract<Question, { readonly kind: "rows" }>): Reading<SqliteValue, Rows> {
  return yield { sql, values, rowsRead: 0 };
}

/** A reading under way. */
interface RunningRead<T> {
  /** Executes the next step. Gives whether there is an answer now. Throws a `TooManyRowsError`. */
  step(): boolean;
  /** The answer. Throws before there is one. */
  answer(): T;
}

/** Runs a reading on a connection, step by step. */
function startRead<T>(
  connection: Connection,
  reading: Reading<SqliteValue, T>,
  rowsMax: number,
): RunningRead<T> {
  let rows = 0;
  let turn = reading.next();
  return {
    step: () => {
      if (turn.done === true) return true;
      const { sql, values, rowsRead, passing } = turn.value;
      if (rowsRead !== undefined && rows + rowsRead > rowsMax) throw new TooManyRowsError(rowsMax);
      const found = passing === true ? connection.rowsOnce(sql, values) : connection.rows(sql, values);
      rows += rowsRead ?? found.length;
      turn = reading.next(found);
      return turn.done === true;
    },
    answer: () => {
      if (turn.done !== true) throw new Error("the read is not done");
      return turn.value;
    },
  };
}

/** Runs a reading to its end. */
export function runRead<T>(connection: Connection, reading: Reading<SqliteValue, T>, rowsMax: number): T {
  const read = startRead(connection, reading, rowsMax);
  while (!read.step());
  return read.answer();
}
