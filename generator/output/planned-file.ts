/** What a run is going to do with one file. Paths are relative to the project's root. */
export type PlannedFile =
  | { readonly kind: "keep"; readonly path: string }
  | { readonly kind: "create"; readonly path: string; readonly text: string }
  | { readonly kind: "update"; readonly path: string; readonly text: string; readonly before: string }
  | { readonly kind: "delete"; readonly path: string; readonly before: string }
  /** A handler file that follows its method's new name. */
  | {
      readonly kind: "move";
      readonly path: string;
      readonly from: string;
      readonly text: string;
      readonly before: string;
    };

/** Whether the plan leaves the disk as it is. */
export function isSettled(files: readonly PlannedFile[]): boolean {
  return files.every((file) => file.kind === "keep");
}
