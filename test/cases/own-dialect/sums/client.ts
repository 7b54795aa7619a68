import { createSumsClient, isServiceError } from "./generated/client/index.ts";
import { FakeSums } from "./generated/client/testing.ts";

const [url = "", ...bodies] = process.argv.slice(2);
for (const body of bodies) {
  const headers = { "Content-Type": "application/json" };
  console.log(await (await fetch(url, { method: "POST", headers, body })).text());
}
for (const client of [createSumsClient({ url }), new FakeSums().client]) {
  console.log(await client.add({ a: 1, b: 2 }));
  await client.add({ a: 1000, b: 1 }).catch((error: unknown) => {
    console.log(isServiceError(error) && error.message);
  });
}
