/** A receiver that fails at random, and a cloud that dies at random, over the whole schedule of days, on a clock that runs fast. */
import { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { freshLocation } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { answering, hanging, Receiver, taken } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import { pick, randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";

const HOUR = 3_600_000;
const EVENTS = 40;
const SEEDS = rounds(1, 40);

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly state: string;
  readonly attempt: number;
}

/** What the receiver does once it has the request; whether it has taken it. */
const MOODS = [
  { takes: true, answer: taken },
  { takes: true, answer: answering(200, {}, "thanks") },
  { takes: false, answer: answering(500, {}, "not today") },
  { takes: false, answer: answering(503, { "retry-after": "120" }) },
  { takes: false, answer: answering(429, { "retry-after": "5" }) },
  { takes: false, answer: answering(302, { location: "/elsewhere" }) },
  { takes: false, answer: hanging },
] as const;

describe("a webhook", () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    "each event is tried until it is taken or ten attempts have failed, through crashes of each process: seed %i",
    async (seed) => {
      const random = seededRandom(seed);
      // On either store in turn.
      let cloud = await TestCloud.start({ webhookAllow: ["127.0.0.0/8"] }, await freshLocation(seed % 2 === 0));
      const home = await cloud.home();
      const has = new Set<string>();
      await using receiver = await Receiver.start((received, response) => {
        // Often well, so that the endpoint is not given up; what came first it never takes.
        const isBad = received.id === receiver.received[0]?.id;
        const mood = isBad ? MOODS[2] : random.fraction() < 0.4 ? MOODS[0] : pick(random, MOODS);
        if (mood.takes) has.add(received.id);
        mood.answer(received, response);
      });
      const ask = (body?: unknown) => ({ token: home.token, ...(body !== undefined && { body }) });
      const { id } = await cloud.good("POST", "/api/webhooks", ask({ url: receiver.url, events: ["zone.*"] }));
      const deliveries = async (): Promise<Delivery[]> =>
        (await cloud.good("GET", `/api/webhooks/${id}/deliveries`, ask())).items;

      let deaths = 0;
      let all: Delivery[] = [];
      for (let made = 0; all.length < EVENTS || all.some(({ state }) => state === "pending"); ) {
        if (made < EVENTS && random.fraction() < 0.5) {
          await cloud.good("POST", "/api/zones", ask({ environmentId: home.environmentId }));
          made += 1;
        }
        if (random.fraction() < 0.03 && deaths < 5) {
          deaths += 1;
          const dead = cloud;
          await dead.app.kill();
          cloud = await dead.restart({ webhookAllow: ["127.0.0.0/8"] });
        }
        // Days by the wall clock alone: nothing else of a cloud must be lived through second by second. Ten attempts take 84 hours at
        // most, and each comes late by a leap: with leaps of three hours none is given up because the endpoint failed for five days.
        if (random.fraction() < 0.5) cloud.clock.jumpWall(randomInteger(random, made < EVENTS ? 20_000 : 3 * HOUR));
        await cloud.clock.advance(randomInteger(random, 16_000));
        all = await deliveries();
      }
      const failed = all.filter(({ state }) => state === "failed");
      const events = await cloud.rows((db) => db.selectFrom("events").select("id").where("type", "=", "zone.created"));
      expect(new Set(all.map(({ eventId }) => eventId))).toEqual(new Set(events.map((event) => event.id)));
      expect(all).toHaveLength(EVENTS);
      expect(failed.map(({ eventId }) => eventId)).toContain(receiver.received[0]?.id);
      for (const each of failed) expect(each.attempt).toBe(10);
      for (const each of all)
        if (each.state === "succeeded") expect([each.eventId, has.has(each.eventId)]).toEqual([each.eventId, true]);
      console.info(
        `seed ${seed}: ${EVENTS} events, ${receiver.received.length} attempts, ${failed.length} given up, ${deaths} deaths`,
      );
      await cloud[Symbol.asyncDispose]();
    },
  );
});
