/** What excuses an act after its deadline, and what does not: each excuse has lies beside it that are like it. */
import { describe, expect, test } from "vitest";
import type { HomeRecord, Kind, Standstill } from "../record.ts";
import { judge } from "./judge.ts";
import { act, LAMP, look, record, UNKNOWN, write } from "./record.fixture.ts";

describe("an act after its deadline", () => {
  /** Asked for at 1000 with a wait of 2000, done 5000 too late. */
  const late = { writes: [write([UNKNOWN])], acts: [act(8000)], looks: [look()] };
  const judged = (kind: Kind, what: string, from: number, to: number, parts: Partial<HomeRecord> = late) =>
    judge(record({ ...parts, standstills: [{ kind, what, from, to }] }));
  const ofMatter = { ...late, matterDevice: LAMP.device };
  const atHome = { ...late, writes: [write([UNKNOWN], { api: "home" })] };

  test.each<[string, Kind, string, number, number, Partial<HomeRecord>]>([
    ["taken late", "service", "cloud", 500, 6500, late],
    ["taken late", "service", "cloud", 1300, 6500, late],
    ["taken late", "hub", "agent", 500, 6500, atHome],
    ["device stood still", "device", "lamp", 2000, 6500, late],
    ["device stood still", "device line", "lamp", 2000, 6500, late],
    ["hub stood still", "hub", "agent", 2000, 6500, late],
    ["driver stood still", "driver", "driver", 2000, 6500, ofMatter],
  ])("is counted as %s: %s %s, %d to %d", (excuse, kind, what, from, to, parts) => {
    const { violations, timing } = judged(kind, what, from, to, parts);
    expect(violations).toEqual([]);
    expect(timing.late).toEqual([{ excuse, ms: 5000 }]);
  });

  test.each<[string, Kind, string, number, number, Partial<HomeRecord>]>([
    ["another device stood still", "device", "strip", 2000, 6500, late],
    ["another line held its bytes", "device line", "strip", 2000, 6500, late],
    ["the line to the service held the command", "service line", "cloud", 500, 6500, late],
    ["the store stood still", "server", "PostgreSQL", 500, 6500, late],
    ["the service stood still when it had the request", "service", "cloud", 2000, 6500, late],
    ["the service stood still, and the write was at home", "service", "cloud", 500, 6500, atHome],
    ["the hub stood still when the command came", "hub", "agent", 500, 6500, late],
    ["the hub went on long before", "hub", "agent", 2000, 5900, late],
    ["the driver of another device stood still", "driver", "driver", 2000, 6500, late],
    ["the driver stood still when the command came", "driver", "driver", 500, 6500, ofMatter],
    ["the driver went on long before", "driver", "driver", 2000, 5900, ofMatter],
    ["the device stood still for too short", "device", "lamp", 2000, 4900, late],
    ["the device stood still at another time", "device", "lamp", 100, 900, late],
    ["the device stood still afterwards", "device", "lamp", 7100, 9900, late],
  ])("is a lie when %s", (_why, kind, what, from, to, parts) => {
    expect(judged(kind, what, from, to, parts).violations.map(({ rule }) => rule)).toEqual(["late"]);
  });

  test("has no second excuse in a standstill that lay within another", () => {
    const standstills: Standstill[] = [
      { kind: "device", what: "lamp", from: 2000, to: 4000 },
      { kind: "device line", what: "lamp", from: 2500, to: 3900 },
    ];
    expect(judge(record({ ...late, standstills })).violations.map(({ rule }) => rule)).toEqual(["late"]);
  });
});
