/** The thread of `worker.test.ts`. */
import { answerTasks } from "../../runtime/platform/worker.ts";

export type Trial =
  | { readonly kind: "add"; readonly to: number }
  | { readonly kind: "later"; readonly turns: number }
  | { readonly kind: "throw"; readonly text: string }
  | { readonly kind: "bytes"; readonly length: number }
  | { readonly kind: "die" };

answerTasks(
  ({ start }: { readonly start: number }) => {
    let sum = start;
    return async (trial: Trial): Promise<number | ArrayBuffer> => {
      switch (trial.kind) {
        case "add":
          return (sum += trial.to);
        case "later":
          for (let turn = 0; turn < trial.turns; turn += 1) await new Promise(setImmediate);
          return sum;
        case "throw":
          throw new Error(trial.text);
        case "bytes":
          return new ArrayBuffer(trial.length);
        case "die":
          return process.exit(1);
      }
    };
  },
  (answer) => (answer instanceof ArrayBuffer ? [answer] : []),
);
