import type { State, Task } from "../generated/types.ts";

/** The tasks of one service, in memory: put your database here. */
export interface Tasks {
  list(state: State | undefined): readonly Task[];
  add(title: string): Task;
  /** Undefined where there is no such task. */
  finish(id: number): Task | undefined;
}

export function createTasks(): Tasks {
  const tasks = new Map<number, Task>();
  return {
    list: (state) => [...tasks.values()].filter((task) => state === undefined || task.state === state),
    add(title) {
      const task: Task = { id: tasks.size + 1, title, state: "open" };
      tasks.set(task.id, task);
      return task;
    },
    finish(id) {
      const task = tasks.get(id);
      if (task === undefined) return undefined;
      const finished: Task = { ...task, state: "done" };
      tasks.set(id, finished);
      return finished;
    },
  };
}
