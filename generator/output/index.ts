/** What every run loads. `plan.ts` and `render.ts` are loaded by those that have something to do. */
export { digestOf } from "./digest.ts";
export { atPlace, checkInside, isBelow, LeadsOutside, makeFolder } from "./inside.ts";
export { projectFolder, reasonOf, snapshotOf, UnreadableFile, type ProjectFolder } from "./folder.ts";
export { rememberingFolder } from "./remembering-folder.ts";
export type { RenderedFile } from "./render.ts";
export type { WritePlan } from "./plan.ts";
export { filesLeft, isSettled, type PlannedFile } from "./planned-file.ts";
export { apply, type WriteReport } from "./apply.ts";
export { isUpToDate, rememberRun, type RunInputs, type UpToDate } from "./up-to-date.ts";
export { diagnosticsOfNextRun } from "./saved-diagnostic.ts";
