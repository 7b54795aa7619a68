import assert from "node:assert/strict";
import { test } from "node:test";
import { testService, type TestPeer } from "ledger-rpc-runtime/testing";
import { ethereumInterface } from "../generated/methods.ts";
import { createChain } from "../src/chain.ts";
import { handlers, served } from "../src/handlers.ts";

const address = "0x00000000000000000000000000000000000a11ce";
const hash = `0x${"1".repeat(64)}`;

/** Parameters as wallets send them; none for the methods that are not listed. */
const params: Readonly<Record<string, object>> = {
  eth_estimateGas: [{ from: address }],
  eth_call: [{ to: address, input: "0x" }, "latest"],
  eth_feeHistory: ["0x1", "latest", [50]],
  eth_getBalance: [address, "latest"],
  eth_getTransactionCount: [address, "latest"],
  eth_getCode: [address, "latest"],
  eth_getStorageAt: [address, "0x0", "latest"],
  eth_getProof: [address, [], "latest"],
  eth_getBlockByHash: [hash, false],
  eth_getBlockByNumber: ["latest", false],
  eth_getTransactionByHash: [hash],
  eth_getTransactionByBlockHashAndIndex: [hash, "0x0"],
  eth_getTransactionByBlockNumberAndIndex: ["latest", "0x0"],
  eth_getTransactionReceipt: [hash],
  eth_getBlockTransactionCountByNumber: ["latest"],
  eth_sendRawTransaction: ["0x01"],
  eth_sendTransaction: [{ from: address, to: address, value: "0x1" }],
  eth_subscribe: ["newHeads"],
  eth_unsubscribe: ["0x1"],
  eth_getEncryptionPublicKey: [address],
  wallet_switchEthereumChain: [{ chainId: "0x539" }],
  wallet_revokePermissions: [{ eth_accounts: {} }],
  wallet_requestPermissions: [{ eth_accounts: {} }],
  wallet_watchAsset: { type: "ERC20", options: { address, symbol: "TST", decimals: 18 } },
};

function service(): TestPeer {
  const chain = createChain();
  return testService(ethereumInterface, handlers, { context: () => ({ chain }) });
}

test("the document's methods are all there, and at least forty are served", () => {
  assert.equal(Object.keys(ethereumInterface.methods).length, 55);
  assert.ok(Object.keys(served).length >= 40);
});

for (const method of Object.keys(served)) {
  test(`${method} answers what the document says`, async () => {
    // Results are checked against the document's schemas.
    await service().call(method, params[method] ?? []);
  });
}

test("a transaction makes a block, which filters and callers see", async () => {
  const { call } = service();
  const filter = await call("eth_newBlockFilter", []);
  await call("eth_sendRawTransaction", ["0x01"]);
  assert.equal(await call("eth_blockNumber"), "0x1");
  const { hash: head } = Object(await call("eth_getBlockByNumber", ["latest", false]));
  assert.deepEqual(await call("eth_getFilterChanges", [filter]), [head]);
});

test("what the document refuses is refused", async () => {
  await assert.rejects(service().call("eth_getBalance", ["nothing", "latest"]), { code: -32602 });
});
