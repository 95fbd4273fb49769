import { settle, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { obey } from "./control.ts";
import { readDefinitions } from "./devices/read-definitions.ts";
import { memoryLinks } from "./links/memory-link.ts";
import { ScriptedHub } from "./node/test-node.fixture.ts";
import { Simulator } from "./simulator.ts";

const LIGHT = "02-50-4C-51-00-01";
const FILE = `
nodes:
  - {name: light, link: light, edgeId: ${LIGHT}, devices: [{edgeId: ${LIGHT}, kind: colour-light}]}
  - {name: bridge, edgeId: 02-50-4C-52-00-00, devices: [{edgeId: 02-50-4C-52-00-01, kind: button}]}
`;

async function started() {
  const read = readDefinitions(FILE);
  const clock = new VirtualClock();
  const hubs: ScriptedHub[] = [];
  const simulator = await Simulator.start({
    clock,
    seed: 1,
    definitions: read.kind === "ok" ? read.nodes : [],
    openPort: ({ link: name = "unnamed" }, attach) => {
      const [link, far] = memoryLinks();
      // One of the commands is to make noise.
      hubs.push(new ScriptedHub(far, clock, () => undefined));
      attach(link);
      return { path: `/dev/${name}`, close: () => link.close() };
    },
  });
  await settle();
  return { simulator, hubs };
}

describe("a line of control", () => {
  test.each([
    [`set ${LIGHT} LightColor.hue 33.5`, { ok: true, command: "set", value: 33.5 }],
    [`get ${LIGHT} Switch.on`, { ok: true, command: "get", value: false }],
    [`get ${LIGHT}`, { ok: true, values: { "Switch:0.on": false, "LightColor:0.hue": 40 } }],
    ["press 02-50-4C-52-00-01 Button.event press", { ok: true, command: "press" }],
    [`fault ${LIGHT} slow 250`, { ok: true, fault: { mode: "slow", ms: 250 } }],
    [`fault ${LIGHT} busy 2`, { ok: true, fault: { mode: "busy", times: 2 } }],
    [`fault ${LIGHT} none`, { ok: true, fault: { mode: "none" } }],
    [`writes ${LIGHT}`, { ok: true, writes: [] }],
    ["noise light 7", { ok: true, command: "noise", bytes: expect.any(Number) }],
    ["fault light corrupt 0.25", { ok: true, faults: { corrupt: 0.25 } }],
    ["fault light corrupt=2", { ok: false, detail: expect.stringContaining("a number from 0 to 1") }],
    [`fault ${LIGHT} none`, { ok: true, faults: {} }],
    ["brownout light 300", { ok: true, ms: 300 }],
    ["speed 10", { ok: true, speed: 10 }],
    ["speed fast", { ok: false, detail: "fast is no number from 0" }],
    ["step 60", { ok: true, seconds: 60 }],
    ["reboot light", { ok: true, boot: expect.any(Number) }],
    ["state light", { ok: true, state: "greeting", untold: 0, underWay: 0, path: "/dev/light" }],
    [`set ${LIGHT} LightColor.hu 3`, { ok: false, error: "Service Property Invalid" }],
    [
      `set ${LIGHT} LightColor.hue`,
      { ok: false, error: "Words Missing", detail: "set EDGEID SERVICE[:INDEX].PROPERTY VALUE" },
    ],
    [`set ${LIGHT} LightColor.hue blue`, { ok: false, error: "Property Value Invalid" }],
    ["get 02-00-00-00-00-00", { ok: false, error: "Device Not Found" }],
    [`fault ${LIGHT} slwo 3`, { ok: false, detail: 'fault "slwo" is not known: did you mean "slow"?' }],
    ["plgu light", { ok: false, detail: 'command "plgu" is not known: did you mean "plug"?' }],
    ["toString", { ok: false, error: "Unknown Command" }],
  ])("%s", async (line, answer) => {
    const { simulator } = await started();
    expect(await obey(simulator, line)).toMatchObject(answer);
  });

  test("unplug makes the port vanish, plug brings it back under its name and the node sends HELLO", async () => {
    const { simulator, hubs } = await started();
    await obey(simulator, "unplug light");
    await settle();
    const { state } = await obey(simulator, "state light");
    expect([hubs[0]?.closed, state]).toEqual(["closed by the other side", "unplugged"]);
    expect(await obey(simulator, "plug light")).toMatchObject({ ok: true, path: "/dev/light" });
    await settle();
    expect(hubs.at(-1)?.all("HELLO")).toHaveLength(1);
  });

  test("leave and come change the node's devices", async () => {
    const { simulator } = await started();
    await obey(simulator, "leave 02-50-4C-52-00-01");
    await obey(simulator, "come 02-50-4C-52-00-01");
    expect(await obey(simulator, "state bridge")).toMatchObject({ untold: 2 });
  });
});
