/** One command is traced through the real ends of a tunnel: its time, hop by hop, and its request in the hub's log. */
import { type LogFields, silentLog } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

it("gets the time of each hop, and finds the request in the hub's log", async () => {
  const lines: (LogFields & { readonly message: string })[] = [];
  const log = { ...silentLog, debug: (fields: LogFields, message: string) => lines.push({ ...fields, message }) };
  await using world = await World.start({ seed: 1, log });
  const put = (value: number, headers: Record<string, string>) =>
    world.clock.until(world.put(LAMP, "LightColor.hue", value, 10, headers));
  world.device(LAMP).fail({ mode: "slow", ms: 300 });
  const answer = await put(120, { "x-porchlight-trace": "1", "x-request-id": "my-request" });
  expect(answer?.status).toBe(200);
  const {
    tunnel = 0,
    "hub-turn": turn = -1,
    "hub-journal": journal = -1,
    "hub-device": device = 0,
  } = answer?.timing ?? {};
  expect(device).toBeGreaterThanOrEqual(300);
  expect(tunnel).toBeGreaterThanOrEqual(turn + journal + device);
  expect(Math.min(turn, journal)).toBeGreaterThanOrEqual(0);
  const answered = lines.filter(({ message }) => message === "a command of the cloud is answered");
  expect(answered).toMatchObject([{ command: answer?.commandId, requestId: "my-request", outcome: "confirmed" }]);
  expect((await put(121, {}))?.timing).toEqual({});
});
