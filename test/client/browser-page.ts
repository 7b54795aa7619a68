/** The files of a page that registers a key of its own and makes signed calls with it, in a worker too. */
export const pageFiles: Readonly<Record<string, string>> = {
  "page/index.html": '<!doctype html><title>page</title><script type="module" src="./main.ts"></script>',
  "page/main.ts": `
    import { LedgerClient, registerSigner } from "ledger-client";

    const stored = (mode, act) => new Promise((resolve, reject) => {
      const opening = indexedDB.open("keys", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
      opening.onsuccess = () => {
        const request = act(opening.result.transaction("keys", mode).objectStore("keys"));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      };
    });

    window.run = async ({ credential, registration, accountId }) => {
      const options = { baseUrl: location.origin, credential };
      const made = await registerSigner(options, registration);
      await stored("readwrite", (keys) => keys.put(made, "signer"));
      const signer = await stored("readonly", (keys) => keys.get("signer"));
      const exported = await crypto.subtle.exportKey("pkcs8", signer.privateKey).catch((error) => error.name);
      const { account } = await new LedgerClient({ ...options, signer }).account.get({ ID: accountId });
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      const inWorker = await new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.postMessage({ ...options, signer, accountId });
      });
      return { id: account.id, extractable: signer.privateKey.extractable, exported, inWorker };
    };
  `,
  "page/worker.ts": `
    import { connect, getAccount } from "ledger-client";
    self.onmessage = async ({ data: { accountId, ...options } }) => {
      const { account } = await getAccount(connect(options), { ID: accountId });
      self.postMessage(account.id);
    };
  `,
};
