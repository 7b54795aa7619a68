import type { PlannedFile } from "./planned-file.ts";

/** The files in an order in which each is moved away before another takes its place. */
export function movesInOrder(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const leaving = new Map(files.flatMap((file) => ("from" in file ? [[file.from, file]] : [])));
  const ordered = new Set<PlannedFile>();
  const visit = (file: PlannedFile, ahead: readonly PlannedFile[]): void => {
    if (ordered.has(file)) return;
    if (ahead.includes(file))
      throw new Error(`${file.path}: handler files would change places; nothing was written`);
    const occupant = leaving.get(file.path);
    if (occupant !== undefined && occupant !== file) visit(occupant, [...ahead, file]);
    ordered.add(file);
  };
  for (const file of files) visit(file, []);
  return [...ordered];
}
