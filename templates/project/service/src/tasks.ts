import {
  defineTable,
  institutions,
  knownToEntries,
  oneOf,
  queryOf,
  text,
  time,
} from "ledger-rpc-runtime/store";
import type { Task } from "../generated/types.ts";

/** A task as the database has it. Users of one institution share their tasks. */
export interface TaskRecord extends Task {
  readonly institutionId: string;
  readonly createdAt: number;
}

export const tasks = defineTable<TaskRecord>({
  name: "tasks",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    title: text("title"),
    state: oneOf("state", ["open", "done"]),
    createdAt: time("created_at"),
  },
  key: ["institutionId", "id"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  indexes: { tasks_by_creation: ["institutionId", "createdAt", "id"] },
  // Each change leaves an audit entry; `verify` compares the table with them.
  audited: {
    subjectType: "task",
    by: "id",
    fields: { ...knownToEntries, title: "value", state: "value" },
  },
});

export const allTasks = queryOf(tasks, ["institutionId"], { order: ["createdAt", "id"] });

/** The topic of all events: a subscription may name several. */
export const topic = "tasks";
