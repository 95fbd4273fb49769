/** Why a scene has no triggers. */
import type { Client } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { whyNoTriggers } from "./triggers.ts";

const hub = (storesScenes?: boolean, agentVersion?: string): Client => ({
  ...{ id: "cli_1", ecosystemId: "eco_1", environmentId: "env_1", createdAt: "2026-11-21 12:00:00Z" },
  meta: { "$.name": "Cellar" },
  connection: { state: "online", since: "2026-11-21 12:00:00Z", storesScenes, agentVersion },
});
const one = { kind: "one", hubId: "cli_1" } as const;

test("a hub that stores scenes has triggers, and so has one of which it is not known", () => {
  expect(whyNoTriggers(one, [hub(true)])).toBeUndefined();
  expect(whyNoTriggers(one, [hub()])).toBeUndefined();
  expect(whyNoTriggers(one, [])).toBeUndefined();
});

test("a hub whose agent is too old is named, with its version", () => {
  expect(whyNoTriggers(one, [hub(false, "0.0.9")])?.says).toContain("the agent on Cellar (version 0.0.9) is too old");
  expect(whyNoTriggers(one, [hub(false)])?.says).toContain("the agent on Cellar is too old");
});

test.each([
  [{ kind: "none" } as const, "no device that is there"],
  [{ kind: "virtual" } as const, "connected to no hub"],
  [{ kind: "several", count: 2 } as const, "devices of 2 hubs"],
])("%j", (hubOf, reason) => expect(whyNoTriggers(hubOf, [])?.says).toContain(reason));
