const widthMax = 92;

/** A paragraph, broken between words. */
export function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > widthMax) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

/** An example, set off from the text around it. */
export function indented(example: string): string {
  return example.trimEnd().replaceAll(/^(?=.)/gm, "    ");
}
