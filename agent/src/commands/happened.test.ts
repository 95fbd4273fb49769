/** What has just happened on a device: notified once, after it is on the disk, and never for a report that has waited. */
import { seededRandom, silentLog } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { BUTTON, Disk, device, pressed } from "../state/state.fixture.ts";
import { DeviceHost } from "./device-host.ts";
import { life } from "./life.fixture.ts";

/** A host with a button that has just come. */
async function hostOf(disk: Disk) {
  const { state, clock, availability, doubts } = life(disk);
  const happened: string[] = [];
  let busy = false;
  const report = state.report.bind(state);
  state.report = async (observed, name) => (busy ? "busy" : report(observed, name));
  const host = DeviceHost.start({
    ...{ clock, state, availability, doubts, absentMs: 15_000, log: silentLog, random: seededRandom(1) },
    happened: (observed, name) => happened.push(`${observed.value} ${name}`),
  });
  host.arrived(device(BUTTON));
  const tell = async (seq: number) => {
    const source = { node: BUTTON, boot: 7, seq };
    return await disk.done(host.reported(pressed("press", BUTTON), source));
  };
  const setBusy = (is: boolean) => {
    busy = is;
  };
  return { host, clock, happened, tell, setBusy };
}

describe("a report of a device that keeps its reports", () => {
  test("is notified once it is stored, by its name, and a repetition is not", async () => {
    using disk = new Disk();
    const { clock, happened, tell } = await hostOf(disk);
    await clock.advance(5001);
    await tell(1);
    await tell(1);
    expect(happened).toEqual([`press ${BUTTON} 7 1`]);
  });

  test("is not notified within five seconds of the device's arrival: it may be old", async () => {
    using disk = new Disk();
    const { host, clock, happened, tell } = await hostOf(disk);
    await clock.advance(4900);
    await tell(1);
    expect(happened).toEqual([]);
    await clock.advance(200);
    await tell(2);
    expect(happened).toHaveLength(1);
    host.left(BUTTON);
    host.arrived(device(BUTTON));
    await tell(3);
    expect(happened).toHaveLength(1);
  });

  test.for([
    [4000, 1],
    [6000, 0],
  ] as const)(
    "that the hub had no room for is notified when it is stored %i ms later: %i times",
    async ([later, times]) => {
      using disk = new Disk();
      const { clock, happened, tell, setBusy } = await hostOf(disk);
      await clock.advance(10_000);
      setBusy(true);
      expect(await tell(1)).toBe("busy");
      await clock.advance(later / 2);
      expect(await tell(1)).toBe("busy");
      await clock.advance(later / 2);
      setBusy(false);
      expect(await tell(1)).toBe("stored");
      expect(happened).toHaveLength(times);
    },
  );

  test("is not notified by a hub that stops", async () => {
    using disk = new Disk();
    const { host, clock, happened } = await hostOf(disk);
    await clock.advance(10_000);
    const stored = host.reported(pressed("press", BUTTON), { node: BUTTON, boot: 7, seq: 1 });
    host[Symbol.dispose]();
    expect([await disk.done(stored), happened]).toEqual(["stored", []]);
  });
});

test("what a device pushes has just happened, also when it has just come", async () => {
  using disk = new Disk();
  const { host, clock, happened } = await hostOf(disk);
  const pushed = host.pushed(pressed("press", BUTTON));
  await clock.advance(100);
  expect([await pushed, happened.length]).toEqual(["stored", 1]);
  host[Symbol.dispose]();
});

test("a push that waits for room is notified only if it does not wait long", async () => {
  using disk = new Disk();
  const { host, clock, happened, setBusy } = await hostOf(disk);
  setBusy(true);
  const pushed = host.pushed(pressed("press", BUTTON));
  await clock.advance(20_000);
  setBusy(false);
  await clock.advance(2000);
  expect([await pushed, happened]).toEqual(["stored", []]);
  host[Symbol.dispose]();
});
