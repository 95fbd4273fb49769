/** How ended attempts come into the store: many in one job, and none is lost when the store takes nothing for a while. */
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { freshLocation } from "../../store/fresh-store.fixture.ts";
import { Store } from "../../store/index.ts";
import { ALL_CLAIMED } from "../shared-claims.ts";
import { AttemptRecorder, type Recorded } from "./recorder.ts";
import type { Attempt } from "./recording.ts";
import type { Task } from "./task-queue.ts";

const about = { cursor: "log", sequence: 1, eventId: "evt_1", type: "zone.created", body: "{}" };
const task: Task = { row: undefined, key: undefined, ...about };
const attempt: Attempt = {
  task,
  sent: { outcome: { kind: "answered", status: 204 }, durationMs: 1 },
  id: "dlv_1",
  ...{ beganAt: 0, endedAt: 1, fraction: 0 },
};

async function recorderOn(before?: () => void) {
  const fresh = await freshLocation();
  const clock = new VirtualClock();
  const ids = new IdMaker(clock, seededRandom(1));
  const store = await Store.open({ ...fresh.opening, clock, ids, before });
  const outbox = { notify: async () => false };
  const recorder = new AttemptRecorder({
    ...{ store, clock, log: silentLog, outbox, serviceUrl: () => "" },
    claims: ALL_CLAIMED,
  });
  return {
    store,
    clock,
    recorder,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await fresh[Symbol.asyncDispose]();
    },
  };
}

/** A webhook, and how many of its attempts were stored at once. */
function webhook(id: string): Recorded & { readonly batches: number[] } {
  const batches: number[] = [];
  return {
    ecosystemId: "eco_1",
    webhookId: id,
    holder: "",
    batches,
    positionsWith: () => [],
    stored: (attempts) => void batches.push(attempts.length),
  };
}

it("attempts that end during a commit are stored together, those of an ecosystem in one job", async () => {
  await using room = await recorderOn();
  const webhooks = [webhook("whk_1"), webhook("whk_2"), webhook("whk_3")];
  const before = room.store.work.jobs;
  for (let count = 0; count < 300; count++) for (const each of webhooks) room.recorder.add(each, attempt);
  await room.recorder.idle();
  expect(webhooks.map(({ batches }) => batches)).toEqual([[1, 299], [300], [300]]);
  expect(room.store.work.jobs - before).toBe(2);
});

it("what the store does not take is offered again, with what has ended meanwhile", async () => {
  let isBroken = true;
  await using room = await recorderOn(() => {
    if (isBroken) throw new Error("no store");
  });
  const one = webhook("whk_1");
  room.recorder.add(one, attempt);
  await room.clock.advance(2_500);
  room.recorder.add(one, attempt);
  isBroken = false;
  await room.clock.advance(1_000);
  await room.recorder.idle();
  expect(one.batches).toEqual([2]);
});
