/** Alerts from the first sign to the last email, on the virtual clock, over either store. */
import { parseTime } from "@porchlight/shared/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AlertWorld, ECO, HOUR, MINUTE } from "./alerts.fixture.ts";

let world: AlertWorld;
beforeEach(async () => {
  world = await AlertWorld.start();
});
afterEach(() => world[Symbol.asyncDispose]());

const subjects = async () => (await world.emails()).map(({ subject }) => subject);
const open = async () => (await world.alerts()).filter(({ ended_at }) => ended_at === null);

describe("a hub that is offline", () => {
  it("is an alert after ten minutes, once, with one email, and one more for its end", async () => {
    await world.hub("cli_attic");
    await world.pass(HOUR);
    await world.presence("cli_attic", false);
    await world.pass(9.5 * MINUTE);
    expect(await world.alerts()).toEqual([]);
    await world.pass(HOUR);
    expect(await world.alerts()).toMatchObject([
      { kind: "hub_offline", subject_id: "cli_attic", subject_name: "attic", environment_id: "env_1", told: 1 },
    ]);
    expect(await subjects()).toEqual([expect.stringMatching(/^Alert: Hub “attic” has been offline since /)]);
    await world.presence("cli_attic", true);
    await world.pass(HOUR);
    expect(await open()).toEqual([]);
    expect(await subjects()).toEqual([
      expect.stringMatching(/^Alert: /),
      expect.stringMatching(/^Alert ended: Hub “attic” has been online again since /),
    ]);
    expect(await world.events()).toEqual(["alert.opened cli_attic", "alert.ended cli_attic"]);
  });

  it("has the name that the portal shows: the one that a user set, else its alias, else its ID", async () => {
    await world.hub("cli_attic");
    await world.rename("cli_attic", "Hub under the roof");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
    expect(await world.alerts()).toMatchObject([{ subject_id: "cli_attic", subject_name: "Hub under the roof" }]);
    expect(await subjects()).toEqual([
      expect.stringMatching(/^Alert: Hub “Hub under the roof” has been offline since /),
    ]);
  });

  it("is none while it is away for less than that, however often", async () => {
    await world.hub("cli_attic");
    for (let time = 0; time < 5; time++) {
      await world.presence("cli_attic", false);
      await world.pass(9 * MINUTE);
      await world.presence("cli_attic", true);
      await world.pass(MINUTE);
    }
    expect(await world.alerts()).toEqual([]);
  });

  it("that was back between two looks is another absence, with its own ten minutes", async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
    await world.presence("cli_attic", true);
    await world.presence("cli_attic", false);
    await world.pass(MINUTE);
    expect(await open()).toEqual([]);
    await world.pass(10 * MINUTE);
    expect(await open()).toHaveLength(1);
  });

  it("ends when the hub is deleted, with that reason", async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
    await world.gone("cli_attic");
    await world.pass(10 * MINUTE);
    expect(await world.alerts()).toMatchObject([{ end_text: "Hub “attic” was deleted." }]);
    expect(await subjects()).toHaveLength(2);
  });

  it("is none for an account that does not want it, and what is open ends without an email", async () => {
    await world.hub("cli_attic");
    await world.hub("cli_cellar");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
    await world.settings({ hubOffline: { enabled: false } });
    await world.presence("cli_cellar", false);
    await world.pass(HOUR);
    expect(await world.alerts()).toMatchObject([{ end_text: "Alerts of this kind were turned off." }]);
    expect(await subjects()).toHaveLength(1);
  });
});

describe("what the service itself has caused", () => {
  it("is no alert: after a start each hub has its minutes", async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(5 * MINUTE);
    const [node] = world.nodes;
    if (!node) throw new Error("no node");
    // Away for an hour; the hub comes back eight minutes after the service.
    node.standing.isAlive = false;
    await world.pass(HOUR);
    node.standing.isAlive = true;
    node.standing.startedAt = world.clock.now();
    await world.pass(8 * MINUTE);
    await world.presence("cli_attic", true);
    await world.pass(HOUR);
    expect(await world.alerts()).toEqual([]);
  });

  it("is no alert: nor after the same process has stood still", async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(5 * MINUTE);
    const [node] = world.nodes;
    if (!node) throw new Error("no node");
    node.standing.isAlive = false;
    await world.pass(HOUR);
    node.standing.isAlive = true;
    await world.pass(9 * MINUTE);
    expect(await world.alerts()).toEqual([]);
    await world.pass(2 * MINUTE);
    expect(await open()).toHaveLength(1);
  });
});

