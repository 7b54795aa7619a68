import type { Bytes } from "../bytes.ts";
import type { HeaderTexts } from "../observe.ts";
import type { Method } from "./method.ts";

/** A request as it will be sent, for schemes that sign it. */
export interface OutgoingRequest {
  /** `POST`; `GET` for the handshake of a WebSocket, which has no body. */
  readonly httpMethod: "POST" | "GET";
  readonly url: URL;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
}

/** A way to say who calls. */
export interface Scheme<Credential = never> {
  /** The header that it sends, in lower case: two schemes with the same one cannot both be used. Empty: none. */
  readonly header: string;
  /** Whether it signs what other schemes have added. */
  readonly signs?: boolean;
  headersFor(credential: Credential, request: OutgoingRequest): HeaderTexts | Promise<HeaderTexts>;
}

/** Chooses credentials and adds them to requests. */
export interface Authorizer {
  /** The headers for a request with calls of these methods. Rejects with a `TypeError` where credentials are missing. */
  headersFor(methods: readonly Method[], request: OutgoingRequest): Promise<HeaderTexts>;
  /** Throws a `TypeError` where credentials for calls of these methods are missing. */
  check(methods: readonly Method[]): void;
  /** Those of these methods for which there are credentials that one request can carry. */
  covered(methods: readonly Method[]): readonly Method[];
}

/** The schemes of an interface, with the credentials that the caller has. */
export function authorizer(schemes: Readonly<Record<string, Scheme>>, credentials: object = {}): Authorizer {
  const known = new Map(Object.entries(schemes));
  const given = new Map(Object.entries(credentials).filter(([, value]) => value !== undefined));
  for (const [name, value] of given) {
    if (!known.has(name)) throw new TypeError(`auth: no scheme ${name}`);
    if (!value || typeof value === "number") throw new TypeError(`auth.${name}: no credential`);
  }
  const has = new Set(given.keys());
  const names = (methods: readonly Method[]): readonly string[] => {
    const choice = chosen(methods, known, has);
    if ("missing" in choice) throw new TypeError(choice.missing);
    return choice.names;
  };
  return {
    check: names,
    covered: (methods) =>
      methods.reduce<readonly Method[]>((kept, method) => {
        const more = [...kept, method];
        return "missing" in chosen(more, known, has) ? kept : more;
      }, []),
    async headersFor(methods, request) {
      const used = names(methods).flatMap((name) => {
        const scheme = known.get(name);
        return scheme ? [{ scheme, credential: given.get(name) }] : [];
      });
      let headers: HeaderTexts = {};
      for (const { scheme, credential } of used.toSorted((a, b) => order(a.scheme) - order(b.scheme))) {
        const all = { ...request, headers: { ...request.headers, ...headers } };
        const more: HeaderTexts = await Reflect.apply(scheme.headersFor, scheme, [credential, all]);
        headers = { ...headers, ...more };
      }
      return headers;
    },
  };
}

/** Schemes that sign come after those whose output they may sign. */
function order({ signs }: Scheme): number {
  return signs ? 1 : 0;
}

/**
 * The names of the schemes to use: for each method, its first alternative that has credentials and does not put two
 * of them into one header.
 */
function chosen(
  methods: readonly Method[],
  known: ReadonlyMap<string, Scheme>,
  given: ReadonlySet<string>,
): { readonly names: readonly string[] } | { readonly missing: string } {
  const names = new Set<string>();
  for (const { name, security = [] } of methods) {
    const fitting = security.find((alternative) => {
      const all = [...new Set([...names, ...alternative])];
      const headers = new Set(all.map((one) => known.get(one)?.header));
      return alternative.every((one) => given.has(one)) && headers.size === all.length;
    });
    if (security.length > 0 && !fitting) {
      const wanted = security.map((alternative) => alternative.join(" and ")).join(", or ");
      const others = names.size > 0 ? ` beside ${[...names].join(", ")}: call it by itself` : "";
      return { missing: `${name} needs credentials in auth: ${wanted}${others}` };
    }
    for (const one of fitting ?? []) names.add(one);
  }
  return { names: [...names] };
}

/** A member of a client whose credentials fit one of the alternatives; what is missing where they do not. */
export type Allowed<
  Given extends string,
  Needs extends readonly (readonly string[])[],
  Member,
> = true extends {
  readonly [At in keyof Needs]: [Exclude<Needs[At][number], Given>] extends [never] ? true : false;
}[number]
  ? Member
  : NeedsCredentials<Needs>;

/** Cannot be called: the client was made without the credentials that the method asks for. */
export interface NeedsCredentials<Needs> {
  readonly needsCredentials: Needs;
}
