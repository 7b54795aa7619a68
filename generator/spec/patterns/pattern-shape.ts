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
    let total = { ways: 0, size: 0 };
    let current = { ways: 1, size: 0 };
    for (; at < pattern.length && pattern[at] !== ")";) {
      if (pattern[at] === "|") {
        take(1);
        total = { ways: total.ways + current.ways, size: total.size + current.size };
        current = { ways: 1, size: 0 };
      } else {
        const { ways, size } = repeated(atom());
        current = { ways: current.ways * ways, size: current.size + size };
      }
    }
    return { ways: total.ways + current.ways, size: total.size + current.size };
  }

  function atom(): Omit<PatternShape, "unlimited"> {
    if (pattern[at] !== "(") {
      take(atomLength(pattern, at));
      return { ways: 1, size: 1 };
    }
    take(/^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(pattern.slice(at))?.[0].length ?? 1);
    const inner = alternatives();
    take(1);
    return inner;
  }

  function repeated({ ways, size }: Omit<PatternShape, "unlimited">): Omit<PatternShape, "unlimited"> {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(pattern.slice(at))?.[0];
    if (found === undefined) return { ways, size };
    at += found.length;
    const { least, most } = repetition(found);
    unlimited += most === 1 ? found : least === 0 ? "*" : "+";
    if (pattern[at] === "?") take(1);
    if (most === Infinity) return { ways, size: size * Math.max(1, least) };
    return { ways: ways ** most * (most - least + 1), size: size * Math.max(1, most) };
  }

  const { ways, size } = alternatives();
  return { unlimited, ways, size };
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
