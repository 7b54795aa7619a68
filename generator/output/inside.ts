import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";

/** A link on the way to a file leads out of the folder that is written to. */
export class LeadsOutside extends Error {
  override readonly name = "LeadsOutside";

  constructor() {
    super("a link of its path leads out of the project");
  }
}

/** @throws LeadsOutside where a path, as far as it exists, lies outside of the root behind a link. */
export function checkInside(root: string, path: string): void {
  let there = resolve(root, path);
  while (!existsSync(there)) {
    // A written file replaces a link that leads nowhere; no file can be put into such a link.
    if (isLink(there) && there !== resolve(root, path)) throw new LeadsOutside();
    if (dirname(there) === there) return;
    there = dirname(there);
  }
  checkWithin(root, realpathSync(there));
}

/** Makes a folder below the root, which no link leads out of. */
export function makeFolder(root: string, folder: string): void {
  checkInside(root, folder);
  mkdirSync(resolve(root, folder), { recursive: true });
}

/**
 * Uses a place of a file: `use` gets a path to it. On Linux the path goes through the open folder, so a link put in
 * place of a folder meanwhile leads nowhere else. Other systems notice such a link afterwards.
 * @throws LeadsOutside
 */
export function atPlace<T>(root: string, path: string, use: (place: string) => T): T {
  const folder = dirname(resolve(root, path));
  const name = basename(path);
  const real = realpathSync(folder);
  checkWithin(root, real);
  if (!existsSync("/proc/self/fd")) {
    const result = use(`${real}${sep}${name}`);
    checkWithin(root, realpathSync(folder));
    return result;
  }
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const open = `/proc/self/fd/${descriptor}`;
    checkWithin(root, readlinkSync(open));
    return use(`${open}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}

/** False where there is nothing, as below a file. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function checkWithin(root: string, real: string): void {
  if (isBelow(realpathSync(root), real)) return;
  throw new LeadsOutside();
}

/** Whether a path is a folder or lies in it; no link is followed. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
}
