/**
 * Preloaded (`--import`) into a program that is to die at a certain step. It ends the program, like `kill -9`, right
 * before the call in `KILLED_AT`, such as `2 exec COMMIT` (the second) or `1 renameSync`.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";

const [, count, name, text] = /^(\d+) (\w+)(?: (.+))?$/.exec(process.env["KILLED_AT"] ?? "") ?? [];
let left = Number(count);

function step(asked: unknown): void {
  if (text !== undefined && asked !== text) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

const { linkSync, renameSync } = fs;
const { exec } = DatabaseSync.prototype;
if (name === "linkSync")
  fs.linkSync = (...args) => {
    step(args[0]);
    linkSync(...args);
  };
if (name === "renameSync")
  fs.renameSync = (...args) => {
    step(args[0]);
    renameSync(...args);
  };
if (name === "exec")
  DatabaseSync.prototype.exec = function stepping(sql) {
    step(sql);
    exec.call(this, sql);
  };
syncBuiltinESMExports();
