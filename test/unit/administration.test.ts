import { generateKeyPairSync } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminInterface } from "../../generated/admin/methods.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { PartnerClient } from "../../generated/partner/client/index.ts";
import { partnerInterface } from "../../generated/partner/methods.ts";
import type { CreateSubscriptionPayload } from "../../generated/partner/types.ts";
import { omitUndefined, type RpcError, type RpcErrorDetail } from "../../runtime/contract/index.ts";
import { adminHandlers, administration } from "../../runtime/server/administration.ts";
import {
  createServer,
  defineApplication,
  subscribe,
  type InterfaceRow,
  type Listening,
  type Server,
  type WriteContext,
} from "../../runtime/server/index.ts";
import { userByName, users } from "../../runtime/store/tables/index.ts";

const subscribing = Object.fromEntries(
  Object.entries(partnerInterface.methods).filter(([name]) => name === "CreateSubscription"),
);
/** The interface of an application that is no bank: one method. */
const walks: InterfaceRow = {
  descriptor: { ...partnerInterface, name: "walks", methods: subscribing },
  handlers: {
    async CreateSubscription(
      { groupId: topics, ...draft }: CreateSubscriptionPayload,
      context: WriteContext & { error(code: string, detail?: RpcErrorDetail<string>): RpcError },
    ) {
      return { subscriptionId: (await subscribe(context, { ...omitUndefined(draft), topics })).id };
    },
  },
};
/** An interface of the application's own that extends the administration. */
const office: InterfaceRow = {
  descriptor: { ...adminInterface, name: "office" },
  handlers: { ...adminHandlers("office") },
  isManagedByCommands: true,
};
const application = defineApplication({ name: "walks", interfaces: [administration, walks, office] });

let server: Server;
let listening: Listening;
let warden: OperatorClient;
beforeAll(async () => {
  server = await createServer(application, {
    "database.url": "memory:",
    "walks.port": 0,
    "admin.interface": "on",
    "admin.port": 0,
    "office.port": 0,
    "log.level": "silent",
  });
  listening = await server.listen();
  const { publicKeyPem, privateKey } = newKey();
  const access = await server.addUser({ userName: "warden", interface: "admin", publicKeyPem });
  warden = operatorOf("admin", { ...access, userName: "warden", privateKey });
});
afterAll(() => listening.close());

interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKey: string;
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function optionsOf(name: string, { keyId, privateKey, ...credential }: Identity) {
  return { baseUrl: listening.urls.get(name) ?? "", credential, signer: { keyId, privateKey } };
}

/** The bank's operators call the same methods, by the same names. */
function operatorOf(name: string, identity: Identity): OperatorClient {
  return new OperatorClient(optionsOf(name, identity));
}

/** A user of the application, whom the administration has issued a credential and a key. */
async function addWalker(name: string): Promise<Identity> {
  const { publicKeyPem, privateKey } = newKey();
  const { userName, apiKey } = await warden.issueCredential({
    userName: name,
    email: `${name}@hike.example`,
  });
  const { KeyId: keyId } = await warden.registerKey({ userName, PublicKey: publicKeyPem });
  return { userName, apiKey, keyId, privateKey };
}

const wanted = {
  name: "Trails",
  callbackUrl: "http://127.0.0.1:9/hook",
  events: ["Account.UPDATE"],
  groupId: ["north"],
} as const;

