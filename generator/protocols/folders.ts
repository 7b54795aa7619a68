import { readdirSync } from "node:fs";

/**
 * Reads one part of every protocol. A protocol is a folder beside this file; its module `<part>.ts` exports the part
 * under that name. A package has the modules as a list.
 */
export async function modulesOf(part: ProtocolPart): Promise<readonly unknown[]> {
  const entries = readdirSync(import.meta.dirname, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return await Promise.all(folders.toSorted().map((folder) => import(`./${folder}/${part}.ts`)));
}

export type ProtocolPart = "language" | "model" | "facts" | "parts";

/** A part of every protocol by the protocol's name, as `wire.protocol` of a spec has it. */
export interface ByProtocol<T> {
  readonly names: readonly string[];
  /** @throws Error if no folder is this protocol */
  of(protocol: string): T;
}

/** Arranges the modules of a part by the names of their protocols. */
export function byProtocol<T extends Named>(part: ProtocolPart, modules: readonly unknown[]): ByProtocol<T> {
  const found = new Map(
    modules.map((module) => {
      if (!exports<T>(module, part))
        throw new Error(`a file generator/protocols/*/${part}.ts exports no \`${part}\` with a \`protocol\``);
      return [module[part].protocol, module[part]];
    }),
  );
  return {
    names: [...found.keys()],
    of(protocol) {
      const known = found.get(protocol);
      if (known === undefined) throw new MissingPart(protocol, `${part}.ts`);
      return known;
    },
  };
}

/** A protocol lacks what a command needs of it. The command says so, and ends. */
export class MissingPart extends Error {
  override readonly name = "MissingPart";

  constructor(protocol: string, part: string, folder = "generator/protocols") {
    super(`this needs ${part} of the protocol ${protocol}, which its folder in ${folder} does not have`);
  }
}

interface Named {
  /** The name in `wire.protocol`. */
  readonly protocol: string;
}

/** The compiler holds each folder's file to its interface; what remains to be seen is that there is one. */
function exports<T extends Named>(
  module: unknown,
  part: ProtocolPart,
): module is Readonly<Record<ProtocolPart, T>> {
  const exported = typeof module === "object" && module !== null && Object.entries(module);
  const own: unknown = exported && exported.find(([name]) => name === part)?.[1];
  return typeof own === "object" && own !== null && "protocol" in own;
}
