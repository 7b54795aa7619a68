import { plainHeaders } from "./plain-headers.ts";

/** Gives options with plain headers; throws a `TypeError` for those that cannot work. An absent one is undefined, not null. */
export function checked<
  Options extends { readonly headers?: Readonly<Record<string, string>>; readonly hooks?: object },
>(options: Options): Options {
  for (const [name, value] of Object.entries<unknown>({ ...options, ...options.hooks })) {
    const least = name.startsWith("b") ? 0 : 1;
    const [kind, isRight] = /^(?:fetch|before|after|open|onOpen|authorize)$/.test(name)
      ? ["a function", typeof value === "function"]
      : /^(?:hooks|headers|auth|signal)$/.test(name)
        ? ["an object", typeof value === "object" && value && !Array.isArray(value)]
        : [
            `${least} to ${2 ** 31 - 1} or Infinity`,
            !/M(s|ax)$/.test(name) ||
              value === Number.POSITIVE_INFINITY ||
              (typeof value === "number" && value >= least && value < 2 ** 31),
          ];
    if (value !== undefined && !isRight) throw new TypeError(`${name} is not ${kind}`);
  }
  return options.headers ? { ...options, headers: plainHeaders(options.headers) } : options;
}

/**
 * Throws a `TypeError` for an option that there is none of, which would have no effect. `names` are those that not all
 * clients have.
 */
export function expectKnown(options: object, names: string): void {
  const known = `${names} ${common}`.split(" ");
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const likeness = (other: string) =>
      pairsOf(other).filter((pair) => pairsOf(name).includes(pair)).length / (name.length + other.length);
    const [best = ""] = known.toSorted((a, b) => likeness(b) - likeness(a));
    throw new TypeError(`no option ${name}${likeness(best) > 0.25 ? `: did you mean ${best}?` : ""}`);
  }
}

const common =
  "headers fetch hooks answerBytesMax attemptTimeoutMs totalTimeoutMs attemptsMax backoffMs backoffMsMax";

/** Each letter of a name with the next one. */
function pairsOf(name: string): readonly string[] {
  return [...name.toLowerCase()].map((letter, at, letters) => letter + letters[at + 1]);
}

/** It holds 100 retries. Each takes one out, each call that is answered puts a half back. */
export function retryStore(): (wouldHelp: boolean) => boolean {
  let left = 100;
  return (wouldHelp) => {
    if (wouldHelp) return left >= 1 && !!left--;
    left = Math.min(100, left + 0.5);
    return false;
  };
}

/** The source that a body is read from. */
export type Readable = Pick<Response, "text"> & { readonly body?: Response["body"] };

/** The text of a body, or as much of it as may be read. */
export async function textOf(response: Readable, bytesMax: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  for (let [text, left] = ["", bytesMax]; ;) {
    const { value } = await reader.read();
    text += decoder.decode(value, { stream: !!value });
    left -= value?.length ?? 0;
    if (left < 0) await reader.cancel();
    if (left < 0 || !value) return text;
  }
}
