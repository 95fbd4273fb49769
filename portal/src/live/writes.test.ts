/** Sending while a hand drags: on a clock that the test moves, to a service that answers when the test says so. */
import { PorchlightError, type PorchlightEvent } from "@porchlight/sdk";
import type { PropertyItem } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { shownOf } from "./write-state.ts";
import { dueIn, type How, Writes } from "./writes.ts";

const target = { deviceId: "dev_1", service: "LightColor", index: "0", property: "hue" };
const NOON = "2026-11-21 12:00:00Z";
const item = (value: unknown): PropertyItem => ({
  ...target,
  ecosystemId: "eco_1",
  id: "env_1",
  value: value as number,
  modifiedAt: NOON,
  observedAt: NOON,
});

/** A clock, a device and the writes of a tab. */
class TestPage {
  now = 0;
  #timers: { at: number; job: () => void }[] = [];
  readonly sent: { value: unknown; how: string; answer: (value: unknown) => void; refuse: (error: Error) => void }[] =
    [];
  readonly applied: unknown[] = [];
  readonly writes = new Writes({
    api: {
      devices: {
        set: async (_device, _selector, value) => {
          const confirmed = (await this.#send(value, "set")) as number;
          return { item: item(confirmed), commandId: `cmd_${this.sent.length}` };
        },
        setAsync: async (_device, _selector, value) => {
          await this.#send(value, "setAsync");
          const id = `cmd_${this.sent.length}`;
          return { ...target, id, value: value as number, state: "queued", createdAt: NOON, expiresAt: NOON };
        },
      },
      commands: { get: () => Promise.reject(new Error("not requested")) },
    },
    onConfirmed: ({ value }) => void this.applied.push(value),
    onUnreachable: () => undefined,
    now: () => this.now,
    timer: (ms, job) => {
      const timer = { at: this.now + ms, job };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      };
    },
  });

  ask(value: unknown, how?: How): void {
    this.writes.ask(target, value, how);
  }

  /** Lets time pass, and everything that falls due in it happen. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { job } of due) job();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }

  async answer(value: unknown): Promise<void> {
    this.sent.at(-1)?.answer(value);
    await this.settle();
  }

  get values(): unknown[] {
    return this.sent.map(({ value }) => value);
  }

  #send(value: unknown, how: string): Promise<unknown> {
    return new Promise((answer, refuse) => this.sent.push({ value, how, answer, refuse }));
  }
}

test("the first value goes at once, what a hand overtakes does not, and the last does", async () => {
  const desk = new TestPage();
  desk.ask(10);
  for (const value of [11, 12, 13]) desk.ask(value);
  expect(desk.values).toEqual([10]);
  await desk.answer(10);
  await desk.pass(119);
  expect(desk.values).toEqual([10]);
  await desk.pass(1);
  expect(desk.values).toEqual([10, 13]);
  await desk.answer(13);
  await desk.pass(10_000);
  expect(desk.values).toEqual([10, 13]);
  expect(desk.applied).toEqual([13]);
});

test("one is on its way at a time, however slow the device", async () => {
  const desk = new TestPage();
  desk.ask(10);
  desk.ask(20);
  await desk.pass(5000);
  expect(desk.values).toEqual([10]);
  await desk.answer(10);
  expect(desk.values).toEqual([10, 20]);
});

test("the last value is sent also when one before it was refused, and only its own refusal is shown", async () => {
  const desk = new TestPage();
  desk.ask(10);
  desk.ask(20);
  desk.sent[0]?.refuse(new PorchlightError("Hub Offline", "It is away.", { outcome: "not_sent", status: 503 }));
  await desk.settle();
  expect(desk.writes.stateOf(target)).toMatchObject({ kind: "asking", asked: 20 });
  await desk.pass(120);
  desk.sent[1]?.refuse(new PorchlightError("Hub Offline", "It is away.", { outcome: "not_sent", status: 503 }));
  await desk.settle();
  expect(desk.writes.stateOf(target)).toMatchObject({
    kind: "refused",
    asked: 20,
    refusal: { name: "Hub Offline", outcome: "not_sent" },
  });
});

test("what is to wait for the hub is kept once, when the hand is at rest", async () => {
  const desk = new TestPage();
  for (const value of [10, 20, 30]) {
    desk.ask(value, { ttlSeconds: 3600 });
    await desk.pass(400);
  }
  expect(desk.values).toEqual([]);
  expect(shownOf(desk.writes.stateOf(target), { value: 1 })).toMatchObject({ value: 30, isPending: true });
  await desk.pass(100);
  expect(desk.sent).toMatchObject([{ value: 30, how: "setAsync" }]);
  await desk.answer(undefined);
  expect(desk.writes.stateOf(target)).toMatchObject({ kind: "waiting", asked: 30 });
});

test("an answer does not repeat a value that an event has reported", async () => {
  const desk = new TestPage();
  desk.ask(10);
  desk.writes.hear({
    type: "property.changed",
    data: { item: item(10), cause: { kind: "command", commandId: "cmd_1" } },
  } as unknown as PorchlightEvent);
  await desk.answer(10);
  expect(desk.applied).toEqual([]);
  expect(desk.writes.stateOf(target)).toEqual({ kind: "still" });
});

test("the pace is kept from one sending to the next", () => {
  const pace = { isOut: false, sentAt: 1000, askedAt: 1050, atRest: false };
  expect(dueIn(pace, 1050)).toBe(70);
  expect(dueIn({ ...pace, isOut: true }, 1050)).toBeUndefined();
  expect(dueIn({ ...pace, askedAt: undefined }, 1050)).toBeUndefined();
  expect(dueIn({ ...pace, atRest: true }, 1050)).toBe(500);
  expect(dueIn({ ...pace, sentAt: undefined }, 1050)).toBe(0);
});
