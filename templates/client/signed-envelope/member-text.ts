const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * The text of a member of a JSON object, exactly as it stands: from its first character to its last. Of several with
 * one name, none: who signed one of them did not mean another.
 */
export function memberText(json: string, name: string): string | undefined {
  let depth = 0;
  let isName = false;
  let current: unknown;
  let start = -1;
  let end = -1;
  const found: string[] = [];
  for (const { 0: text, index } of json.matchAll(token)) {
    if (depth === 1 && (text === "," || text === "}")) {
      if (current === name) found.push(json.slice(start, end));
      current = undefined;
      start = -1;
      isName = text === ",";
    } else if (depth === 1 && isName) {
      current = JSON.parse(text);
      isName = false;
    } else if (depth === 1 && text === ":") {
      start = -1;
    } else if (start === -1) {
      start = index;
    }
    if (depth === 0) isName = text === "{";
    if (text === "{" || text === "[") depth += 1;
    if (text === "}" || text === "]") depth -= 1;
    end = index + text.length;
  }
  return found.length === 1 ? found[0] : undefined;
}
