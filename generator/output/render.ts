import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { FileDraft } from "../targets/emitter.ts";
import { digestOf } from "./digest.ts";
import { formatText } from "./format.ts";

/** A draft laid out as it is going to be written. */
export interface RenderedFile extends FileDraft {
  /** SHA-256 of the text's UTF-8 bytes. */
  readonly digest: string;
}

/**
 * Formats every draft, on threads, while the next ones are printed; in path order. Throws when two drafts claim one path:
 * that is an emitter's bug.
 */
export type Render = (drafts: Iterable<FileDraft>) => Promise<readonly RenderedFile[]>;

export const render: Render = (drafts) => createRender()(drafts);

/** A `render` that remembers: it formats again only what is not as it was the last time. */
export function createRender(): Render {
  let known: ReadonlyMap<string, Known> = new Map();
  return async (drafts) => {
    const started: (Known | Promise<Known>)[] = [];
    for (const draft of drafts) {
      const last = known.get(draft.path);
      const digest = digestOfDraft(draft);
      if (last?.digest === digest) {
        started.push(last);
        continue;
      }
      const file = formatted(draft, digest);
      // A failure is thrown where all are awaited.
      file.catch(() => undefined);
      started.push(file);
      // The threads hand over what they have laid out, and take the next.
      await setImmediate();
    }
    const files = await Promise.all(started);
    known = new Map(files.map((each) => [each.file.path, each]));
    return inPathOrder(files.map(({ file }) => file));
  };
}

interface Known {
  /** SHA-256 of the draft: its text is not kept. */
  readonly digest: string;
  readonly file: RenderedFile;
}

async function formatted(draft: FileDraft, digest: string): Promise<Known> {
  const text = await formatText(draft.path, draft.text);
  return { digest, file: { ...draft, text, digest: digestOf(text) } };
}

function digestOfDraft({ text, ...rest }: FileDraft): string {
  return createHash("sha256").update(JSON.stringify(rest)).update(text).digest("hex");
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
