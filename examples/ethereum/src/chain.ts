import { createHash } from "node:crypto";
import type { Block } from "../generated/types.ts";

/** A chain in memory that makes a block for each transaction. Nothing is signed, verified or executed. */
export interface Chain {
  readonly accounts: readonly string[];
  head(): number;
  block(number: number): Block | undefined;
  blockOf(hash: string): Block | undefined;
  /** The number that a tag, a number or a hash means; undefined where there is no such block. */
  numberOf(block: unknown): number | undefined;
  /** Adds a block with one transaction; gives the transaction's hash. */
  send(data: string): string;
  newFilter(): string;
  /** Hashes of the blocks since the filter was last read; undefined where there is no such filter. */
  changes(filter: string): readonly string[] | undefined;
  forget(filter: string): boolean;
}

export function createChain(): Chain {
  const blocks: Block[] = [blockAfter(undefined, [])];
  const filters = new Map<string, number>();
  const blockOf = (hash: string): Block | undefined => blocks.find((block) => block.hash === hash);
  return {
    accounts: ["0x00000000000000000000000000000000000a11ce", "0x0000000000000000000000000000000000000b0b"],
    head: () => blocks.length - 1,
    block: (number) => blocks[number],
    blockOf,
    numberOf(block) {
      const text = String(typeof block === "object" && block !== null ? Object.values(block)[0] : block);
      if (text === "earliest") return 0;
      if (!text.startsWith("0x")) return blocks.length - 1;
      const number = text.length === 66 ? blocks.findIndex(({ hash }) => hash === text) : Number(text);
      return number in blocks ? number : undefined;
    },
    send(data) {
      const hash = hashOf(`${blocks.length} ${data}`);
      blocks.push(blockAfter(blocks.at(-1), [hash]));
      return hash;
    },
    newFilter() {
      const filter = hex(filters.size + 1);
      filters.set(filter, blocks.length);
      return filter;
    },
    changes(filter) {
      const since = filters.get(filter);
      if (since === undefined) return undefined;
      filters.set(filter, blocks.length);
      return blocks.slice(since).map(({ hash }) => hash);
    },
    forget: (filter) => filters.delete(filter),
  };
}

export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

export function hashOf(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}

function blockAfter(parent: Block | undefined, transactions: readonly string[]): Block {
  const number = parent === undefined ? 0 : Number(parent.number) + 1;
  const parentHash = parent?.hash ?? `0x${"0".repeat(64)}`;
  return {
    hash: hashOf(`block ${number} ${parentHash} ${transactions.join()}`),
    parentHash,
    sha3Uncles: hashOf("no uncles"),
    miner: `0x${"0".repeat(40)}`,
    stateRoot: hashOf(`state ${number}`),
    transactionsRoot: hashOf(`transactions ${transactions.join()}`),
    receiptsRoot: hashOf(`receipts ${number}`),
    logsBloom: `0x${"0".repeat(512)}`,
    number: hex(number),
    gasLimit: hex(30_000_000),
    gasUsed: hex(21_000 * transactions.length),
    timestamp: hex(1_700_000_000 + 12 * number),
    extraData: "0x",
    mixHash: `0x${"0".repeat(64)}`,
    nonce: `0x${"0".repeat(16)}`,
    size: hex(512),
    transactions,
    uncles: [],
  };
}
