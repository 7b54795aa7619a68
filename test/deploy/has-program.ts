import { spawnSync } from "node:child_process";

/** Whether the machine has a program, wherever its PATH finds it. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"]).status === 0;
}
