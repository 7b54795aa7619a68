/**
 * `node bench/memory.ts [thousands of calls] [callers]`: the resident memory of the packed service over a long run of signed
 * calls, one line each tenth of it: GetAccount, of each twenty one ListAccounts of 15 and one UpdateShareHolder. Default:
 * 5,000 thousand, 32 callers.
 */
import { readFileSync } from "node:fs";
import { callClosed } from "./harness/http-load.ts";
import { cleanUp, stop, temporaryFolder } from "./harness/processes.ts";
import { signedRequest, startService } from "./harness/service.ts";
import { packedServer } from "./parts/pace.ts";
import { addAccounts, isResult } from "./parts/sides.ts";

const total = Number(process.argv[2] ?? 5_000) * 1_000;
const callers = Number(process.argv[3] ?? 32);
const perRound = 10_000;
const goalMb = 150;

const service = await startService(temporaryFolder(), { checkout: await packedServer() });
const { access, child, url } = service;
const { accountId, shareHolderId, businessCustomerId } = access.samples;
const { requests: fifteen } = addAccounts(service, { callers: 1, perRound: 15 });
await callClosed({ url, connections: 1, requests: fifteen("fill"), check: isResult });

const started = residentMb();
console.log(`ready: ${started.toFixed(0)} MB`);
let peak = 0;
let shown = 0;
for (let done = 0; done < total; done += perRound) {
  const requests = Array.from({ length: perRound }, (_, index) => request(done + index));
  await callClosed({ url, connections: callers, requests, check: isResult });
  peak = Math.max(peak, residentMb());
  if (done + perRound < ((shown + 1) * total) / 10) continue;
  shown += 1;
  console.log(`${(done + perRound).toLocaleString("en")} calls: ${residentMb().toFixed(0)} MB`);
}
console.log(`at most ${peak.toFixed(0)} MB (goal ${goalMb}: ${peak < goalMb ? "met" : "MISSED"})`);
await stop(child);
await cleanUp();

function request(index: number): Buffer {
  const id = `m${index}`;
  if (index % 20 === 7)
    return signedRequest(access, "AccountService.ListAccounts", id, {
      PageNumber: 1,
      PageSize: 15,
      filter: "",
    });
  if (index % 20 !== 13) return signedRequest(access, "AccountService.GetAccount", id, { Id: accountId });
  return signedRequest(access, "CustomerService.UpdateShareHolder", id, {
    Id: shareHolderId,
    customerId: businessCustomerId,
    name: `Holder ${index}`,
    identification: { type: "SSN", value: "123456789" },
    contact: { email: "holder@example.com", phoneNumber: "+14155550100" },
    address: { country: "US", addressLine1: "1 Main Street", city: "Springfield", state: "IL", zip: "62701" },
  });
}

function residentMb(): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
}
