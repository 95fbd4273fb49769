/** The routes at home by which a person deals with the hub's drivers: what each asks, and how a refusal is answered. */
import type { DriverQuestion, HubDriver } from "@porchlight/shared/model";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AtHome } from "../at-home.fixture.ts";

const LOCK = "02-00-00-00-00-77";
const SETUP = {
  ...{ id: "s1", kind: "zigbee", title: "Let a Zigbee device join", driver: "mqtt b:1883" },
  ...{ state: "running" as const, text: "The network is open.", found: [], version: 3 },
};

const BRIDGE = { name: "Hue bridge “Hall”", missing: "Start pairing, then press the button.", setup: "hue-bridge" };
const HUE: HubDriver = { name: "hue", state: "running", devices: 0, found: [], unpaired: [BRIDGE], setups: [] };

let home: AtHome;
let asked: DriverQuestion[] = [];
beforeEach(async () => {
  home = await AtHome.make();
  asked = [];
  home.askDrivers = async (question) => {
    asked.push(question);
    if (question.ask === "drivers") return { drivers: [HUE] };
    if (question.ask === "admit") return { admitted: question.admitted };
    return "id" in question && question.id === "gone"
      ? { refused: { name: "Setup Not Found", detail: "The hub does not know this setup." } }
      : { setup: SETUP };
  };
});
afterEach(() => home[Symbol.dispose]());

test("the hub's drivers are listed, with what must be paired first", async () => {
  expect(await home.call("GET", "/api/drivers")).toEqual({ status: 200, body: { items: [HUE] } });
});

test("the bridge to Matter says how it is paired; what is no such thing is refused", async () => {
  const body = { state: "waiting", qrCode: "MT:Y", manualCode: "34970112332", devices: 3, controllers: [] };
  expect(await home.call("PUT", "/api/matter-bridge", { body })).toEqual({ status: 200 });
  expect(asked).toEqual([{ ask: "matter bridge", is: body }]);
  await expect(home.call("PUT", "/api/matter-bridge", { body: { ...body, devices: -1 } })).rejects.toMatchObject({
    ...{ name: "Body Parameters Invalid", errors: [{ pointer: "/devices" }] },
  });
  expect(asked).toHaveLength(1);
});

test.for([
  ["PUT", true],
  ["DELETE", false],
] as const)("%s of an admission says whether a device is admitted", async ([method, admitted]) => {
  const path = "/api/admissions/:edgeId";
  expect(await home.call(method, path, { params: { edgeId: LOCK } })).toEqual({ status: 200 });
  expect(asked).toEqual([{ ask: "admit", edgeId: LOCK, admitted }]);
  await expect(home.call(method, path, { params: { edgeId: "front-door" } })).rejects.toThrow("not an edgeId");
  expect(asked).toHaveLength(1);
});

test("a setup is started, looked at, answered and ended", async () => {
  const started = await home.call("POST", "/api/setups", { body: { kind: "zigbee" } });
  expect(started).toEqual({ status: 201, body: SETUP, headers: { location: "/api/setups/s1" } });
  const [path, id] = ["/api/setups/:id", "s1"];
  expect((await home.call("GET", path, { id })).body).toEqual(SETUP);
  const waited = await home.call("GET", path, { id, query: { after: "3" }, headers: { prefer: "wait=7" } });
  expect(waited.headers).toEqual({ "preference-applied": "wait=7" });
  await home.call("PUT", `${path}/answers/:number`, { id, params: { number: "1" }, body: { answer: "1234" } });
  await home.call("DELETE", path, { id });
  expect(asked).toEqual([
    { ask: "setup start", kind: "zigbee" },
    { ask: "setup look", id, after: 0, waitMs: 0 },
    { ask: "setup look", id, after: 3, waitMs: 7000 },
    { ask: "setup answer", id, number: 1, answer: "1234" },
    { ask: "setup cancel", id },
  ]);
});

test.for([
  ["GET", "", { query: { after: "soon" } }, "`after` must be the `version`"],
  ["GET", "", { id: "gone" }, "The hub does not know this setup."],
  ["PUT", "/answers/:number", { params: { number: "1" }, body: {} }, "`answer` is missing."],
  ["PUT", "/answers/:number", { params: { number: "1" }, body: { answer: 7 } }, "must be a text of at most"],
  ["PUT", "/answers/:number", { params: { number: "first" }, body: { answer: "x" } }, "is not asking this question"],
] as const)("what cannot be asked is refused (%s %s %j)", async ([method, rest, about, why]) => {
  await expect(home.call(method, `/api/setups/:id${rest}`, { id: "s1", ...about })).rejects.toThrow(why);
});
