/**
 * A scene of two lamps: the cloud calls it by one message to the hub, and at home a button calls it while the cloud is away, also after the
 * hub was killed. Real processes.
 */
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { Program } from "../parts/program.ts";
import { BUTTON, HALL_SWITCH, LAMP } from "../parts/simulator.ts";

interface Scene {
  readonly id: string;
  readonly alias: string;
  readonly hubId?: string;
}

interface SceneResult {
  readonly commandId: string;
  readonly items: { readonly deviceId: string; readonly value: unknown; readonly commandId: string }[];
  readonly failures?: unknown[];
}

const ONE_MESSAGE = "a scene that the cloud called is answered";

describe("a scene of one hub", () => {
  const stack = new AsyncDisposableStack();
  let home: Home;
  let scene: Scene;
  beforeAll(async () => {
    const agentEnv = { PORCHLIGHT_API_PORT: "0", PORCHLIGHT_LOG_LEVEL: "debug" };
    home = stack.use(await Home.start({ agentEnv }));
  });
  afterAll(() => stack.disposeAsync());

  const lamps = () =>
    Promise.all([home.simulator.value(LAMP, "Switch:0.on"), home.simulator.value(HALL_SWITCH, "Switch:0.on")]);
  const isOn = async () => (await lamps()).every((value) => value === true);
  /** A person switches both off by hand. */
  async function switchOff(): Promise<void> {
    for (const edgeId of [LAMP, HALL_SWITCH]) await home.simulator.tell(`set ${edgeId} Switch:0.on false`);
    await eventually("both are off", async () => (await lamps()).every((value) => value === false));
  }
  const press = () => home.simulator.tell(`press ${BUTTON} Button.event press`);
  const status = async () => {
    const asked = await readStatus(home.agentData, systemClock);
    return asked.kind === "running" ? asked.status : undefined;
  };
  const idOf = async (edgeId: string) => (await home.device(edgeId)).id;

  it("is made in the cloud, and sent to the hub", async () => {
    const { environmentId } = home;
    const item = async (edgeId: string) => ({ target: await idOf(edgeId), service: "Switch:0.on", value: true });
    scene = await home.api.good<Scene>("POST", "/api/scenes", {
      ...{ environmentId, alias: "evening", items: [await item(LAMP), await item(HALL_SWITCH)] },
      triggers: [{ kind: "event", deviceId: await idOf(BUTTON), service: "Button:0.event", value: "press" }],
    });
    expect(scene.hubId).toBe(home.clientId);
    await eventually("the hub stores it", async () => (await status())?.scenes?.stored === 1);
  });

  it("is called by one message to its hub, with an answer for each lamp", async () => {
    await switchOff();
    // The cloud reports no change of a value that it does not know to be off.
    await eventually("the cloud knows that both are off", async () => {
      const known = await Promise.all([LAMP, HALL_SWITCH].map((edgeId) => home.cached(edgeId, "Switch:0.on")));
      return known.every((item) => item?.value === false);
    });
    const result = await home.api.good<SceneResult>("POST", `/api/scenes/${scene.id}/call`, {});
    expect(result).not.toHaveProperty("failures");
    expect(result.items.map(({ value }) => value)).toEqual([true, true]);
    expect(new Set(result.items.map(({ commandId }) => commandId)).size).toBe(2);
    expect(await isOn()).toBe(true);
    await eventually("the log has it", async () => home.agent.stderr.includes(ONE_MESSAGE));
    const causes = () => home.events().flatMap(({ type, data }) => (type === "property.changed" ? [data.cause] : []));
    await eventually("the cloud has reported why", async () => {
      const ofCall = causes().filter(({ sceneCommandId }) => sceneCommandId === result.commandId);
      return ofCall.length === 2 && ofCall.every(({ kind, sceneId }) => kind === "scene" && sceneId === scene.id);
    });
  });

  it("is called by the button while the cloud is away", async () => {
    await switchOff();
    await home.cloud.kill();
    // A hub that has just met the button does not know whether a press is new.
    await eventually("the button has switched both on", async () => {
      await press();
      return await eventually("this press", isOn, 1000);
    });
  });

  it("is called by the button after the hub was killed, without the cloud", async () => {
    await switchOff();
    await home.agent.kill();
    home.startAgent();
    await eventually("the button has switched both on", async () => {
      await press();
      return await eventually("this press", isOn, 1000);
    });
    expect(await status()).toMatchObject({ scenes: { stored: 1, timed: 0 }, tunnel: { live: false } });
  });

  it("is called through the API at home, by its alias", async () => {
    await switchOff();
    const args = ["token", "create", "--data", home.agentData];
    await using program = new Program("command", "agent/src/main.ts", args);
    const token = await program.line((line) => line);
    const hub = new Api((await status())?.localApi?.url ?? "", token);
    const { items } = await hub.good<{ items: Scene[] }>("GET", "/api/scenes");
    expect(items).toMatchObject([{ id: scene.id, alias: "evening", hubId: home.clientId }]);
    const result = await hub.good<SceneResult>("POST", `/api/scenes/${home.environmentId};evening/call`);
    expect(result.items.map(({ value }) => value)).toEqual([true, true]);
    expect(await isOn()).toBe(true);
  });

  it("is known in the cloud as what has set the lamps, when that is back", async () => {
    await home.startCloud();
    const callers = () =>
      home
        .events()
        .filter(({ type, data }) => type === "property.changed" && data.cause.sceneId === scene.id)
        .flatMap(({ data }) => data.cause.by ?? []);
    await eventually("the cloud knows", async () => callers().includes("event") && callers().includes("api"));
  });
});
