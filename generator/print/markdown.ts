/** Prose of a spec as one paragraph of Markdown: nothing in it is markup but code in backticks, which is shown as it is. */
export function markdownText(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, " ")
    .split(/(`[^`]+`)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/[\\`*_[\]<>|#]|&(?=#?\w+;)|^(?=[-+=~]|\d+[.)])/g, String.raw`\$&`),
    )
    .join("");
}

/** A text as code within a line of Markdown, with as many backticks around it as none in it has. */
export function markdownCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  if (longest === 0) return `\`${text}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}
