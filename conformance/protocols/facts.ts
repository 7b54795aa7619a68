import type { Mutation } from "../samples/index.ts";
import { absent } from "../values/index.ts";
import type { MethodEntry } from "../suite/suite.ts";

/** What cases have to know of a protocol. */
export interface ProtocolFacts {
  /** Whether a changed payload is about the protocol rather than about the method. */
  isOfProtocol(mutation: Mutation, method: MethodEntry): boolean;
  /** Whether values that are made to fit may be refused, because they name no object that there is. */
  readonly madeMayBeRefused: boolean;
}

const signed: ProtocolFacts = { isOfProtocol: () => false, madeMayBeRefused: false };

const jsonRpc: ProtocolFacts = {
  // Params that are no object belong to the protocol. By position, a `null` may mean an omitted parameter.
  isOfProtocol: ({ parts }, { transport }) =>
    parts.some(
      ([path, value]) =>
        path.length === 0 ||
        (transport.params === "by-position" && path.length === 1 && (value === null || value === absent)),
    ),
  madeMayBeRefused: true,
};

const facts: Readonly<Record<MethodEntry["transport"]["kind"], ProtocolFacts>> = {
  enveloped: signed,
  flat: signed,
  "json-rpc": jsonRpc,
};

export function factsOf({ transport }: Pick<MethodEntry, "transport">): ProtocolFacts {
  return facts[transport.kind];
}