describe("many alerts", () => {
  it("that open together are one email with a list, over all ecosystems of the account", async () => {
    await world.ecosystem("eco_2");
    for (let each = 0; each < 60; each++) await world.hub(`cli_${each}`, each % 2 === 0 ? ECO : "eco_2");
    for (let each = 0; each < 60; each++) await world.presence(`cli_${each}`, false, each % 2 === 0 ? ECO : "eco_2");
    await world.pass(HOUR);
    const [email, ...others] = await world.emails();
    expect(others).toEqual([]);
    expect(email?.subject).toBe("Alerts: 60 opened");
    expect(email?.text.match(/has been offline since/g)).toHaveLength(50);
    expect(email?.text).toContain("and 10 more");
  });

  it("that open and end one after another are at most six emails an hour, and none is mailed twice", async () => {
    for (let each = 0; each < 60; each++) await world.hub(`cli_${each}`);
    for (let each = 0; each < 60; each++) {
      await world.presence(`cli_${each}`, false);
      await world.pass(MINUTE);
    }
    await world.pass(30 * MINUTE);
    const emails = await world.emails();
    expect(emails.length).toBeLessThanOrEqual(10);
    const mailed = emails.flatMap(({ text }) => text.match(/Hub “\d+”/g) ?? []);
    expect(mailed).toHaveLength(60);
    expect(new Set(mailed).size).toBe(60);
  });
});

describe("quiet hours", () => {
  beforeEach(async () => {
    await world[Symbol.asyncDispose]();
    // The night in which the clocks of Berlin go from 02:00 to 03:00.
    world = await AlertWorld.start(parseTime("2026-03-28 20:00:00Z"));
    await world.settings({ quietHours: { timeZone: "Europe/Berlin", start: "22:00", end: "07:00" } });
    for (const id of ["cli_attic", "cli_cellar"]) await world.hub(id);
  });

  it("hold an email until they end, by the clock on the wall, if it is still so", async () => {
    await world.pass(2 * HOUR);
    for (const id of ["cli_attic", "cli_cellar"]) await world.presence(id, false);
    await world.pass(HOUR);
    await world.presence("cli_cellar", true);
    await world.clock.advance(0);
    // 06:59 by the clock on the wall: 04:59 in UTC, an hour earlier than the night before.
    await world.pass((5 * 60 + 59) * MINUTE);
    expect(await subjects()).toEqual([]);
    await world.pass(MINUTE);
    expect(await subjects()).toEqual(["Alert: Hub “attic” has been offline since 28 March 2026, 23:00 CET."]);
    // The event went out when it was so. Of two hubs in the same moment none is the first.
    const events = await world.events();
    expect(events.slice(0, 2).toSorted()).toEqual(["alert.opened cli_attic", "alert.opened cli_cellar"]);
    expect(events.slice(2)).toEqual(["alert.ended cli_cellar"]);
  });

  it("hold an end, too", async () => {
    await world.presence("cli_attic", false);
    await world.pass(30 * MINUTE);
    expect(await subjects()).toHaveLength(1);
    await world.pass(2 * HOUR);
    await world.presence("cli_attic", true);
    await world.pass(HOUR);
    expect(await subjects()).toHaveLength(1);
    await world.pass(6 * HOUR);
    expect(await subjects()).toEqual([expect.anything(), expect.stringMatching(/^Alert ended: /)]);
  });
});

describe("a low battery", () => {
  it("is an alert, and over only well above the limit", async () => {
    await world.device("dev_door");
    await world.battery("dev_door", "percent", 16);
    await world.pass(10 * MINUTE);
    expect(await world.alerts()).toEqual([]);
    await world.battery("dev_door", "percent", 15);
    await world.pass(10 * MINUTE);
    expect(await open()).toMatchObject([{ kind: "battery_low", subject_id: "dev_door" }]);
    for (const percent of [16, 14, 19]) {
      await world.battery("dev_door", "percent", percent);
      await world.pass(10 * MINUTE);
    }
    expect(await world.alerts()).toHaveLength(1);
    expect(await open()).toHaveLength(1);
    await world.battery("dev_door", "percent", 20);
    await world.pass(10 * MINUTE);
    expect(await open()).toEqual([]);
    expect(await subjects()).toEqual([
      expect.stringMatching(/^Alert: The battery of “door” is at 15 %/),
      expect.stringMatching(/^Alert ended: The battery of “door” is at 20 %/),
    ]);
  });

  it("is found among more of them than a page holds", async () => {
    const each = Array.from({ length: 600 }, (_none, at) => at);
    await Promise.all(each.map((at) => world.device(`dev_${at}`)));
    await Promise.all(each.map((at) => world.battery(`dev_${at}`, "low", at === 599)));
    await world.pass(6 * MINUTE);
    expect(await world.alerts()).toMatchObject([{ subject_id: "dev_599" }]);
  });
});

