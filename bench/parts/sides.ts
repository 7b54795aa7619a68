import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Contestant } from "../harness/contest.ts";
import { callClosed, type CheckAnswer } from "../harness/http-load.ts";
import { cores, startNode, temporaryFolder, untilAnswers } from "../harness/processes.ts";
import { freePort, repository, signedRequest, type Service } from "../harness/service.ts";

export const floorName = "floor: verification + bare http";
const verificationsPerRound = 4_000;

export interface CallSize {
  readonly callers: number;
  readonly perRound: number;
}

/** The requests that all contestants of one part get. */
export interface Calls extends CallSize {
  requests(round: number | string): readonly Buffer[];
}

/** The service itself. */
export function serviceSide(
  name: string,
  { child, url }: Service,
  { callers, requests }: Calls,
  check: CheckAnswer,
): Contestant {
  return { name, child, url, callers, check, requests };
}

/** Bare `node:http` that sends the same answer; each of its rounds also measures the verification alone, and adds it. */
export async function floorSide(
  { access }: Service,
  { callers, requests }: Calls,
  answer: string,
): Promise<Contestant> {
  const folder = temporaryFolder();
  const [keyFile, answerFile] = [join(folder, "key.pem"), join(folder, "answer.json")];
  writeFileSync(keyFile, access.privateKeyPem, { mode: 0o600 });
  writeFileSync(answerFile, answer);
  const { child, url } = await startProgram(["bench/floor.ts", "serve"], [answerFile]);
  const verify = ["bench/floor.ts", "verify", keyFile, String(verificationsPerRound)];
  return {
    name: floorName,
    child,
    url,
    callers,
    requests,
    check: (body) => {
      if (body !== answer) throw new Error(`the floor answered ${body}`);
    },
    extraUs: () => {
      const args = ["-c", cores.server, process.execPath, ...verify];
      return Number(spawnSync("taskset", args, { cwd: repository, encoding: "utf8" }).stdout);
    },
  };
}

/** Another server that does the same work: a program of bench/contestants. */
export async function contestantSide(
  name: string,
  program: string,
  { dataDir, access }: Service,
  { callers, requests }: Calls,
  account: object,
): Promise<Contestant> {
  const folder = temporaryFolder();
  copyFileSync(join(dataDir, "access.json"), join(folder, "access.json"));
  writeFileSync(join(folder, "account.json"), JSON.stringify(account));
  const args = [folder, ...(name.endsWith(", log") ? ["--log"] : [])];
  const { child, url } = await startProgram([`bench/contestants/${program}.ts`], args);
  const check = accountIs(access.samples.accountId, account);
  return { name, child, url, callers, check, requests };
}

/** A server on a port of its own, once it answers. */
export async function startProgram(program: readonly string[], args: readonly string[]) {
  const port = freePort();
  const env = { ...process.env, NODE_ENV: "production" };
  const all = ["--max-semi-space-size=8", ...program, String(port), ...args];
  const child = startNode(all, { cwd: repository, env });
  const url = `http://127.0.0.1:${port}/jsonrpc`;
  await untilAnswers(url, child);
  return { child, url };
}

/** Holds an answer to the account: every hundredth is compared whole, the others by the account's id. */
export function accountIs(id: string, account: object): CheckAnswer {
  const mark = `"id":"${id}"`;
  return (body, request) => {
    if (!body.includes(mark)) throw new Error(`a wrong answer: ${body.slice(0, 300)}`);
    if (request % 100 === 0 && !isDeepStrictEqual(JSON.parse(body).result.account, account))
      throw new Error(`another account: ${body}`);
  };
}

/** Holds an answer to being a result. */
export function isResult(body: string): void {
  if (!body.includes('"result"')) throw new Error(`refused: ${body.slice(0, 300)}`);
}

/** Distinct requests: each payload has a member of its own, which the service ignores. None is ever sent twice. */
export function callsOf(
  { access }: Service,
  method: string,
  payload: (n: number) => object,
  { callers, perRound }: CallSize,
): Calls {
  return {
    callers,
    perRound,
    requests: (round) =>
      Array.from({ length: perRound }, (_, n) =>
        signedRequest(access, method, `${round}-${n}`, { ...payload(n), trace: `call ${round} ${n}` }),
      ),
  };
}

/** Reads of the demo account. */
export function getAccounts(service: Service, size: CallSize): Calls {
  const payload = { ID: service.access.samples.accountId };
  return callsOf(service, "AccountService.GetAccount", () => payload, size);
}

/** New accounts of the demo customer. */
export function addAccounts(service: Service, size: CallSize): Calls {
  const customerID = service.access.samples.businessCustomerId;
  const payload = { customerID, name: "Bench", accountType: "CHECKING", currency: "USD" };
  return callsOf(service, "CustomerService.AddAccount", () => payload, size);
}

/** The text of one answer. */
export async function answerOf({ url }: Service, calls: Calls): Promise<string> {
  let answer = "";
  await callClosed({
    url,
    connections: 1,
    requests: calls.requests(-100).slice(0, 1),
    check: (body) => (answer = body),
  });
  isResult(answer);
  return answer;
}
