/** The words of an answer: of a page those that it shows, in one line, of anything else the text as it is. */
export function wordsOf(text: string): string {
  if (!/^\s{0,20}<(?:!doctype html|html)\b/i.test(text)) return text;
  const words = text
    .replaceAll(/<[^<>]*>/g, " ")
    .split(/\s/)
    .filter((each) => each !== "")
    .join(" ");
  return `a page that says: ${words}`;
}
