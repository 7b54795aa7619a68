import { rpcStdio } from "../../../runtime/transport/stdio/index.ts";
import { startService } from "../../../runtime/service/index.ts";
import { carriedTasks } from "./describe.ts";
import { handlers, verifiers } from "./service.ts";

/** The service of `tasks.yaml` on standard input and output. */
const service = startService(carriedTasks().descriptor, handlers, {
  auth: verifiers,
  onFailure: () => undefined,
});
await rpcStdio(service).done;
