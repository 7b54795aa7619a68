/**
 * The plan of a run for one file. Paths are relative to the project's root. Where there is a `read`, the
 * file belongs to its author: it is touched only if it still is what the run has read.
 */
export type PlannedFile =
  | { readonly kind: "keep"; readonly path: string }
  | { readonly kind: "create"; readonly path: string; readonly text: string; readonly read?: "nothing" }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly text: string;
      readonly before: string;
      /** SHA-256 of what was read. */
      readonly read?: string;
    }
  | { readonly kind: "delete"; readonly path: string; readonly before: string }
  | MovedFile
  | AsideFile;

/** A handler file that follows its method's new name. */
export interface MovedFile {
  readonly kind: "move";
  readonly path: string;
  readonly from: string;
  readonly text: string;
  readonly before: string;
  readonly read: string;
  /** SHA-256 of what lies where it goes and may be written over: a stub without a body. */
  readonly over?: string;
}

/** A handler file whose method is gone and that goes out of the way, as it is. */
export interface AsideFile {
  readonly kind: "aside";
  readonly path: string;
  readonly from: string;
  readonly before: string;
  readonly read: string;
}

/** Whether the plan leaves the disk as it is. */
export function isSettled(files: readonly PlannedFile[]): boolean {
  return files.every((file) => file.kind === "keep");
}

/** How many files there are once a plan is carried out, the manifest among them. */
export function filesLeft(files: readonly PlannedFile[]): number {
  return files.filter(({ kind }) => kind !== "delete" && kind !== "aside").length + 1;
}
