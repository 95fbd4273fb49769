/** What a hub answers about itself over a tunnel. */
import { expect, test } from "vitest";
import { Hub } from "./hub.fixture.ts";

test("a question about the hub itself is answered by what looks after it", async () => {
  await using hub = await Hub.make();
  const asked: unknown[] = [];
  hub.askMaintenance = async (question) => {
    asked.push(question);
    return { refused: "not now" };
  };
  hub.connect();
  await hub.clock.advance(0);
  const question = { ask: "log", minutes: 5, level: "warn" };
  expect(await hub.cloud.ask("maintenance", { question })).toEqual({ refused: "not now" });
  expect(asked).toEqual([question]);
});

test("a hub that is not looked after from afar knows no such question, and stays connected", async () => {
  await using hub = await Hub.online();
  await expect(hub.cloud.ask("maintenance", { question: { ask: "status" } })).rejects.toThrow("unknown method");
  expect(hub.cloud.tunnel.down).toBeUndefined();
});

test("a question of a newer cloud is an unknown one, and the hub stays connected", async () => {
  await using hub = await Hub.make();
  hub.askMaintenance = async () => ({ refused: "not now" });
  hub.connect();
  await hub.clock.advance(0);
  const question = { ask: "make coffee" };
  await expect(hub.cloud.ask("maintenance", { question })).rejects.toThrow("unknown method");
  await hub.clock.advance(0);
  expect(hub.cloud.tunnel.down).toBeUndefined();
});
