import { createHash } from "node:crypto";

/** Longest identifier and file name; what is longer is cut and gets a hash of the whole name. */
const lengthMax = 64;

/** Splits a name into words: at what no identifier can hold, at `_`, and where upper case begins. */
export function wordsOf(name: string): readonly string[] {
  const segments = name.normalize("NFC").split(/[^\p{ID_Continue}]+|[_$]+/u);
  return segments.filter((segment) => segment !== "").flatMap(wordsOfSegment);
}

function wordsOfSegment(segment: string): readonly string[] {
  if (isShouted(segment)) return [segment.charAt(0) + segment.slice(1).toLowerCase()];
  return segment.match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu) ?? [segment];
}

/** Written in capitals only: `BAD`, `R2P`. */
function isShouted(segment: string): boolean {
  return /\p{Lu}/u.test(segment) && !/\p{Ll}/u.test(segment);
}

export function pascalCase(name: string): string {
  return identifier(wordsOf(name).map(upperFirst).join(""), name);
}

export function camelCase(name: string): string {
  const [first = "", ...rest] = wordsOf(name);
  return identifier([first.toLowerCase(), ...rest.map(upperFirst)].join(""), name);
}

/** In ASCII: accents are dropped, and a hash distinguishes what is left out beyond them. */
export function kebabCase(name: string): string {
  const words = wordsOf(name).map((word) => word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase());
  const ascii = words.map((word) => word.replaceAll(/[^a-z0-9]/g, ""));
  const kept = ascii.filter((word) => word !== "").join("-");
  const isWhole = words.every((word, at) => word === ascii[at]) && kept !== "";
  const text = isWhole ? kept : [kept, hashOf(name)].filter((part) => part !== "").join("-");
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 9)}-${hashOf(name)}`;
}

/** Eight characters of base 36 that depend on the name alone. */
export function hashOf(name: string): string {
  const digest = createHash("sha256").update(name).digest();
  return (digest.readBigUInt64BE() % 36n ** 8n).toString(36).padStart(8, "0");
}

function identifier(text: string, name: string): string {
  if (text === "") return `_${hashOf(name)}`;
  const started = /^\p{ID_Start}/u.test(text) ? text : `_${text}`;
  return started.length <= lengthMax ? started : `${cut(started, lengthMax - 9)}_${hashOf(name)}`;
}

/** Never through the middle of a surrogate pair. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

function upperFirst(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length);
}
