/** The judge: what every driver owes, in any protocol, in ten groups. docs/drivers.md, "The shared suite". */
import { describe, expect, test } from "vitest";
import { judgeBasics } from "./basics.suite.ts";
import { judgeBusyHost } from "./busy-host.suite.ts";
import { judgeCutWrites } from "./cut-writes.suite.ts";
import { judgeDescriptions } from "./descriptions.suite.ts";
import { judgeFlood } from "./flood.suite.ts";
import { judgeIds } from "./ids.suite.ts";
import { judgeLeaks } from "./leaks.suite.ts";
import { judgeNetworkGone } from "./network-gone.suite.ts";
import { judgeSecrets } from "./secrets.suite.ts";
import { judgeSilentDevice } from "./silent-device.suite.ts";
import { Trial } from "./trial.suite.ts";
import { handsOf, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

const GROUPS = [
  judgeBasics,
  judgeIds,
  judgeDescriptions,
  judgeSilentDevice,
  judgeFlood,
  judgeBusyHost,
  judgeCutWrites,
  judgeNetworkGone,
  judgeSecrets,
  judgeLeaks,
];

/** @param open builds the driver's world, for each test anew */
export function everyDriver(name: string, open: OpenWorld, options: JudgeOptions = {}): void {
  const { without = {} } = options;
  const left = Object.entries(without).map(([what, why]) => `${what} (${why})`);

  describe(`the driver for ${name}`, () => {
    test(`is judged on all but ${left.join("; ") || "nothing"}`, async () => {
      await using one = await Trial.begin(open, options);
      const hands = handsOf(one.world);
      const missing = Object.entries(hands).filter(([hand, isThere]) => !isThere && !Object.hasOwn(without, hand));
      expect(missing, "not in the world, and not left out with a reason").toEqual([]);
      const unused = Object.keys(without).filter((hand) =>
        Object.entries(hands).some(([each, is]) => is && each === hand && each !== "backoff"),
      );
      expect(unused, "left out, although the world has it").toEqual([]);
      expect(Object.values(without).filter((why) => why.trim() === "")).toEqual([]);
    });
    for (const judge of GROUPS) judge(open, options);
  });
}
