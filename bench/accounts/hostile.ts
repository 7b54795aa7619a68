/** A process of its own that bench/accounts.ts forks: callers that list and filter as fast as they are answered. */
import { createPrivateKey } from "node:crypto";
import { Agent } from "node:http";
import { callsOf, post, signedBody } from "./calls.ts";

export interface HostileSettings {
  readonly url: string;
  readonly apiKey: string;
  readonly privateKeyPem: string;
  readonly accounts: number;
  readonly callers: number;
}

const state = { isStopped: false };

process.on("message", (message: HostileSettings | "stop") => {
  if (message === "stop") state.isStopped = true;
  else void attack(message);
});

/** Says when it began, and at the end how many lists were answered and refused. */
async function attack({ url, apiKey, privateKeyPem, accounts, callers }: HostileSettings): Promise<void> {
  const key = createPrivateKey(privateKeyPem);
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<string, number>();
  const caller = async (index: number): Promise<void> => {
    // Signed beforehand: what is measured is the server.
    const lists = Object.values(callsOf(accounts)).filter(({ method }) => method === undefined);
    const bodies = lists.map(({ payload }) =>
      signedBody({ apiKey, key }, `hostile-${index}`, "AccountService.ListAccounts", payload),
    );
    for (let at = index; !state.isStopped; at += 1) {
      const answer = await post(agent, `${url}/jsonrpc`, bodies[at % bodies.length] ?? "");
      const outcome =
        /"reason":"([^"]+)"/.exec(answer)?.[1] ?? (answer.includes('"result"') ? "answered" : "failed");
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  };
  const all = Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
  process.send?.("began");
  await all;
  agent.destroy();
  process.send?.(Object.fromEntries(counts));
}
