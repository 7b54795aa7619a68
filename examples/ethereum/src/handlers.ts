import type { EthereumHandlers } from "../generated/handlers.ts";
import type { Log } from "../generated/types.ts";
import { hashOf, hex, type Chain } from "./chain.ts";
import { ethereumHandlers as stubs } from "./stubs/index.ts";

interface ChainContexts {
  readonly read: { readonly chain: Chain };
  readonly write: { readonly chain: Chain };
}

/** The methods that the stub chain serves. */
export const served = {
  eth_accounts: async (_payload, { chain }) => chain.accounts,
  eth_requestAccounts: async (_payload, { chain }) => chain.accounts,
  eth_coinbase: async (_payload, { chain }) => chain.accounts[0] ?? "0x",
  eth_blockNumber: async (_payload, { chain }) => hex(chain.head()),
  eth_chainId: async () => "0x539",
  eth_syncing: async () => false,
  eth_gasPrice: async () => hex(1_000_000_000),
  eth_estimateGas: async () => hex(21_000),
  eth_call: async () => "0x",
  eth_feeHistory: async ({ newestBlock }, { chain }) => {
    const newest = chain.numberOf(newestBlock) ?? chain.head();
    return { oldestBlock: hex(newest), baseFeePerGas: ["0x7", "0x7"], gasUsedRatio: [0.5] };
  },
  eth_getBalance: async () => hex(10n ** 18n),
  eth_getTransactionCount: async (_payload, { chain }) => hex(chain.head()),
  eth_getCode: async () => "0x",
  eth_getStorageAt: async () => `0x${"0".repeat(64)}`,
  eth_getProof: async ({ Address }) => ({
    address: Address,
    accountProof: [],
    balance: hex(10n ** 18n),
    codeHash: hashOf("no code"),
    nonce: "0x0",
    storageHash: hashOf("no storage"),
    storageProof: [],
  }),
  eth_getBlockByHash: async (payload, { chain }) => chain.blockOf(payload["Block hash"]) ?? null,
  eth_getBlockByNumber: async ({ Block }, { chain }) => chain.block(chain.numberOf(Block) ?? -1) ?? null,
  eth_getBlockTransactionCountByHash: async (payload, { chain }) => {
    const block = chain.blockOf(payload["Block hash"] ?? "");
    return block === undefined ? null : hex(block.transactions.length);
  },
  eth_getBlockTransactionCountByNumber: async ({ Block }, { chain }) => {
    const block = chain.block(chain.numberOf(Block) ?? -1);
    return block === undefined ? null : hex(block.transactions.length);
  },
  eth_getUncleCountByBlockHash: async (payload, { chain }) =>
    chain.blockOf(payload["Block hash"] ?? "") === undefined ? null : "0x0",
  eth_getUncleCountByBlockNumber: async ({ Block }, { chain }) =>
    chain.numberOf(Block) === undefined ? null : "0x0",
  eth_getTransactionByHash: async () => null,
  eth_getTransactionByBlockHashAndIndex: async () => null,
  eth_getTransactionByBlockNumberAndIndex: async () => null,
  eth_getTransactionReceipt: async () => null,
  eth_getLogs: async (_payload, { chain }) => [logOf(chain)],
  eth_newFilter: async (_payload, { chain }) => chain.newFilter(),
  eth_newBlockFilter: async (_payload, { chain }) => chain.newFilter(),
  eth_newPendingTransactionFilter: async (_payload, { chain }) => chain.newFilter(),
  eth_getFilterChanges: async (payload, { chain }) => hashesOf(chain, payload["Filter identifier"]),
  eth_getFilterLogs: async (_payload, { chain }) => [logOf(chain)],
  eth_uninstallFilter: async (payload, { chain }) => chain.forget(payload["Filter identifier"] ?? ""),
  eth_sendRawTransaction: async ({ Transaction }, { chain }) => chain.send(Transaction),
  eth_sendTransaction: async ({ Transaction }, { chain }) => chain.send(JSON.stringify(Transaction)),
  eth_subscribe: async (_payload, { chain }) => chain.newFilter(),
  eth_unsubscribe: async ({ subscriptionId }, { chain }) => chain.forget(subscriptionId),
  eth_getEncryptionPublicKey: async ({ Address }) =>
    Buffer.from(hashOf(Address).slice(2), "hex").toString("base64"),
  web3_clientVersion: async () => "stub-chain/0.1.0",
  wallet_addEthereumChain: async () => null,
  wallet_switchEthereumChain: async () => null,
  wallet_revokePermissions: async () => null,
  wallet_watchAsset: async () => true,
  wallet_registerOnboarding: async () => true,
  wallet_getPermissions: async () => [],
  wallet_requestPermissions: async () => [],
} satisfies Partial<EthereumHandlers<ChainContexts>>;

/** The document's `oneOf` fits an empty list twice, so none is an answer: the head stands for "nothing new". */
function hashesOf(chain: Chain, filter = ""): readonly string[] {
  const hashes = chain.changes(filter) ?? [];
  return hashes.length > 0 ? hashes : [headOf(chain)];
}

function logOf(chain: Chain): Log {
  return { transactionHash: hashOf("no transaction"), blockHash: headOf(chain), data: "0x" };
}

function headOf(chain: Chain): string {
  return chain.block(chain.head())?.hash ?? hashOf("no block");
}

/** All methods of the document: what the chain does not serve answers that it has no body yet. */
export const handlers = { ...stubs, ...served };
