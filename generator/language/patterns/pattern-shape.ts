/** How often something may repeat. */
interface Repetition {
  readonly least: number;
  readonly most: number;
}

/** The size of a backtracking search for a pattern. */
export interface PatternShape {
  /** The pattern with every limited repetition unlimited: what is fast without limits is fast within them. */
  readonly unlimited: string;
  /** In how many ways the limited repetitions and alternatives can be chosen, at most. */
  readonly ways: number;
  /** Characters and classes, each as often as limits let it stand. */
  readonly size: number;
  /** Characters of the shortest text. */
  readonly least: number;
}

/** Reads the source of a sound regular expression with the `u` flag. */
export function patternShape(pattern: string): PatternShape {
  let at = 0;
  let unlimited = "";

  function take(length: number): void {
    unlimited += pattern.slice(at, at + length);
    at += length;
  }

  /** Alternatives up to the end of their group. */
  function alternatives(): Omit<PatternShape, "unlimited"> {
    let total = { ways: 0, size: 0, least: Infinity };
    let current = { ways: 1, size: 0, least: 0 };
    const joined = (): typeof total => ({
      ways: total.ways + current.ways,
      size: total.size + current.size,
      least: Math.min(total.least, current.least),
    });
    for (; at < pattern.length && pattern[at] !== ")";) {
      if (pattern[at] === "|") {
        take(1);
        total = joined();
        current = { ways: 1, size: 0, least: 0 };
      } else {
        const { ways, size, least } = repeated(atom());
        current = { ways: current.ways * ways, size: current.size + size, least: current.least + least };
      }
    }
    return joined();
  }

  function atom(): Omit<PatternShape, "unlimited"> {
    if (pattern[at] !== "(") {
      const length = atomLength(pattern, at);
      const isPlace = /^(?:[$^]|\\b)$/i.test(pattern.slice(at, at + length));
      take(length);
      return { ways: 1, size: 1, least: isPlace ? 0 : 1 };
    }
    take(/^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(pattern.slice(at))?.[0].length ?? 1);
    const inner = alternatives();
    take(1);
    return inner;
  }

  function repeated(one: Omit<PatternShape, "unlimited">): Omit<PatternShape, "unlimited"> {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(pattern.slice(at))?.[0];
    if (found === undefined) return one;
    at += found.length;
    const { least, most } = repetition(found);
    unlimited += most === 1 ? found : least === 0 ? "*" : "+";
    if (pattern[at] === "?") take(1);
    return sizeOf(one, { least, most });
  }

  return { ...alternatives(), unlimited };
}

function sizeOf(
  { ways, size, least: shortest }: Omit<PatternShape, "unlimited">,
  { least, most }: Repetition,
): Omit<PatternShape, "unlimited"> {
  const total = { size: size * Math.max(1, most === Infinity ? least : most), least: shortest * least };
  return { ...total, ways: most === Infinity ? ways : ways ** most * (most - least + 1) };
}

function repetition(text: string): Repetition {
  if (text === "*") return { least: 0, most: Infinity };
  if (text === "+") return { least: 1, most: Infinity };
  if (text === "?") return { least: 0, most: 1 };
  const [least = "", most] = text.slice(1, -1).split(",");
  return { least: Number(least), most: most === undefined ? Number(least) : Number(most || Infinity) };
}

/** Length of a class, an escape or a character. */
function atomLength(pattern: string, at: number): number {
  if (pattern[at] === "\\")
    return /^\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)/su.exec(pattern.slice(at))?.[0].length ?? 2;
  if (pattern[at] !== "[") return 1;
  let end = at + 1;
  while (end < pattern.length && pattern[end] !== "]") end += pattern[end] === "\\" ? 2 : 1;
  return end + 1 - at;
}
