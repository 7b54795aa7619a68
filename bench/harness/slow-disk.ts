import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./processes.ts";

const source = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static int slowly(const char *name, int fd) {
  struct timespec pause = {0, 1000000};
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  nanosleep(&pause, 0);
  return real(fd);
}
int fdatasync(int fd) { return slowly("fdatasync", fd); }
int fsync(int fd) { return slowly("fsync", fd); }
`;

/** The environment of a process for which each wait for the disk takes 1 ms longer; nothing where no `gcc` is. */
export function slowDiskEnvironment(): NodeJS.ProcessEnv | undefined {
  const folder = temporaryFolder();
  const [code, library] = [join(folder, "slow-disk.c"), join(folder, "slow-disk.so")];
  writeFileSync(code, source);
  const { status } = spawnSync("gcc", ["-shared", "-fPIC", "-O2", "-o", library, code, "-ldl"]);
  return status === 0 ? { ...process.env, LD_PRELOAD: library } : undefined;
}
