import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { FaultyServer } from "../faults/faulty-server.ts";

/** Options that make a run short. */
export const usual = ["--operation", "AccountService.GetAccount/authentication", "--explore", "0"];

/** Writes an access file for a server into a folder. */
export function accessFile(folder: string, server: FaultyServer): string {
  const file = join(folder, "access.json");
  writeFileSync(file, JSON.stringify(server.access));
  return file;
}

/** Runs a program and gives its exit code and what it printed. */
export async function ran(
  program: string,
  args: readonly string[],
  { cwd, home }: { cwd: string; home: string },
) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], { cwd, env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code = -1, stdout = "", stderr = "" } = Object(error);
    return { code: Number(code), stdout: String(stdout), stderr: String(stderr) };
  }
}
