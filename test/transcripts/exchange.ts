/** One request and its expected response, as a transcript file holds them. */
export interface Exchange {
  readonly title: string;
  /** Request line, headers, empty line, body: with placeholders, lines ending in LF. */
  readonly request: string;
  /** The response, headers in the order in which they are sent. */
  readonly response: string;
}

export interface Transcript {
  /** Comment lines at the top. */
  readonly preface: string;
  /** The service's configuration: `# service: strict`. */
  readonly variant: string;
  readonly exchanges: readonly Exchange[];
}

const titleMark = "### ";
const responseMark = "<<<";

/**
 * Reads a transcript: comments, then exchanges, each a line `### title`, the request, a line `<<<` and the response.
 * The exchanges of a file happen in order, against one service.
 */
export function parseTranscript(text: string): Transcript {
  const [preface = "", ...parts] = text.split(/^### /m);
  const exchanges = parts.map((part) => {
    const lineEnd = part.indexOf("\n");
    const [request = "", response = ""] = part.slice(lineEnd + 1).split(/^<<<\n/m);
    return { title: part.slice(0, lineEnd), request: request.replace(/\n$/, ""), response: response.trimEnd() };
  });
  return { preface, variant: /^# service: (\w+)$/m.exec(preface)?.[1] ?? "standard", exchanges };
}

export function printTranscript({ preface, exchanges }: Transcript): string {
  const parts = exchanges.map(
    ({ title, request, response }) => `${titleMark}${title}\n${request}\n${responseMark}\n${response}\n`,
  );
  return preface + parts.join("\n");
}
