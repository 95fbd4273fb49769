import { describe } from "vitest";
import { judgeFreshValues } from "../../kit/judge/fresh-values.suite.ts";
import { judgeRawValues } from "../../kit/judge/raw-values.suite.ts";
import { judgeThings } from "../../kit/judge/things.suite.ts";
import { discoveryWorld } from "./discovery-world.fixture.ts";

describe("things that discovery describes", () => {
  judgeThings(discoveryWorld, {});
  judgeRawValues(discoveryWorld, {});
  judgeFreshValues(discoveryWorld, { without: { "early samples": "discovery has no way to ask a thing" } });
});
