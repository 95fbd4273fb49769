/** Each incident has words and leads to what it is about. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { expect, test } from "vitest";
import { incidentOf } from "./incident-words.ts";

const event = (type: string, data: object, environmentId?: string) =>
  ({
    id: "evt_1",
    sequence: 1,
    type,
    createdAt: "2026-11-25 12:00:00Z",
    ecosystemId: "eco_1",
    environmentId,
    data,
  }) as unknown as PorchlightEvent;
const ALERT = {
  ...{ kind: "hub_offline", ecosystemId: "eco_1", environmentId: "env_1", text: "It is silent.", endText: undefined },
  subject: { type: "hub", id: "cli_1", name: "attic" },
};

test.each([
  [
    event("hub.offline", { id: "cli_1", alias: "attic" }, "env_1"),
    "Hub offline",
    "attic",
    "/environments/env_1/hubs/cli_1",
    "bad",
  ],
  [
    event("hub.online", { id: "cli_1" }, "env_1"),
    "Hub online again",
    "cli_1",
    "/environments/env_1/hubs/cli_1",
    "good",
  ],
  [
    event("webhook.disabled", { id: "whk_1", url: "https://a.example/" }),
    "Webhook disabled",
    "https://a.example/",
    "/ecosystems/eco_1/webhooks/whk_1",
    "warn",
  ],
  [event("alert.opened", ALERT, "env_1"), "Alert: hub offline", "attic", "/environments/env_1/hubs/cli_1", "bad"],
  [
    event("alert.ended", { ...ALERT, endText: "It is back." }, "env_1"),
    "Alert ended: hub offline",
    "attic",
    "/environments/env_1/hubs/cli_1",
    "good",
  ],
] as const)("%#", (given, word, name, path, tone) => {
  expect(incidentOf(given)).toMatchObject({ word, name, path, tone });
});

test("the times in an alert's text are those of the reader's clock", () => {
  const text = "Hub “attic” has been offline since 25 November 2026, 11:14 UTC.";
  const { text: shown } = incidentOf(event("alert.opened", { ...ALERT, text }, "env_1"));
  expect(shown).not.toContain("UTC");
  expect(shown).toMatch(/ has been offline since .*2026/);
});
