import { createHash } from "node:crypto";

/** The identifiers that emitters use for one item: legal in TypeScript, unique among items of its kind. */
export interface Names {
  /** PascalCase, for types: `GetAccount`. */
  readonly type: string;
  /** camelCase, for values and functions: `getAccount`. */
  readonly value: string;
  /** kebab-case, for files and folders: `get-account`. Unique ignoring case; at most 64 characters. */
  readonly file: string;
}

/** The kind of a name; it is appended where the plain name is reserved. */
export type NameKind = "Method" | "Type" | "Service" | "Event" | "Error" | "Form";

/**
 * The names of one item. They depend on its own name and on reserved words alone, so that nothing else in the spec changes
 * them; `avoided` are reserved words of the interface. Two items that come to one name are a mistake (`code-name-taken`).
 */
export function namesOf(
  kind: NameKind,
  name: string,
  { codeName, avoided = none }: { readonly codeName?: string | undefined; readonly avoided?: Avoided } = {},
): Names {
  const said = codeName ?? name;
  const isKept = codeName !== undefined || (kind === "Type" && isPascalCase(said));
  const type = isKept ? said : pascalCase(said);
  const value = camelCase(said);
  const file = kebabCase(said);
  return {
    type: isReservedType(type) || avoided.types.has(type) ? `${type}${kind}` : type,
    value: reservedValues.has(value) || avoided.values.has(value) ? `${value}${kind}` : value,
    file: reservedFiles.has(file) ? withTail(file, kind.toLowerCase()) : file,
  };
}

/** Words that generated code needs for the interface as a whole. */
export interface Avoided {
  readonly types: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const none: Avoided = { types: new Set(), values: new Set() };

/** A type's own spelling is kept where it is an identifier with a capital: `DOB`, `DDAAccount`. */
function isPascalCase(name: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}]{0,63}$/u.test(name) && name.length <= 64 && name.normalize("NFC") === name;
}

function isReservedType(name: string): boolean {
  return reservedValues.has(name) || reservedTypes.has(name);
}

function withTail(file: string, tail: string): string {
  return `${file.slice(0, 63 - tail.length)}-${tail}`;
}

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

/**
 * Members that the language calls by itself, or that all objects inherit. Printing a client would call its
 * `toString`, serialising it its `toJSON`, and with `then` it would look like a promise.
 */
export const objectMembers = [
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "then",
  "toJSON",
  "toLocaleString",
  "toString",
  "valueOf",
] as const;

/**
 * Words that no value may be called: keywords of JavaScript and TypeScript, names generated modules use, and what is
 * called on objects, modules among them.
 */
export const reservedValues: ReadonlySet<string> = new Set([
  ...objectMembers,
  ...`abstract any arguments as asserts async await bigint boolean break case catch class const continue
  debugger declare default delete do else enum eval export extends false finally for from function get global
  globalThis if implements import in infer instanceof interface intrinsic is keyof let module namespace never new
  null number object of out override package private protected prototype public readonly require return satisfies
  set static string super switch symbol this throw true try type typeof undefined unique unknown using var void
  while with yield
  client console contract crypto document errorCatalogue exports fetch handlers methods process schemas self
  unimplemented validators window z`.split(/\s+/),
]);

/** Names that no type may take: the globals that generated code relies on, and what it imports or declares itself. */
export const reservedTypes: ReadonlySet<string> = new Set(
  `Array ArrayBuffer AsyncIterable AsyncIterator Atomics Awaited BigInt Boolean Buffer Capitalize Crypto CryptoKey
  DataView Date Error Exclude Extract Function Generator Headers Infinity InstanceType Intl Iterable Iterator JSON
  Map Math NaN NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike PropertyKey Proxy Readonly
  ReadonlyArray ReadonlyMap ReadonlySet Record Reflect RegExp Request RequestInit Required Response ReturnType Set
  String SubtleCrypto Symbol TextDecoder TextEncoder URL URLSearchParams Uint8Array Uncapitalize WeakMap WeakSet
  AbortController AbortSignal
  AuthMember Client Contexts Decimal Effect ErrorCatalogue ErrorCode ErrorDescriptor FieldShape Handler
  MethodDescriptor ObjectShape PayloadValidator RpcError SignedInterfaceDescriptor UnimplementedError ValidationError`.split(
    /\s+/,
  ),
);

/** Files and folders that generated code has beside those of methods and services, and names Windows refuses. */
export const reservedFiles: ReadonlySet<string> = new Set(
  `aux client com1 com2 com3 com4 con contexts errors events handlers index lpt1 lpt2 lpt3 manifest methods nul prn
  schemas shapes types validators`.split(/\s+/),
);

/** The suffixes that emitters append to the name of the interface. */
export const interfaceCompanions = ["Interface", "Handlers", "Client", "Error"] as const;
