import type { FileDraft } from "../emit/emitter.ts";
import { digestOf } from "./digest.ts";
import { formatText } from "./format.ts";

/** A draft laid out as it is going to be written. */
export interface RenderedFile extends FileDraft {
  /** SHA-256 of the text's UTF-8 bytes. */
  readonly digest: string;
}

/** How many files are formatted at once: enough for all cores, few enough to stay small. */
const formattedAtOnce = 8;

/** Formats every draft; in path order. Throws when two drafts claim one path: that is an emitter's bug. */
export async function render(drafts: readonly FileDraft[]): Promise<readonly RenderedFile[]> {
  const files: RenderedFile[] = [];
  const queue = drafts.values();
  const work = async (): Promise<void> => {
    for (const draft of queue) {
      const text = await formatText(draft.path, draft.text);
      files.push({ ...draft, text, digest: digestOf(text) });
    }
  };
  await Promise.all(Array.from({ length: formattedAtOnce }, work));
  return inPathOrder(files);
}

function inPathOrder(files: readonly RenderedFile[]): readonly RenderedFile[] {
  const seen = new Map<string, string>();
  for (const { path } of files) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) throw new Error(`two emitters want to write ${other} and ${path}`);
    seen.set(path.toLowerCase(), path);
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
