import { setImmediate } from "node:timers/promises";
import type { FileDraft } from "../targets/emitter.ts";
import { digestOf } from "./digest.ts";
import { formatText } from "./format.ts";

/** A draft laid out as it is going to be written. */
export interface RenderedFile extends Omit<FileDraft, "pieces" | "isLaidOut"> {
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
      if (last !== undefined && isSame(last.draft, draft)) {
        started.push(last);
        continue;
      }
      const file = formatted(draft, last?.pieces);
      // A failure is thrown where all are awaited.
      file.catch(() => undefined);
      started.push(file);
      // The threads hand over what they have laid out, and take the next.
      await setImmediate();
    }
    const files = await Promise.all(started);
    known = new Map(files.map((each) => [each.draft.path, each]));
    return inPathOrder(files.map(({ file }) => file));
  };
}

function isSame(a: FileDraft, b: FileDraft): boolean {
  return a.text === b.text && a.path === b.path && a.ownership === b.ownership && a.method === b.method;
}

interface Known {
  readonly draft: FileDraft;
  readonly file: RenderedFile;
  /** Each piece of its text, as it was printed and as it was laid out. */
  readonly pieces?: LaidOut;
}

type LaidOut = ReadonlyMap<string, string>;

async function formatted(draft: FileDraft, last: LaidOut = new Map()): Promise<Known> {
  const { pieces: printed, isLaidOut = false, ...rest } = draft;
  if (printed === undefined) {
    const text = isLaidOut ? draft.text : await formatText(draft.path, draft.text);
    return { draft, file: { ...rest, text, digest: digestOf(text) } };
  }
  const pieces = new Map(
    await Promise.all(
      printed.map(async (piece) => {
        const laidOut = last.get(piece) ?? (await formatText(draft.path, piece)).trimEnd();
        return [piece, laidOut] as const;
      }),
    ),
  );
  const text = `${printed.map((piece) => pieces.get(piece)).join("\n\n")}\n`;
  return { draft, file: { ...rest, text, digest: digestOf(text) }, pieces };
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
