/** Characters of which an id of a request has some in a row. */
export interface IdPart {
  readonly characters: string;
  readonly least: number;
  readonly most: number;
}

/** The most characters of an id (D-09). */
export const idCharactersMax = 128;
/** The fewest ids of a pattern. From fewer, one is drawn twice too soon: an id stands for one change of the state (D-24). */
export const idsMin = 1e12;

const printable = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
const piece =
  /(\[(?!\^)(?:\\.|[^\]\\])+\]|\\[dw]|\\[^A-Za-z0-9]|[^\\^$.*+?()[\]{}|])(?:\{(\d+)(?:,(\d+))?\}|(\?))?/uy;

/**
 * The parts of the ids that a sound pattern allows, so that callers can draw one. Nothing for a pattern with groups,
 * alternatives, negated classes or unlimited repetitions.
 */
export function idParts(pattern: string): readonly IdPart[] | undefined {
  const source = pattern.slice(1, -1);
  const parts: IdPart[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < source.length) {
    const found = piece.exec(source);
    if (found === null) return undefined;
    const [, atom = "", least, most, maybe] = found;
    const fits = new RegExp(`^${atom}$`, "u");
    const characters = printable.filter((character) => fits.test(character)).join("");
    if (characters === "") return undefined;
    const low = maybe === undefined ? Number(least ?? 1) : 0;
    parts.push({ characters, least: low, most: Number(most ?? least ?? 1) });
  }
  return parts;
}

/** How many ids there are of the greatest length, and that length. */
export function idRoom(parts: readonly IdPart[]): { readonly ids: number; readonly longest: number } {
  return {
    ids: parts.reduce((ids, { characters, most }) => ids * characters.length ** most, 1),
    longest: parts.reduce((sum, { most }) => sum + most, 0),
  };
}
