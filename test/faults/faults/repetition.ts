import type { AnswerRecord } from "../../../runtime/store/ports/index.ts";
import { withMethod } from "../changes/methods.ts";
import { withStore } from "../changes/store.ts";
import { currentCredential, currentPayload, currentRequest } from "../current-request.ts";
import { faultOf, type Fault } from "../fault.ts";

const fault = faultOf("handlers");

/** The first responses are found by what a function says of the current request, whatever else differs. */
function rememberedBy(key: () => string): Pick<Fault, "options"> {
  const remembered = new Map<string, AnswerRecord>();
  return {
    options: withStore({
      writing: ({ answers }) => ({
        answers: {
          ...answers,
          find: (requestHash) => {
            const known = remembered.get(key());
            return known === undefined ? answers.find(requestHash) : Promise.resolve(known);
          },
          insert(record) {
            remembered.set(key(), record);
            return answers.insert(record);
          },
        },
      }),
    }),
  };
}

const texts = new Map<string, string>();
const id = (): unknown => currentRequest().json["id"];

/** Faults of repeated requests (D-24). */
export const repetitionFaults: readonly Fault[] = [
  fault("not-idempotent", "A repeated AddAccount opens another account.", {
    options: withMethod("CustomerService.AddAccount", (method) => ({ ...method, effect: "set" })),
  }),
  fault("flat-not-idempotent", "A repeated flat body makes another subscription.", {
    options: withMethod("CreateSubscription", (method) => ({ ...method, effect: "set" })),
  }),
  fault(
    "repetition-by-id-alone",
    "Another payload under the same id gets the first response.",
    rememberedBy(() => JSON.stringify([currentRequest().json["method"], currentCredential().userName, id()])),
  ),
  fault(
    "repetition-by-payload-alone",
    "The same payload under another id gets the first response.",
    rememberedBy(() =>
      JSON.stringify([currentRequest().json["method"], currentCredential().userName, currentPayload()]),
    ),
  ),
  fault(
    "repetition-of-anybody",
    "A repetition by another user gets the first user's response.",
    rememberedBy(() => JSON.stringify([currentRequest().json["method"], id(), currentPayload()])),
  ),
  fault("repetition-by-bytes", "A repetition whose payload is written otherwise opens another account.", {
    options: withStore({
      writing: ({ answers }) => ({
        answers: {
          ...answers,
          async find(requestHash) {
            const { text } = currentRequest();
            const before = texts.get(requestHash);
            texts.set(requestHash, text);
            if (before === undefined || before === text) return answers.find(requestHash);
            await answers.remove(requestHash);
            return undefined;
          },
        },
      }),
    }),
  }),
  fault("repetition-forgotten", "A repetition after three seconds opens another account.", {
    options: withStore({
      writing: ({ answers }) => ({
        answers: {
          ...answers,
          async find(requestHash) {
            const found = await answers.find(requestHash);
            if (found === undefined || found.createdAt > Date.now() - 3_000) return found;
            await answers.remove(requestHash);
            return undefined;
          },
        },
      }),
    }),
  }),
];
