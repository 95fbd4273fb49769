/** What became of a command is called by the same words in a sentence of `why`, in the log book, and wherever else an outcome stands. */
import { type FailureOutcome, outcomeText } from "@porchlight/sdk";
import { logLines, whySentences } from "@porchlight/shared/presentation";
import { expect, it } from "vitest";

const OUTCOMES: readonly FailureOutcome[] = ["not_sent", "not_applied", "rejected", "unknown"];
const COMMAND = { id: "cmd_1", value: true, state: "failed", createdAt: "2026-11-26 14:00:00Z" };

it.each(OUTCOMES)("%s", (outcome) => {
  const { word } = outcomeText(outcome);
  const place = { deviceId: "dev_1", service: "Switch", index: "0", property: "on" };
  const found = { ...place, value: false, answeredAt: "2026-11-26 14:01:00Z", cause: { kind: "unknown" }, unknown: [] };
  const why = { ...found, asked: { ...COMMAND, outcome }, obstacles: [{ kind: outcome }] };
  expect(whySentences(why, { time: () => "then" }).find(({ about }) => about === "asked")?.text).toContain(word);
  const names = { device: () => "Lamp", property: () => "Power", sender: () => undefined };
  for (const type of ["command.completed", "command.unconfirmed"]) {
    const event = { id: "evt_1", sequence: 1, type, createdAt: COMMAND.createdAt };
    expect(logLines([{ ...event, data: { ...place, value: true, outcome } }], names)[0]?.text).toContain(word);
  }
});
