import { describe, expect, test } from "vitest";
import { countedAddress, isLoopback } from "../../runtime/connections/address.ts";
import { createBodyRoom } from "../../runtime/connections/body-room.ts";
import { createFifo } from "../../runtime/connections/fifo.ts";
import { gatherBytes } from "../../runtime/connections/gather.ts";

describe("addresses", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2/64"],
    ["2001:0db8:1:2:ffff::", "2001:db8:1:2/64"],
    ["2001:db8:1:3::6", "2001:db8:1:3/64"],
    ["2001:db8::6", "2001:db8:0:0/64"],
    ["::1", "0:0:0:0/64"],
    ["fe80::1%eth0", "fe80:0:0:0/64"],
    ["", ""],
  ])("%s counts as %s: IPv6 by its network", (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });

  test.each([
    ["127.0.0.1", true],
    ["127.255.0.9", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["128.0.0.1", false],
    ["12.7.0.1", false],
    ["::2", false],
    ["::ffff:10.0.0.1", false],
  ])("%s is of this machine: %s", (address, isOfMachine) => {
    expect(isLoopback(address)).toBe(isOfMachine);
  });
});

test("bodies fill their room to the last byte, and leave it", () => {
  const room = createBodyRoom(100);
  expect(room.hold(60)).toBe(true);
  expect(room.hold(41)).toBe(false);
  expect(room.hold(40)).toBe(true);
  expect(room.held).toBe(100);
  expect(room.hold(1)).toBe(false);
  room.release(60);
  expect(room.hold(60)).toBe(true);
});

test("a queue gives back what it was given in that order, however many went before", () => {
  const queue = createFifo<number>();
  const left: (number | undefined)[] = [];
  let pushed = 0;
  for (let round = 0; round < 5; round += 1) {
    for (let count = 0; count < 400; count += 1) queue.push(pushed++);
    for (let count = 0; count < 300; count += 1) {
      expect(queue.peek()).toBe(left.length);
      left.push(queue.shift());
    }
    expect(queue.length).toBe(pushed - left.length);
  }
  while (queue.length > 0) left.push(queue.shift());
  expect(left).toEqual(Array.from({ length: 2_000 }, (_, number) => number));
  expect(queue.shift()).toBeUndefined();
  queue.push(1);
  queue.clear();
  expect([queue.length, queue.peek()]).toEqual([0, undefined]);
});

test("pieces become one body, and what is held covers it", () => {
  const gathered = gatherBytes();
  for (const piece of ["a", "bc", "", "defgh", "i"]) gathered.add(Buffer.from(piece));
  expect(gathered.whole().toString()).toBe("abcdefghi");
  expect(gathered.length).toBe(9);
  expect(gathered.held).toBeGreaterThanOrEqual(9);
});
