import jayson from "jayson";
import { JSONRPCServer } from "json-rpc-2.0";
import { testService } from "../runtime/testing.ts";
import { interfaceWith, methods } from "../test/rpc/interface.ts";

// Messages a second in one process, text in and text out. Ours scans the bytes, validates params and result and keeps
// a time limit; jayson and json-rpc-2.0 do none of that. Rounds are interleaved, so that what else the machine does
// meets all three alike: `node bench/json-rpc.ts`.
const rounds = 15;
const roundMs = 200;

type Answer = (text: string) => Promise<string>;

const subtract = ({ minuend, subtrahend }: Record<"minuend" | "subtrahend", number>): number =>
  minuend - subtrahend;
const echo = (params: object): object => params;

const { subtract: subtractMethod, echo: echoMethod } = methods;
if (subtractMethod === undefined || echoMethod === undefined)
  throw new Error("the trial interface lacks a method");
const ours = testService(interfaceWith({ methods: { subtract: subtractMethod, echo: echoMethod } }), {
  subtract: async (params: Record<"minuend" | "subtrahend", number>) => subtract(params),
  echo: async (params: object) => echo(params),
});

const jaysonServer = new jayson.Server({
  subtract: (params: Record<"minuend" | "subtrahend", number>, done: (error: null, result: number) => void) =>
    done(null, subtract(params)),
  echo: (params: object, done: (error: null, result: object) => void) => done(null, echo(params)),
});

const otherServer = new JSONRPCServer();
otherServer.addMethod("subtract", subtract);
otherServer.addMethod("echo", echo);

const answers: Readonly<Record<string, Answer>> = {
  "ledger-rpc": async (text) => (await ours.send(text)) ?? "",
  jayson: (text) =>
    new Promise((resolve, reject) => {
      jaysonServer.call(text, (error: object | null | undefined, response?: object) => {
        if (error) reject(new Error(JSON.stringify(error)));
        else resolve(JSON.stringify(response));
      });
    }),
  "json-rpc-2.0": async (text) => JSON.stringify(await otherServer.receiveJSON(text)),
};

const call = { jsonrpc: "2.0", id: 1, method: "subtract", params: { minuend: 42, subtrahend: 23 } };
const rows = Array.from({ length: 1000 }, (_row, at) => ({
  id: at,
  title: `title ${at}`,
  tags: ["a", "b"],
  done: false,
}));
const messages: Readonly<Record<string, string>> = {
  "one small call": JSON.stringify(call),
  "a batch of 20": JSON.stringify(Array.from({ length: 20 }, (_call, id) => ({ ...call, id }))),
  "one call of 60 kB": JSON.stringify({ ...call, method: "echo", params: { rows } }),
};

for (const [name, text] of Object.entries(messages)) {
  const rates = new Map(Object.keys(answers).map((library) => [library, [] as number[]]));
  for (const answer of Object.values(answers)) await perSecond(answer, text);
  for (let round = 0; round < rounds; round += 1) {
    for (const [library, answer] of Object.entries(answers))
      rates.get(library)?.push(await perSecond(answer, text));
  }
  const own = rates.get("ledger-rpc") ?? [];
  for (const [library, each] of rates) {
    const ratios = each.map((rate, round) => rate / (own[round] ?? 1)).toSorted((a, b) => a - b);
    const [low, mid, high] = [0.1, 0.5, 0.9].map((share) => ratios[Math.floor(share * (rounds - 1))] ?? 0);
    const rate = each.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    console.log(
      name.padEnd(20),
      library.padEnd(14),
      `${Math.round(rate)}/s`.padStart(10),
      `${mid?.toFixed(2)} × ours (${low?.toFixed(2)} to ${high?.toFixed(2)})`.padStart(30),
    );
  }
}

async function perSecond(answer: Answer, text: string): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < roundMs) {
    for (let each = 0; each < 10; each += 1) await answer(text);
    count += 10;
  }
  return (count * 1000) / (performance.now() - startedAt);
}