describe("a webhook that fails", () => {
  it("is an alert after fifteen minutes, and over with the first success", async () => {
    await world.webhook("whk_1", { failing: false });
    await world.pass(HOUR);
    await world.webhook("whk_1", { failing: true });
    await world.pass(14 * MINUTE);
    expect(await world.alerts()).toEqual([]);
    await world.pass(2 * MINUTE);
    expect(await open()).toMatchObject([
      { kind: "webhook_failing", subject_name: "https://receiver.example/hook", environment_id: null },
    ]);
    await world.webhook("whk_1", { failing: false });
    await world.pass(MINUTE);
    expect(await open()).toEqual([]);
  });

  it("is over when it is disabled", async () => {
    await world.webhook("whk_1", { failing: true });
    await world.pass(16 * MINUTE);
    const [{ since } = { since: 0 }] = await open();
    expect(since).toBeLessThan(world.clock.now());
    await world.webhook("whk_1", { failing: true, disabled: true });
    await world.pass(MINUTE);
    expect(await world.alerts()).toMatchObject([{ end_text: expect.stringContaining("is disabled") }]);
  });
});

describe("a quota that is nearly used up", () => {
  it("is an alert at ninety percent, and over at less than eighty-five", async () => {
    const use = (used: number) => world.quotas.set(ECO, [{ id: "devicesPerEnvironment", used, limit: 100 }]);
    use(89);
    await world.pass(HOUR + MINUTE);
    expect(await world.alerts()).toEqual([]);
    use(90);
    await world.pass(HOUR + MINUTE);
    use(85);
    await world.pass(HOUR + MINUTE);
    expect(await open()).toMatchObject([{ kind: "quota_near", subject_id: "devicesPerEnvironment" }]);
    use(84);
    await world.pass(HOUR + MINUTE);
    expect(await open()).toEqual([]);
    expect(await world.alerts()).toHaveLength(1);
  });
});

describe("an email", () => {
  const away = async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
  };

  it("goes to a verified address only, and the end of an alert whose opening was not mailed is not mailed", async () => {
    await world.store.writeService((tx) => tx.change(tx.build.updateTable("accounts").set({ verified_at: null })));
    await away();
    await world.store.writeService((tx) => tx.change(tx.build.updateTable("accounts").set({ verified_at: 1 })));
    await world.presence("cli_attic", true);
    await world.pass(HOUR);
    expect(await world.alerts()).toMatchObject([{ mail: null, told: 0 }]);
    expect(await subjects()).toEqual([]);
  });

  it("is not written for an account that wants none", async () => {
    await world.settings({ email: false });
    await away();
    expect(await open()).toHaveLength(1);
    expect(await subjects()).toEqual([]);
  });

  it("is written once when the process dies between opening an alert and mailing it", async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(9.5 * MINUTE);
    // No room in the outbox is as good as a death before the email: the alert stands, the email does not.
    const full = { id: "x", account_id: "acc_2", sealed: "", attempts: 0, next_at: 0, expires_at: 0, created_at: 0 };
    const letters = Array.from({ length: 10_000 }, (_none, at) => ({ ...full, id: `x${at}` }));
    for (let at = 0; at < letters.length; at += 1_000)
      await world.store.writeService((tx) =>
        tx.change(tx.build.insertInto("letters").values(letters.slice(at, at + 1_000))),
      );
    await world.pass(2 * MINUTE);
    expect(await open()).toMatchObject([{ mail: "opened", told: 0 }]);
    await world.store.writeService((tx) => tx.change(tx.build.deleteFrom("letters").where("account_id", "=", "acc_2")));
    await world.anotherNode();
    await world.pass(HOUR);
    expect(await subjects()).toHaveLength(1);
  });

  it("is not written of an ecosystem that is gone, and what was open in it is over", async () => {
    await away();
    await world.store.write(ECO, (tx) => tx.change(tx.build.updateTable("ecosystems").set({ gone_at: tx.now() })));
    await world.pass(HOUR);
    expect(await open()).toEqual([]);
    expect(await subjects()).toHaveLength(1);
  });
});

describe("ended alerts", () => {
  it("are two thousand of an ecosystem at most", async () => {
    const about = { ecosystem_id: ECO, kind: "hub_offline", subject_id: "x", subject_name: "x", environment_id: null };
    const columns = { text: "", end_text: "", since: 0, opened_at: 0, mail: null, told: 1 };
    const now = world.clock.now();
    const rows = Array.from({ length: 2_100 }, (_none, at) => ({
      ...about,
      ...columns,
      id: `alt_${at}`,
      ended_at: now + at,
    }));
    for (let at = 0; at < rows.length; at += 700)
      await world.store.write(ECO, (tx) => tx.change(tx.build.insertInto("alerts").values(rows.slice(at, at + 700))));
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
    await world.presence("cli_attic", true);
    await world.pass(MINUTE);
    const kept = await world.alerts();
    expect(kept).toHaveLength(2_000);
    expect(kept.some(({ subject_id }) => subject_id === "cli_attic")).toBe(true);
  });

  it("are kept for ninety days", async () => {
    await world.hub("cli_attic");
    await world.presence("cli_attic", false);
    await world.pass(11 * MINUTE);
    await world.presence("cli_attic", true);
    await world.pass(MINUTE);
    expect(await world.alerts()).toHaveLength(1);
    world.clock.jumpWall(91 * 24 * HOUR);
    await world.pass(HOUR);
    expect(await world.alerts()).toEqual([]);
  });
});
