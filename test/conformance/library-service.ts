import { generateKeyPairSync, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import type { Access } from "../../conformance/index.ts";

/** What can be wrong with the service of `library.yaml`. */
export type LibraryFault =
  | "change-lost"
  | "change-of-all"
  | "refused-but-done"
  | "any-transition"
  | "repeated-twice"
  | "repeated-by-id"
  | "pages-overlap"
  | "condition-ignored"
  | "anything-found"
  | "title-shortened";

const Call = z.object({
  id: z.string(),
  method: z.string(),
  params: z.object({ api: z.object({ signature: z.string() }), payload: z.unknown() }),
});
const Shelf = z.enum(["NORTH", "SOUTH"]);
const Status = z.enum(["THERE", "LENT", "LOST"]);
const NewBook = z.object({ Title: z.string().min(1), shelf: Shelf });
const Change = z.object({ id: z.string().min(1), newStatus: Status });
const Query = z.object({
  page: z.number().min(1).refine(Number.isInteger).default(1),
  size: z.number().min(1).refine(Number.isInteger).default(50),
  query: z.string().default(""),
});

interface Book {
  id: string;
  title: string;
  shelf: z.infer<typeof Shelf>;
  status: z.infer<typeof Status>;
}

const transitions = new Set(["THERE LENT", "LENT THERE", "LENT LOST"]);
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

export interface LibraryService {
  readonly access: Access;
  readonly baseUrl: string;
  close(): void;
}

/** A service of `library.yaml` that keeps its books in memory, with one fault or without. */
export async function startLibrary(fault?: LibraryFault): Promise<LibraryService> {
  const library = new Library(fault);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.stringify(library.answer(await text(request)));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    access: {
      userName: "reader",
      apiKey: "key-0123456789",
      keyId: "k",
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    },
    close: () => void server.close(),
  };
}

class Refusal extends Error {}

class Library {
  readonly #fault: LibraryFault | undefined;
  readonly #books: Book[] = [];
  readonly #answers = new Map<string, unknown>();

  constructor(fault: LibraryFault | undefined) {
    this.#fault = fault;
  }

  answer(body: string): unknown {
    const call = Call.safeParse(JSON.parse(body));
    if (!call.success) return { id: null, error: { code: "BAD_INPUT", message: "Wrong" }, jsonrpc: "2.0" };
    const { id, method, params } = call.data;
    try {
      return { id, result: this.#result(id, method, params), jsonrpc: "2.0" };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const code = error.message;
      return { id, error: { code, message: messages[code] ?? code }, jsonrpc: "2.0" };
    }
  }

  #result(id: string, method: string, { api, payload: sent }: z.infer<typeof Call>["params"]): unknown {
    // The suite writes payloads as they are printed again.
    const bytes = Buffer.from(JSON.stringify(sent));
    const isSigned = verify("sha256", bytes, publicKey, Buffer.from(api.signature, "base64"));
    if (!isSigned) {
      if (this.#fault === "refused-but-done" && method === "BookService.SetStatus") this.#change(sent);
      throw new Refusal("BAD_SIGNATURE");
    }
    const payload = wanted(z.record(z.string(), z.unknown()), sent);
    switch (method) {
      case "BookService.AddBook":
        return this.#once(this.#fault === "repeated-by-id" ? id : `${id} ${bytes.toString()}`, () =>
          this.#add(payload),
        );
      case "BookService.GetBook":
        return { book: this.#read(this.#find(payload["id"])) };
      case "BookService.SetStatus":
        return this.#change(payload);
      case "BookService.FindBooks":
        return { books: this.#list(payload) };
      default:
        throw new Refusal("BAD_CREDENTIAL");
    }
  }

  #once(key: string, work: () => unknown): unknown {
    if (this.#fault !== "repeated-twice" && this.#answers.has(key)) return this.#answers.get(key);
    const result = work();
    this.#answers.set(key, result);
    return result;
  }

  #add(payload: unknown): unknown {
    const { Title: title, shelf } = wanted(NewBook, payload);
    const id = `book-${this.#books.length + 1}`;
    this.#books.push({ id, title, shelf, status: "THERE" });
    return { id };
  }

  #find(id: unknown): Book {
    const asked = wanted(z.string().min(1), id);
    const found = this.#books.find((book) => book.id === asked);
    if (found !== undefined) return found;
    if (this.#fault !== "anything-found") throw new Refusal("NO_BOOK");
    return { id: String(id), title: "Any", shelf: "NORTH", status: "THERE" };
  }

  #read(book: Book): Book {
    return this.#fault === "title-shortened" ? { ...book, title: book.title.slice(0, 5) } : book;
  }

  #change(payload: unknown): Book {
    const { id, newStatus } = wanted(Change, payload);
    const book = this.#find(id);
    if (this.#fault !== "any-transition" && !transitions.has(`${book.status} ${newStatus}`))
      throw new Refusal("CONFLICT");
    if (this.#fault === "change-lost") return { ...book, status: newStatus };
    for (const each of this.#fault === "change-of-all" ? this.#books : [book]) each.status = newStatus;
    return book;
  }

  #list(payload: unknown): readonly Book[] {
    const { page, size, query } = wanted(Query, payload);
    const conditions = query.split(" AND ").slice(0, this.#fault === "condition-ignored" ? 1 : undefined);
    const found = this.#books.filter((book) => conditions.every((condition) => holds(condition, book)));
    const start = (page - 1) * size;
    return found.slice(this.#fault === "pages-overlap" && page > 1 ? start - 1 : start, start + size);
  }
}

function holds(condition: string, book: Book): boolean {
  const [, name = "", operator, quoted = '""'] = /^(\w+) (=|!=) (".*")$/.exec(condition) ?? [];
  const value = new Map<string, string>(Object.entries(book)).get(name) ?? "";
  const text = String(JSON.parse(quoted));
  const isSame = text.endsWith("*") ? value.startsWith(text.slice(0, -1)) : value === text;
  return isSame === (operator === "=");
}

function wanted<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Refusal("BAD_INPUT");
  return parsed.data;
}

const messages: Readonly<Record<string, string>> = {
  BAD_INPUT: "Wrong",
  BAD_CREDENTIAL: "Who",
  BAD_SIGNATURE: "Sign",
  CONFLICT: "Not so",
  NO_BOOK: "No book",
};
