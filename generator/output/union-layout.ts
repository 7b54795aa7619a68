/**
 * Prettier puts a union that fits on the line below its opener there (`type A =`, then the members side by side);
 * the formatter we use breaks it into one member a line. This puts such unions back together, so that generated
 * code is what Prettier prints.
 */
export function joinShortUnions(code: string, printWidth: number): string {
  if (!/^\s*\| /m.test(code)) return code;
  const lines = code.split("\n");
  const joined: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const members = unionFrom(lines, at);
    const line = lines[at] ?? "";
    const union = members.length > 1 ? unionLine(members) : undefined;
    if (union !== undefined && union.length <= printWidth) {
      joined.push(union);
      at += members.length - 1;
    } else {
      joined.push(line);
    }
  }
  return joined.join("\n");
}

/** The lines of the union that starts here: each a whole member at one indentation, after a line that opens one. */
function unionFrom(lines: readonly string[], start: number): readonly string[] {
  const indent = memberIndent(lines[start]);
  if (indent === undefined || !opensUnion(lines[start - 1], indent)) return [];
  let end = start;
  while (memberIndent(lines[end]) === indent) end += 1;
  const after = /^ */.exec(lines[end] ?? "")?.[0].length ?? 0;
  // What follows this deep is the rest of a member, or a comment on the next: they keep the union broken.
  return (lines[end] ?? "") !== "" && after >= indent ? [] : lines.slice(start, end);
}

function memberIndent(line: string | undefined): number | undefined {
  return line === undefined ? undefined : /^( *)\| \S/.exec(line)?.[1]?.length;
}

function opensUnion(line: string | undefined, indent: number): boolean {
  if (line === undefined || !/[=:<(]$|\bas$/.test(line)) return false;
  return /^ */.exec(line)?.[0].length === indent - 2;
}

function unionLine(members: readonly string[]): string {
  const [first = "", ...rest] = members;
  return [first.replace("| ", ""), ...rest.map((member) => member.trim())].join(" ");
}
