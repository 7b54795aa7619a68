/** How the ends of a pattern are held: a `|` outside of groups would end the reach of either anchor. */
export function anchorsOf(pattern: string) {
  let depth = 0;
  let inClass = false;
  let hasTopAlternative = false;
  let isEndEscaped = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") {
      at += 1;
      isEndEscaped = at === pattern.length - 1;
    } else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "|" && depth === 0) hasTopAlternative = true;
  }
  return {
    hasTopAlternative,
    startsAnchored: pattern.startsWith("^"),
    endsAnchored: pattern.endsWith("$") && !isEndEscaped,
  };
}
