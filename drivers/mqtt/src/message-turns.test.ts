import { settle } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { Payload } from "./device/payload.ts";
import { MessageTurns } from "./mqtt-driver.ts";

const seen: string[] = [];
let dropped = 0;
const messageOf = (topic: string, length = 1) => ({ topic, payload: new Payload("x".repeat(length)), retained: false });

beforeEach(() => {
  seen.length = 0;
  dropped = 0;
});

function turnsWhose(stepsOfMessage: number) {
  const turns = new MessageTurns(() => {
    dropped += 1;
  });
  const take = turns.taking(function* ({ topic }) {
    seen.push(topic);
    yield stepsOfMessage;
  });
  return { turns, take };
}

describe("messages that come at once", () => {
  test("are looked at in one turn of the loop when they make little work", () => {
    const { take } = turnsWhose(10);
    for (const topic of ["a", "b", "c"]) take(messageOf(topic));
    expect(seen).toEqual(["a", "b", "c"]);
  });

  test("are looked at in one turn each when each makes much work, in their order", async () => {
    const { take } = turnsWhose(10_000);
    for (const topic of ["a", "b", "c"]) take(messageOf(topic));
    expect(seen).toEqual(["a"]);
    await settle(1);
    expect(seen).toEqual(["a", "b"]);
    take(messageOf("d"));
    await settle(4);
    expect(seen).toEqual(["a", "b", "c", "d"]);
    take(messageOf("e"));
    expect(seen).toHaveLength(5);
  });

  test("count with their length", async () => {
    const { take } = turnsWhose(0);
    take(messageOf("long", 1_000_000));
    take(messageOf("short"));
    expect(seen).toEqual(["long"]);
    await settle();
    expect(seen).toEqual(["long", "short"]);
  });

  test("do not fill the memory while they wait", async () => {
    const { take } = turnsWhose(10_000);
    for (let n = 0; n < 20; n++) take(messageOf(String(n), 1024 * 1024));
    // The first is looked at, and the last may be as long as a message can be.
    expect(dropped).toBe(10);
    await settle(20);
    expect(seen).toHaveLength(10);
  });

  test("are looked at also when one of them alone is longer than what may wait", async () => {
    const { take } = turnsWhose(10_000);
    take(messageOf("first"));
    take(messageOf("longest", 16 * 1024 * 1024));
    await settle(4);
    expect([seen, dropped]).toEqual([["first", "longest"], 0]);
  });

  test("are of the past when the connection has gone", async () => {
    const { turns, take } = turnsWhose(10_000);
    for (const topic of ["a", "b"]) take(messageOf(topic));
    turns.clear();
    await settle();
    expect(seen).toEqual(["a"]);
  });
});
