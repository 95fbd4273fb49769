/** What holds of scenes at each place that serves the API of a home: the same cases against the cloud and against the hub. */
import type { DriverResult } from "@porchlight/driver-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Reply, Side } from "./house.ts";

const title = ({ status, body }: Reply) => `${status} ${body?.title ?? "fine"}`;
const REJECTED: DriverResult = { kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "no", code: 7 };

export function sceneCases(side: () => Side): void {
  const get = (path: string, headers = {}) => side().call("GET", path, { headers });
  const call = (asked: Parameters<Side["call"]>[2] = {}, reference = side().scene) =>
    side().call("POST", `/api/scenes/${reference}/call`, asked);
  const written = () => side().driver.touches.filter(({ what }) => what === "write").length;

  describe("scenes", () => {
    afterEach(() => side().driver.next.splice(0));

    it("are listed, and shown by their ID and their alias", async () => {
      const { scene: id, environmentId, ecosystemId, clientId: hubId, lamp, button } = side();
      const { body } = await get("/api/scenes");
      const shown = {
        ...{ id, environmentId, ecosystemId, hubId, alias: "evening", triggers: [] },
        meta: { mood: "calm", "$.name": "Evening" },
        items: [
          { target: lamp, service: "Switch.on", value: true },
          { target: lamp, service: "LightLevel.level", value: 80 },
          { target: button, service: "Switch.on", value: true },
        ],
        createdAt: expect.any(String),
      };
      expect(body).toEqual({ items: [shown] });
      for (const reference of [id, `${environmentId};evening`, `${ecosystemId};house;evening`])
        expect((await get(`/api/scenes/${reference}`)).body).toEqual(shown);
      expect((await get(`/api/scenes?environmentId=${environmentId}`)).body).toEqual(body);
    });

    it("are as they were, by their etag", async () => {
      const path = `/api/scenes/${side().scene}`;
      const tag = (await get(path)).headers.get("etag") ?? "";
      const again = await get(path, { "if-none-match": tag });
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, undefined, tag]);
    });

    it.each([
      ["evening", "400 Scene Invalid"],
      ["scn_01kad2vqz0fv8t7vqh5v8q5x5r", "400 Scene Invalid"],
      ["ENV;dusk", "404 Scene Not Found"],
    ])("that do not exist are refused by name: %s", async (reference, answer) => {
      const text = reference.replace("ENV", side().environmentId);
      expect(title(await get(`/api/scenes/${text}`))).toBe(answer);
      expect(title(await call({}, text))).toBe(answer);
    });
  });

  describe("calling a scene", () => {
    beforeEach(() => side().driver.next.splice(0));
    afterEach(() => side().driver.next.splice(0));

    it("sets everything, and answers for each property with its command", async () => {
      const { lamp, button } = side();
      const reply = await call({ headers: { prefer: "wait=20" } });
      expect([title(reply), reply.headers.get("preference-applied")]).toEqual(["200 fine", "wait=20"]);
      const commandId = expect.stringMatching(/^cmd_/);
      expect(reply.body).toEqual({
        commandId,
        items: [
          expect.objectContaining({ deviceId: lamp, service: "Switch", property: "on", value: true, commandId }),
          expect.objectContaining({ deviceId: lamp, property: "level", value: 80, commandId }),
          expect.objectContaining({ deviceId: button, property: "on", value: true, commandId }),
        ],
      });
    });

    it("reports of each failure how it ended, and can be repeated for that device alone", async () => {
      const { lamp, button } = side();
      side().driver.next.push(REJECTED);
      const { body } = await call({ body: { only: [button] } });
      expect(body).toMatchObject({ items: [], failures: [{ deviceId: button, outcome: "rejected", code: 7 }] });
      expect(body.failures[0].commandId).toMatch(/^cmd_/);
      const before = written();
      const again = await call({ body: { only: [body.failures[0].deviceId] } });
      expect(again.body.items).toMatchObject([{ deviceId: button }]);
      expect([again.body.failures, written() - before]).toEqual([undefined, 1]);
      const byAlias = await call({ body: { only: [`${side().environmentId};lamp`] } });
      expect(byAlias.body.items).toMatchObject([{ deviceId: lamp }, { deviceId: lamp }]);
    });

    it("sets the devices that are there when one has left", async () => {
      await side().lampIsThere(false);
      try {
        const { body } = await call();
        expect(body.items).toMatchObject([{ deviceId: side().button }]);
        expect(body.failures).toMatchObject([
          { deviceId: side().lamp, name: "Device Unreachable", outcome: "not_applied" },
          { deviceId: side().lamp, name: "Device Unreachable", outcome: "not_applied", property: "level" },
        ]);
      } finally {
        await side().lampIsThere(true);
      }
    });

    it("happens once however often it is repeated under its key", async () => {
      const headers = { "idempotency-key": `scene on ${side().url}` };
      const first = await call({ headers });
      const before = written();
      const again = await call({ headers });
      expect([again.body, again.headers.get("idempotent-replayed"), written()]).toEqual([first.body, "true", before]);
      const other = await call({ headers, body: { only: [side().lamp] } });
      expect([title(other), written()]).toEqual(["422 Idempotency Key Reused", before]);
    });

    it.each([
      [{ only: [] }, "400 Body Parameters Invalid"],
      [{ only: "lamp" }, "400 Body Parameters Invalid"],
      [{ value: true }, "400 Body Parameters Invalid"],
      [{ only: ["dev_01kad2vqz0fv8t7vqh5v8q5x5r"] }, "400 Device Invalid"],
      [[], "400 Body Parameters Invalid"],
    ])("is refused with the body %j: %s", async (body, answer) => {
      const before = written();
      expect([title(await call({ body })), written()]).toEqual([answer, before]);
    });
  });
}
