/** The hub does not keep the bridge's reports, so that the newest one is sent again and again. */
import { settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { PairingReport } from "./tell-hub.ts";

function world(tell: (devices: number) => Promise<void>) {
  const clock = new VirtualClock();
  const reported: number[] = [];
  const report = new PairingReport({
    ...{ clock, log: silentLog },
    tell: async ({ devices }) => {
      reported.push(devices);
      await tell(devices);
    },
  });
  const is = (devices: number) => report.is({ state: "paired", controllers: [], devices });
  return { clock, reported, report, is };
}

test("what changes is reported at once, and again every 30 seconds", async () => {
  const { clock, reported, report, is } = world(async () => undefined);
  is(1);
  await settle();
  await clock.advance(60_000);
  is(2);
  await settle();
  expect(reported).toEqual([1, 1, 1, 2]);
  report[Symbol.dispose]();
  expect(clock.pending()).toEqual([]);
});

test("of changes during a report, the last is reported after it", async () => {
  const slow = Promise.withResolvers<void>();
  const { reported, report, is } = world(() => slow.promise);
  for (const devices of [1, 2, 3]) is(devices);
  slow.resolve();
  await settle();
  expect(reported).toEqual([1, 3]);
  report[Symbol.dispose]();
});

test("a report to a hub that does not answer is sent later", async () => {
  const { clock, reported, report, is } = world(() => Promise.reject(new Error("no")));
  is(1);
  await settle();
  await clock.advance(30_000);
  expect(reported).toEqual([1, 1]);
  report[Symbol.dispose]();
});
