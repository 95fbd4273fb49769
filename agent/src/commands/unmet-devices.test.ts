import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { BUTTON, Disk, LAMP, level, on } from "../state/state.fixture.ts";
import { life, UNMET_MS } from "./life.fixture.ts";

const UNMET = { outcome: "not_applied", failure: { name: "Device Unreachable" } };

/** A hub that has just started on a disk, and knows a lamp that it has not met yet. */
function started(disk: Disk) {
  const hub = life(disk, undefined, undefined, [LAMP]);
  hub.driver.live.delete(LAMP);
  const meet = () => {
    hub.driver.live.add(LAMP);
    hub.availability.arrived(LAMP);
  };
  const part = () => {
    hub.driver.live.delete(LAMP);
    hub.availability.left(LAMP);
  };
  /** What a command has ended with by now. */
  const ends: string[] = [];
  const give = (id: string, ms: number, signal?: AbortSignal) => {
    const answer = hub.set(id, true, { deadline: hub.clock.monotonic() + ms, signal });
    void answer.then(({ outcome }) => ends.push(`${id} ${outcome}`));
    return answer;
  };
  return { ...hub, meet, part, give, ends };
}

describe("a command for a device that the hub has not met yet", () => {
  test("waits for it, without an entry in the journal, and is carried out as soon as it is there", async () => {
    using disk = new Disk();
    const { give, meet, state, driver, commands, clock } = started(disk);
    const answer = give("cmd_1", 60_000);
    await clock.advance(UNMET_MS - 1);
    expect([driver.touches, state.entry("cmd_1"), commands.waiting]).toEqual([[], undefined, 1]);
    meet();
    expect(await answer).toMatchObject({ outcome: "confirmed" });
    expect([driver.touches.length, commands.waiting, clock.pending()]).toEqual([1, 0, ["journal age"]]);
  });

  test("is not applied when the device has not come in the time that it may take, and nothing waits from then on", async () => {
    using disk = new Disk();
    const { give, ends, driver, clock } = started(disk);
    void give("cmd_1", 60_000);
    await clock.advance(UNMET_MS - 1);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual(["cmd_1 not_applied"]);
    expect(await give("cmd_2", 60_000)).toMatchObject(UNMET);
    expect(driver.touches).toEqual([]);
  });

  test("waits no longer than its own deadline, also behind one that has more time, and is not carried out after it", async () => {
    using disk = new Disk();
    const { give, ends, meet, driver, clock } = started(disk);
    void give("cmd_1", 60_000);
    const second = give("cmd_2", 3_000);
    await clock.advance(3_000);
    expect(ends).toEqual(["cmd_2 not_applied"]);
    expect(await second).toMatchObject(UNMET);
    meet();
    await settle();
    expect(ends).toEqual(["cmd_2 not_applied", "cmd_1 confirmed"]);
    expect(driver.touches).toHaveLength(1);
  });

  test("is carried out in its turn: those that waited go in the order in which they came, before what comes then", async () => {
    using disk = new Disk();
    const { give, meet, ends, driver, commands, permit, set, clock } = started(disk);
    void give("cmd_1", 9_000);
    const read = commands.read([on(0)], permit({ deadline: 60_000 }));
    void give("cmd_2", 60_000);
    await settle();
    void give("cmd_3", 20_000);
    await settle();
    meet();
    await settle();
    const last = set("cmd_4", false);
    await last;
    await clock.until(read);
    expect(driver.touches.map(({ what, value }) => value ?? what)).toEqual([true, "read", true, true, false]);
    expect(ends).toEqual(["cmd_1 confirmed", "cmd_2 confirmed", "cmd_3 confirmed"]);
  });

  test("that is cancelled is not begun, and holds up nothing", async () => {
    using disk = new Disk();
    const { give, meet, driver, commands } = started(disk);
    const cancel = new AbortController();
    const answer = give("cmd_1", 9_000, cancel.signal);
    await settle();
    cancel.abort();
    expect(await answer).toMatchObject({ outcome: "not_applied", failure: { name: "Hub Timeout" } });
    meet();
    await settle();
    expect([driver.touches, commands.waiting]).toEqual([[], 0]);
  });

  test("is not begun when the lease has ended meanwhile", async () => {
    using disk = new Disk();
    const { set, meet, driver, permit } = started(disk);
    let live = true;
    const answer = set("cmd_1", true, { ...permit(), mayTouch: () => live });
    await settle();
    live = false;
    meet();
    expect(await answer).toMatchObject({ outcome: "not_applied", failure: { name: "Hub Timeout" } });
    expect(driver.touches).toEqual([]);
  });

  test("is carried out once when it is sent again while it waits", async () => {
    using disk = new Disk();
    const { give, meet, driver } = started(disk);
    const answers = Promise.all([give("cmd_1", 9_000), give("cmd_1", 9_000)]);
    await settle();
    meet();
    const [first, second] = await answers;
    expect(second).toEqual(first);
    expect(driver.touches).toHaveLength(1);
  });

  test("is answered from the journal at once when it was carried out in an earlier life", async () => {
    using disk = new Disk();
    const before = life(disk);
    const ended = await before.set("cmd_1", true);
    before.state.kill();
    const { give } = started(disk);
    expect(await give("cmd_1", 9_000)).toEqual(ended);
  });

  test("delays nothing that is for another device, however many of them wait", async () => {
    using disk = new Disk();
    const { commands, permit } = started(disk);
    for (let n = 0; n < 300; n++) {
      void commands.command({ id: `cmd_${n}`, ...level(n), property: `p${n}` }, permit({ deadline: 60_000 }));
    }
    await settle();
    expect(await commands.command({ id: "cmd_other", ...on(true, BUTTON) }, permit())).toMatchObject({
      outcome: "confirmed",
    });
  });
});

