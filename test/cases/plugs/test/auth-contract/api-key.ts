import { apiKey } from "../../runtime/auth/user-key/index.ts";
import { basic, credential, services, withAuthorization } from "./calls.ts";
import { authSchemeContract, type SchemeUnderTest } from "./contract.ts";

authSchemeContract("the scheme of the trial", async (): Promise<SchemeUnderTest> => ({
  scheme: apiKey()(await services(false)),
  userName: "una",
  good: (id) => withAuthorization(id, credential),
  unidentified: {
    "no header": () => withAuthorization("1", ""),
    "a wrong key": () => withAuthorization("1", basic("una", "wrong")),
  },
  forged: {},
}));
