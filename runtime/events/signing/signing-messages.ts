import type { KeyObject } from "node:crypto";
import type { NotificationDraft, SignedNotification } from "./signed-notification.ts";

/** Drafts for the signing worker, as flat lists: these are cloned fastest. */
export interface DraftsMessage {
  readonly strings: readonly string[];
  readonly numbers: readonly number[];
  /** Keys that are named by their number from now on, counting from `keysBefore`. Later ones sent before are forgotten. */
  readonly newKeys: readonly KeyObject[];
  readonly keysBefore: number;
}

/** The signed notifications, in the order of their drafts. */
export interface SignedMessage {
  /** The bodies, one after the other. */
  readonly bytes: ArrayBuffer;
  /** How many of the bytes are of each. */
  readonly lengths: readonly number[];
  readonly signatures: readonly string[];
}

/** Keys that the worker keeps, at most. */
const keysMax = 4_000;

/** Packs drafts for one worker. A key is sent once; at the limit all keys are forgotten. */
export function createDraftPacker(): (drafts: readonly NotificationDraft[]) => DraftsMessage {
  const keyNumbers = new Map<KeyObject, number>();

  return (drafts) => {
    if (keyNumbers.size >= keysMax) keyNumbers.clear();
    const keysBefore = keyNumbers.size;
    const strings: string[] = [];
    const numbers: number[] = [];
    const newKeys: KeyObject[] = [];
    const numberOf = (key: KeyObject): number => {
      const known = keyNumbers.get(key);
      if (known !== undefined) return known;
      const number = keyNumbers.size;
      keyNumbers.set(key, number);
      newKeys.push(key);
      return number;
    };
    for (const { event, delivery, timeMs, payloadKey, webhookKey, secrets } of drafts) {
      strings.push(event.id, event.name, event.source, event.revision ?? "", event.payloadJson);
      strings.push(event.membersJson ?? "", event.payloadName ?? "");
      strings.push(delivery.id, delivery.subscriptionId);
      numbers.push(event.createdAt, delivery.sequence, timeMs, numberOf(payloadKey), numberOf(webhookKey));
      numbers.push(delivery.topics.length);
      for (const topic of delivery.topics) strings.push(topic);
      numbers.push(secrets.length);
      for (const secret of secrets) numbers.push(numberOf(secret));
    }
    return { strings, numbers, newKeys, keysBefore };
  };
}

/** Unpacks the messages of one packer, in their order. */
export function createDraftUnpacker(): (message: DraftsMessage) => readonly NotificationDraft[] {
  const keys: KeyObject[] = [];

  return ({ strings, numbers, newKeys, keysBefore }) => {
    keys.length = keysBefore;
    keys.push(...newKeys);
    const string = readerOf(strings);
    const number = readerOf(numbers);
    const key = (): KeyObject => found(keys[number.next()]);
    const drafts: NotificationDraft[] = [];
    while (!string.isOver()) {
      const described = {
        id: string.next(),
        name: string.next(),
        source: string.next(),
        revision: string.next(),
        payloadJson: string.next(),
        createdAt: number.next(),
      };
      const [membersJson, payloadName] = [string.next(), string.next()];
      const event = {
        ...described,
        ...(membersJson !== "" && { membersJson }),
        ...(payloadName !== "" && { payloadName }),
      };
      const [deliveryId, subscriptionId] = [string.next(), string.next()];
      const [sequence, timeMs] = [number.next(), number.next()];
      const [payloadKey, webhookKey] = [key(), key()];
      const topics = listOf(number.next(), string.next);
      const secrets = listOf(number.next(), key);
      const delivery = { id: deliveryId, subscriptionId, topics, sequence };
      drafts.push({ event, delivery, timeMs, payloadKey, webhookKey, secrets });
    }
    return drafts;
  };
}

export function packSigned(all: readonly SignedNotification[]): SignedMessage {
  const lengths = all.map(({ body }) => body.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  for (const { body } of all) {
    bytes.set(body, end);
    end += body.length;
  }
  return { bytes: bytes.buffer, lengths, signatures: all.map(({ signature }) => signature) };
}

export function unpackSigned({ bytes, lengths, signatures }: SignedMessage): readonly SignedNotification[] {
  let end = 0;
  return signatures.map((signature, index) => {
    const body = Buffer.from(bytes, end, lengths[index]);
    end += body.length;
    return { body, signature };
  });
}

interface Reader<T> {
  next(): T;
  isOver(): boolean;
}

function readerOf<T>(list: readonly T[]): Reader<T> {
  let read = 0;
  return {
    next: () => found(list[read++]),
    isOver: () => read === list.length,
  };
}

function listOf<T>(length: number, next: () => T): readonly T[] {
  return Array.from({ length }, next);
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the signing worker got a message that its packer did not make");
  return value;
}
