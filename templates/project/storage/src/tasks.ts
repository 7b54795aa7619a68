import type { DatabaseSync } from "node:sqlite";
import type { State, Task } from "../generated/types.ts";

/** The tasks of one service, in a database. */
export interface Tasks {
  list(state: State | undefined): readonly Task[];
  add(title: string): Task;
  /** Undefined where there is no such task. */
  finish(id: number): Task | undefined;
}

const table = `
CREATE TABLE IF NOT EXISTS tasks (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done'))
)`;

export function createTasks(db: DatabaseSync): Tasks {
  db.exec(table);
  const list = db.prepare("SELECT id, title, state FROM tasks WHERE ?1 IS NULL OR state = ?1 ORDER BY id");
  const add = db.prepare("INSERT INTO tasks (title) VALUES (?) RETURNING id, title, state");
  const finish = db.prepare("UPDATE tasks SET state = 'done' WHERE id = ? RETURNING id, title, state");
  return {
    list: (state) => list.all(state ?? null).map(taskOf),
    add: (title) => taskOf(add.get(title) ?? {}),
    finish(id) {
      const row = finish.get(id);
      return row === undefined ? undefined : taskOf(row);
    },
  };
}

function taskOf({ id, title, state }: Readonly<Record<string, unknown>>): Task {
  return { id: Number(id), title: String(title), state: state === "done" ? "done" : "open" };
}
