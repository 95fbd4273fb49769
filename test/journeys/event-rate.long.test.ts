/** Events at a rate, from hubs to streams and webhooks, each in a process of its own: none is lost, none comes twice. The time it takes is asserted only where it runs long, alone. */
import { expect, it } from "vitest";
import { type EventsShape, FULL, runEvents, total } from "../parts/event-rate.ts";
import { rounds } from "../parts/rounds.ts";

const FEW: EventsShape = {
  ecosystems: 3,
  hubsEach: 4,
  devicesPerHub: 2,
  reportsPerHub: 25,
  seconds: 2,
  webhooks: 7,
};
const SHAPE = rounds(0, 1) === 1 ? { ...FULL, seconds: 600 } : FEW;
/** From a device to a stream, ms. */
const LATEST = rounds(Number.POSITIVE_INFINITY, 1_000);
const RATE = SHAPE.ecosystems * SHAPE.hubsEach * SHAPE.reportsPerHub;

it(
  `all of ${RATE} events a second reaches ${SHAPE.ecosystems} streams and ${SHAPE.webhooks} webhooks, once, in order, for a row each`,
  async () => {
    const { sent, streams, webhooks, wanted, rows, commits } = await runEvents(SHAPE);
    expect(sent).toBe(RATE * SHAPE.seconds);
    expect(streams).toMatchObject({ repeats: 0, gaps: 0 });
    expect(streams.each).toEqual(Array(SHAPE.ecosystems).fill(sent / SHAPE.ecosystems));
    expect(webhooks).toMatchObject({ repeats: 0, gaps: 0 });
    expect(webhooks.each).toEqual(wanted);
    expect(rows).toEqual({ rows: total(webhooks), mostAttempts: 1 });
    expect(streams.p99).toBeLessThan(LATEST);
    const took = `to a stream ${streams.p50} ms, p99 ${streams.p99}; to a webhook ${webhooks.p50} ms, p99 ${webhooks.p99}`;
    console.info(`${sent} events, ${total(webhooks)} deliveries, ${rows.rows} rows, ${commits} commits; ${took}`);
  },
  SHAPE.seconds * 1_000 + 120_000,
);
