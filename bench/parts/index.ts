import { client } from "./client.ts";
import { bothCores } from "./cores.ts";
import { generate } from "./generate.ts";
import { pace, starts } from "./pace.ts";
import { mounted } from "./mounted.ts";
import type { Part } from "./part.ts";
import { calls, reads } from "./reads.ts";
import { validators } from "./validators.ts";
import { watch } from "./watch.ts";
import { commits, writes } from "./writes.ts";

/** In the order in which they run. */
export const parts: readonly Part[] = [
  reads,
  calls,
  mounted,
  writes,
  commits,
  pace,
  starts,
  bothCores,
  validators,
  client,
  generate,
  watch,
];
