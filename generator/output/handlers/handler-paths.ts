import type { HandlerEntry } from "../manifest.ts";
import type { RenderedFile } from "../render.ts";
import { digestOfStub, type HandFiles } from "./hand-files.ts";
import { isStub, type StubParts } from "./stub-parts.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** A method's handler as it would be created today. */
export interface WantedHandler {
  readonly method: string;
  readonly stub: RenderedFile;
  readonly parts: StubParts;
  readonly entry: HandlerEntry;
}

/** The clues to where a method's handler may be now. */
export interface Candidate {
  readonly wanted: WantedHandler;
  /** The entry of the last run for the method itself. */
  readonly own?: HandlerEntry;
  /** The entries under its former names, known ones before guessed ones. */
  readonly former: readonly HandlerEntry[];
}

/** Where a method's handler is. */
export interface HandlerPath {
  readonly wanted: WantedHandler;
  readonly kind: "new" | "here" | "elsewhere";
  /** The file that holds the body now; if none does, where it belongs. */
  readonly from: string;
  /** The entry of that file; absent where it is not known. */
  readonly before?: HandlerEntry;
}

interface Move {
  readonly from: string;
  readonly before: HandlerEntry;
}

/**
 * Finds the file of every method: where it belongs, or where it was under another name. A file that holds a person's
 * work is no place to move another to.
 */
export function findHandlerPaths(
  candidates: readonly Candidate[],
  files: HandFiles,
  handlers: string,
): readonly HandlerPath[] {
  const moves = movesOf(candidates, files, handlers);
  const movedAway = new Set([...moves.values()].map(({ from }) => from));
  return candidates.map(({ wanted, own, former }): HandlerPath => {
    const { path } = wanted.stub;
    const move = moves.get(path);
    if (move !== undefined) return { wanted, kind: "elsewhere", ...move };
    if (!files.has(path) || movedAway.has(path)) return { wanted, kind: "new", from: path };
    const before = own ?? former[0];
    return omitUndefined({ wanted, kind: "here", from: path, before });
  });
}

/** By the path that each goes to. */
function movesOf(
  candidates: readonly Candidate[],
  files: HandFiles,
  handlers: string,
): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>();
  const settled = new Set(
    candidates.flatMap(({ wanted, own }) => (own?.file === wanted.entry.file ? [wanted.stub.path] : [])),
  );
  const claimed = new Set<string>();
  for (const { wanted, own, former } of candidates) {
    const { path } = wanted.stub;
    const sources = [...(own === undefined ? [] : [own]), ...former]
      .map((before): Move => ({ from: `${handlers}/${before.file}`, before }))
      .filter(({ from }) => from !== path && files.has(from) && !settled.has(from) && !claimed.has(from));
    // A person's work comes before a stub: else the next run would move it over the stub.
    const move = sources.find((source) => !isUntouched(source, files)) ?? sources[0];
    if (move === undefined) continue;
    moves.set(path, move);
    claimed.add(move.from);
  }
  dropBlocked(moves, candidates, files);
  return moves;
}

/** Whether the file is still the stub that was written: it holds no person's work. */
function isUntouched({ from, before }: Move, files: HandFiles): boolean {
  const bytes = files.get(from);
  return bytes !== undefined && digestOfStub(bytes) === before.stub;
}

/**
 * A move is dropped if its target holds work that does not move away itself, or if it would move a stub onto another
 * file. Its source may then block others.
 */
function dropBlocked(moves: Map<string, Move>, candidates: readonly Candidate[], files: HandFiles): void {
  const byPath = new Map(candidates.map((candidate) => [candidate.wanted.stub.path, candidate]));
  const isFree = ([path, move]: [string, Move]): boolean => {
    const bytes = files.get(path);
    if (bytes === undefined || [...moves.values()].some(({ from }) => from === path)) return true;
    if (isUntouched(move, files)) return false;
    const { wanted, own } = byPath.get(path) ?? {};
    return digestOfStub(bytes) === own?.stub || (wanted !== undefined && isStub(bytes, wanted.stub.text));
  };
  for (;;) {
    const blocked = [...moves].filter((move) => !isFree(move));
    if (blocked.length === 0) return;
    for (const [path] of blocked) moves.delete(path);
  }
}
