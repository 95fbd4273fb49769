import { judgeFreshValues } from "@porchlight/driver-kit/judge/fresh-values.suite.ts";
import { judgeRawValues } from "@porchlight/driver-kit/judge/raw-values.suite.ts";
import { judgeThings } from "@porchlight/driver-kit/judge/things.suite.ts";
import { describe } from "vitest";
import { discoveryWorld } from "./discovery-world.fixture.ts";

describe("things that discovery describes", () => {
  judgeThings(discoveryWorld, {});
  judgeRawValues(discoveryWorld, {});
  judgeFreshValues(discoveryWorld, { without: { "early samples": "discovery has no way to ask a thing" } });
});
