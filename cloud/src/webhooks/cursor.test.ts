/** A position never passes what has not been recorded, and what was recorded is not sent again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cursor } from "./delivery/cursors.ts";
import { type Task, TaskQueue } from "./delivery/task-queue.ts";
import { isWanted, orderKey } from "./replay.ts";

const row = { ecosystem_id: "eco", webhook_id: "whk", id: "log", position: 0, until: null };

describe("a cursor", () => {
  it("that dies at any moment leaves nothing out and sends nothing recorded again", () => {
    const step = fc.constantFrom(...["read", "read", "read", "read", "end", "end", "end", "store", "store", "die"]);
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 200 }), fc.infiniteStream(fc.nat()), (steps, chances) => {
        const choose = (below: number) => (chances.next().value ?? 0) % below;
        const recorded = new Map<number, number>();
        let position = 0;
        const born = () =>
          new Cursor(
            { ...row, position },
            [...recorded.keys()].filter((each) => each > position),
          );
        let cursor = born();
        let flying: number[] = [];
        let ended: number[] = [];
        for (const what of [...steps, "die"]) {
          if (what === "read") {
            const sequence = cursor.read + 1;
            // Every third is none of its.
            if (cursor.pass(sequence, sequence % 3 !== 0)) flying.push(sequence);
          }
          if (what === "end" && flying.length > 0) ended.push(...flying.splice(choose(flying.length), 1));
          if (what === "store") {
            const batch = new Set(ended.splice(0));
            for (const sequence of batch) recorded.set(sequence, (recorded.get(sequence) ?? 0) + 1);
            const next = cursor.positionWith(batch);
            expect(next).toBeGreaterThanOrEqual(position);
            position = next;
            cursor.stored(batch, position);
          }
          if (what === "die") {
            for (let sequence = 1; sequence <= position; sequence++)
              if (sequence % 3 !== 0) expect(recorded.get(sequence)).toBe(1);
            [flying, ended, cursor] = [[], [], born()];
          }
        }
      }),
    );
  });
});

describe("what must be sent", () => {
  const task = (key: string | undefined, sequence: number): Task => ({
    ...{ row: undefined, cursor: "log", sequence, eventId: "evt", type: "zone.created", body: "{}", key },
  });

  it("goes one after another for a device, and side by side for different ones", () => {
    const queue = new TaskQueue();
    for (const [key, sequence] of [
      ["a", 1],
      ["a", 2],
      ["b", 3],
      ["a", 4],
    ] as const)
      queue.add(task(key, sequence));
    expect(queue.ready(8)).toBe(2);
    const [first, second] = [queue.take(), queue.take()];
    expect([first?.sequence, second?.sequence, queue.take()]).toEqual([1, 3, undefined]);
    if (first) queue.done(first);
    expect([queue.ready(8), queue.take()?.sequence]).toEqual([1, 2]);
  });

  it("is about a device, for every type of event", () => {
    const keys = [{ item: { id: "env_1", deviceId: "dev_1" } }, { id: "cmd_1", deviceId: "dev_1" }, { id: "dev_1" }];
    expect(keys.map((data) => orderKey(JSON.stringify(data)))).toEqual(["dev_1", "dev_1", "dev_1"]);
  });

  it("is what the patterns match, of its environment, and never another webhook's test", () => {
    const event = { ecosystemId: "eco", sequence: 1, id: "evt", createdAt: 0, data: "{}", text: "{}" };
    const zone = { ...event, type: "zone.created", environmentId: "env_1" };
    const wants = (patterns: string[], environmentId: string | null, of = zone) =>
      isWanted({ patterns, environmentId }, of);
    expect([wants(["*"], null), wants(["zone.*"], "env_1"), wants(["zone.created"], "env_1")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([wants(["zone.*"], "env_2"), wants(["zone.deleted", "device.*"], null)]).toEqual([false, false]);
    expect(wants(["*", "webhook.test"], null, { ...zone, type: "webhook.test" })).toBe(false);
  });
});