describe("a read from a device that the hub has not met yet", () => {
  test("waits for it, and gives what it says", async () => {
    using disk = new Disk();
    const { commands, permit, meet, driver, clock } = started(disk);
    driver.values.set(`${LAMP} level`, 40);
    const read = commands.read([level(0)], permit());
    await clock.advance(5_000);
    expect(driver.touches).toEqual([]);
    meet();
    expect(await clock.until(read)).toMatchObject([{ value: 40 }]);
  });

  test("fails at its deadline when the device has not come", async () => {
    using disk = new Disk();
    const { commands, permit, driver, clock } = started(disk);
    const read = commands.read([level(0)], permit({ deadline: 3_000 }));
    expect(await clock.until(read)).toMatchObject([{ failure: { name: "Device Unreachable" } }]);
    expect([clock.monotonic(), driver.touches]).toEqual([3_000, []]);
  });
});

describe("a device whose line is opened anew", () => {
  test("is waited for again after it has left, and gone at once while its line is down", async () => {
    using disk = new Disk();
    const { give, meet, part, availability } = started(disk);
    meet();
    part();
    expect(await give("cmd_1", 9_000)).toMatchObject(UNMET);
    availability.opened([LAMP]);
    const answer = give("cmd_2", 9_000);
    await settle();
    meet();
    expect(await answer).toMatchObject({ outcome: "confirmed" });
  });

  test("has the whole time from then on, also soon after the hub's start, but only once until it is there", async () => {
    using disk = new Disk();
    const { meet, part, availability, clock } = started(disk);
    await clock.advance(UNMET_MS - 1);
    availability.opened([LAMP]);
    await clock.advance(UNMET_MS - 1);
    expect(availability.of(LAMP)).toBe("unmet");
    availability.opened([LAMP]);
    await clock.advance(1);
    expect(availability.of(LAMP)).toBe("gone");
    availability.opened([LAMP]);
    expect(availability.of(LAMP)).toBe("gone");
    meet();
    availability.opened([LAMP]);
    expect(availability.of(LAMP)).toBe("there");
    part();
    expect(availability.of(LAMP)).toBe("gone");
    availability.opened([LAMP]);
    expect(availability.of(LAMP)).toBe("unmet");
  });

  test("is gone when the hub stops, and requests that waited for it end", async () => {
    using disk = new Disk();
    const { give, availability, driver } = started(disk);
    const answer = give("cmd_1", 60_000);
    await settle();
    availability.end();
    expect(await answer).toMatchObject(UNMET);
    expect(driver.touches).toEqual([]);
  });
});
