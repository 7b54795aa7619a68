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

/** The suffixes that emitters append to the name of a method. */
export const methodCompanions = ["Payload", "Result", "Handler", "ErrorCode"] as const;

/** The suffixes that emitters append to the name of the interface. */
export const interfaceCompanions = ["Interface", "Handlers", "Client", "Error"] as const;