test("the console of the package is the front page of operators, with what it loads and nothing else", async () => {
  const url = listening.urls.get("admin") ?? "";
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${url}${path}`, { redirect: "manual" })).status;
  const front = await fetch(url);
  expect(new URL(front.url).pathname).toBe("/console/");
  const [, script = ""] = /<script type="module" src="([^"]+)">/.exec(await front.text()) ?? [];
  expect(await (await fetch(`${url}/console/${script}`)).text()).toContain("class AdminClient");
  for (const file of ["json-schema.json", "validators/payloads.js"])
    expect(await statusOf(`/console/generated/admin/${file}`), file).toBe(200);
  for (const path of [
    "/console/package.json",
    "/console/web/operator/operator.ts",
    "/console/generated/operator/json-schema.json",
  ])
    expect(await statusOf(path), path).toBe(404);
  expect((await fetch(`${listening.urls.get("walks")}/console/`)).status).toBe(404);
});

test("users of an application get their credentials and keys, and lose them", async () => {
  const ann = await addWalker("ann");
  expect(ann.userName).toBe("walks.ann");
  const client = new PartnerClient(optionsOf("walks", ann));
  const { subscriptionId } = await client.createSubscription(wanted);
  const listed = await warden.listUsers({});
  expect(listed.users).toMatchObject([{ userName: ann.userName, interface: "walks", scopes: ["*"] }]);
  expect(await warden.getUser({ userName: ann.userName })).toMatchObject({
    apiKeys: [{ apiKeyId: expect.any(String) }],
    keys: [{ KeyId: ann.keyId, status: "ACTIVE" }],
  });

  await warden.revokeCredential({ userName: ann.userName });
  await expect(client.createSubscription(wanted)).rejects.toMatchObject({ code: "BAD_CREDENTIAL" });
  const { subscription } = await warden.getSubscription({ subscriptionId });
  expect(subscription).toMatchObject({ enabled: false, disabledReason: "REVOKED" });

  const bob = await addWalker("bob");
  const handed = await warden.transferSubscription({ subscriptionId, userName: bob.userName });
  expect(handed.subscription.userName).toBe(bob.userName);
  const enabled = await warden.updateSubscription({ subscriptionId, enabled: true });
  expect(enabled.subscription).toMatchObject({ enabled: true, groupId: ["north"] });
});

test("deliveries are listed, sent again and counted, and the audit log says by whom", async () => {
  const carl = await addWalker("carl");
  const { subscriptionId } = await new PartnerClient(optionsOf("walks", carl)).createSubscription(wanted);
  const { deliveryId } = await warden.sendTestEvent({ subscriptionId });
  const { deliveries } = await warden.listDeliveries({ subscriptionId });
  expect(deliveries).toMatchObject([{ deliveryId, eventName: "Test" }]);
  const { body } = await warden.getNotification({ deliveryId });
  expect(JSON.parse(body)).toMatchObject({ eventName: "Test", subscriptionId });
  const backlog = await warden.getBacklog({});
  expect(backlog.pending.count + backlog.deadLetters.count).toBeLessThanOrEqual(1);
  const { entries } = await warden.listAudit({ subject: "subscription", subjectId: subscriptionId });
  expect(entries.map(({ actor, operation }) => [actor, operation])).toEqual([
    ["warden", "SendTestEvent"],
    [carl.userName, "CreateSubscription"],
  ]);
  expect((await warden.listMails({})).mails).toEqual([]);
});

test("operators are no users of the application, and manage none of their own", async () => {
  const dora = await addWalker("dora");
  await expect(operatorOf("admin", dora).listUsers({})).rejects.toMatchObject({ code: "BAD_CREDENTIAL" });
  const listed = await warden.listUsers({});
  expect(listed.users.map(({ userName }) => userName)).not.toContain("warden");
  for (const asked of ["admin", "elsewhere"]) {
    const issuing = warden.issueCredential({ userName: "eve", email: "e@hike.example", interface: asked });
    await expect(issuing).rejects.toMatchObject({ code: "BAD_INPUT", reason: "unknown-interface" });
  }
});

test("an operator of a group sees and adds users of that group alone", async () => {
  const { publicKeyPem, privateKey } = newKey();
  const access = await server.addUser({ userName: "north-warden", interface: "admin", publicKeyPem });
  await server.store.write(async (tx) => {
    const stored = await tx.one(userByName, "north-warden");
    if (stored !== undefined) await tx.replace(users, { ...stored, groups: ["north"] }, stored);
  });
  server.invalidateCaller("north-warden");
  const north = operatorOf("admin", { ...access, userName: "north-warden", privateKey });
  expect((await north.listUsers({})).users).toEqual([]);
  const { userName } = await north.issueCredential({ userName: "finn", email: "f@hike.example" });
  expect((await north.listUsers({})).users).toMatchObject([{ userName, groups: ["north"] }]);
  await expect(north.listAudit({})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("an interface that extends the administration has operators of its own", async () => {
  const { publicKeyPem, privateKey } = newKey();
  const access = await server.addUser({ userName: "clerk", interface: "office", publicKeyPem });
  const identity = { ...access, userName: "clerk", privateKey };
  const clerk = operatorOf("office", identity);
  const issued = await clerk.issueCredential({ userName: "gus", email: "g@hike.example" });
  expect((await clerk.listUsers({})).users.map(({ userName }) => userName)).toContain(issued.userName);
  expect((await clerk.getUser({ userName: "clerk" })).user).toMatchObject({ interface: "office" });
  await expect(operatorOf("admin", identity).listUsers({})).rejects.toMatchObject({ code: "BAD_CREDENTIAL" });
});

test("two interfaces of one name are refused", () => {
  const interfaces = [administration, walks, administration];
  expect(() => defineApplication({ name: "walks", interfaces })).toThrow(
    "walks has two interfaces with the name admin",
  );
});

test("the administration is not served unless it is switched on", async () => {
  const settings = { "database.url": "memory:", "walks.port": 0, "office.port": 0, "log.level": "silent" };
  const { urls, close } = await (await createServer(application, settings)).listen();
  expect([...urls.keys()]).toEqual(["walks", "office"]);
  await close();
});

test("what the package and clients bring to other teams cites no decision of the bank's", () => {
  const root = join(import.meta.dirname, "../..");
  const brought = globSync(
    ["spec/admin/**/*.yaml", "generated/admin/**/*.ts", "templates/{client,project}/**/*"],
    {
      cwd: root,
      withFileTypes: true,
    },
  ).filter((entry) => entry.isFile());
  expect(brought.length).toBeGreaterThan(100);
  const citing = brought
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => /\bD-\d\d\b|@see section/.test(readFileSync(file, "utf8")));
  expect(citing).toEqual([]);
});
