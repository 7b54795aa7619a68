import { expect, test } from "vitest";
import { apiKey } from "../../ledger/api-key.ts";
import { basic, binding, credential, withAuthorization } from "./envelope-calls.ts";

test("the scheme of the trial knows a user by the API key", async () => {
  const { verify } = apiKey().bind({ kind: "apiKey" }, await binding(false));
  expect(await verify(withAuthorization("1", credential))).toMatchObject({
    identity: { caller: { userName: "una" } },
  });
  expect(await verify(withAuthorization("1", basic("una", "wrong")))).toEqual({ kind: "rejected" });
});
