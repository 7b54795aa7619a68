import type { FileDraft } from "../emit/emitter.ts";
import { digestOf } from "./digest.ts";
import { formatText } from "./format.ts";

/** A draft laid out as it is going to be written. */
export interface RenderedFile extends FileDraft {
  /** SHA-256 of the text's UTF-8 bytes. */
  readonly digest: string;
}

/** Formats every draft; in path order. Throws when two drafts claim one path: that is an emitter's bug. */
export async function render(drafts: readonly FileDraft[]): Promise<readonly RenderedFile[]> {
  const files = await Promise.all(
    drafts.map(async (draft) => {
      const text = await formatText(draft.path, draft.text);
      return { ...draft, text, digest: digestOf(text) };
    }),
  );
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
