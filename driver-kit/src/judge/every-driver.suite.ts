/** The judge: what every driver owes, in any protocol, in twelve groups. docs/drivers.md, "The shared suite". */
import { describe, expect, test } from "vitest";
import { judgeBasics } from "./basics.suite.ts";
import { judgeBusyHost } from "./busy-host.suite.ts";
import { judgeCutWrites } from "./cut-writes.suite.ts";
import { judgeDescriptions } from "./descriptions.suite.ts";
import { judgeFlood } from "./flood.suite.ts";
import { judgeFreshValues } from "./fresh-values.suite.ts";
import { judgeIds } from "./ids.suite.ts";
import { judgeLeaks } from "./leaks.suite.ts";
import { judgeNetworkGone } from "./network-gone.suite.ts";
import { judgeRawValues } from "./raw-values.suite.ts";
import { judgeSecrets } from "./secrets.suite.ts";
import { judgeSilentDevice } from "./silent-device.suite.ts";
import { judgeThings } from "./things.suite.ts";
import { Trial } from "./trial.suite.ts";
import { type Exemption, handsOf, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

/** The groups, and what a driver must be excused from for one to have nothing to judge. */
const GROUPS: readonly Group[] = [
  { title: "what a driver owes", judge: judgeBasics },
  { title: "ids", judge: judgeIds },
  { title: "descriptions", judge: judgeDescriptions },
  { title: "things that come and go", judge: judgeThings, unless: ["things"] },
  { title: "raw values", judge: judgeRawValues, unless: ["raw values"] },
  { title: "values that are fresh", judge: judgeFreshValues },
  { title: "a silent device", judge: judgeSilentDevice, unless: ["crowd"] },
  { title: "floods", judge: judgeFlood, unless: ["flood of reports", "flood of garbage", "flood of long messages"] },
  { title: "a busy host", judge: judgeBusyHost },
  { title: "writes that are ended", judge: judgeCutWrites },
  { title: "the network gone", judge: judgeNetworkGone },
  { title: "secrets", judge: judgeSecrets, unless: ["secrets"] },
  { title: "what stays behind", judge: judgeLeaks },
];

interface Group {
  readonly title: string;
  readonly judge: (open: OpenWorld, options: JudgeOptions) => void;
  readonly unless?: readonly Exemption[];
}

/** @param open builds the driver's world, for each test anew */
export function everyDriver(name: string, open: OpenWorld, options: JudgeOptions = {}): void {
  const { without = {} } = options;
  const excuses = Object.entries(without).map(([what, why]) => `${what} (${why})`);

  describe(`the driver for ${name}`, () => {
    test(`is judged on all but ${excuses.join("; ") || "nothing"}`, async () => {
      await using one = await Trial.begin(open, options);
      const hands = Object.entries(handsOf(one.world));
      const lacking = hands.filter(([hand, isThere]) => !isThere && !Object.hasOwn(without, hand));
      expect(lacking, "not in the world, and not excused").toEqual([]);
      const needless = hands.filter(([hand, isThere]) => isThere && Object.hasOwn(without, hand));
      expect(needless, "excused, although the world has it").toEqual([]);
      expect(Object.entries(without).filter(([, why]) => why.trim() === "")).toEqual([]);
    });

    for (const { title, judge, unless } of GROUPS) {
      const isExcused = unless?.every((what) => Object.hasOwn(without, what)) ?? false;
      if (!isExcused) describe(title, () => judge(open, options));
    }
  });
}
