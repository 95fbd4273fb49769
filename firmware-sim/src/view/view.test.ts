/** The live view without a terminal: what stands on the screen, and what each key does. */
import { describe, expect, test } from "vitest";
import { obey } from "../simulator/control.ts";
import { startHome } from "../simulator/simulator.fixture.ts";
import { FIRST_SCREEN, keysIn, press, type Screen, sceneOf } from "./keys.ts";
import { render } from "./render.ts";

const LIGHT = "02-50-4C-51-00-01";
const BUTTON = "02-50-4C-52-00-01";
const FILE = `
nodes:
  - name: light
    edgeId: ${LIGHT}
    devices: [{edgeId: ${LIGHT}, kind: colour-light, name: Porch light}]
  - name: bridge
    edgeId: 02-50-4C-52-00-00
    devices:
      - {edgeId: ${BUTTON}, kind: button, name: Bedside button}
      - {edgeId: 02-50-4C-52-00-02, kind: thermostat}
`;
const SIZE = { columns: 100, rows: 24, colour: false };

async function home() {
  const { simulator } = await startHome(FILE, 7);
  return { simulator, scene: (frames: string[] = []) => sceneOf(simulator, frames) };
}

describe("the screen", () => {
  test("shows every device with its state, the selected one's values, and the last frames", async () => {
    const { scene } = await home();
    const lines = render(scene(["  0.001  light  node  HELLO 1"]), FIRST_SCREEN, SIZE);
    expect(lines[0]).toBe("porchlight-sim · 3 devices · life 00:00:00 at speed 1 · seed 7");
    expect(lines[1]).toMatch(/^> Porch light {14}02-50-4C-51-00-01 greeting {2}on false {2}level 100/);
    expect(lines[4]).toMatch(/^── Porch light \/dev\/light ─+$/);
    expect(lines).toContain("  LightLevel:0.level           100 %            0 to 100");
    expect(lines).toContain("  0.001  light  node  HELLO 1");
  });

  test.each([
    [100, 24],
    [20, 5],
    [200, 60],
    [1, 1],
  ])("of %i columns and %i rows is filled exactly", async (columns, rows) => {
    const { scene } = await home();
    const frames = Array.from({ length: 100 }, (_, at) => `frame ${at} ${"x".repeat(300)}`);
    const lines = render(scene(frames), { ...FIRST_SCREEN, device: 2 }, { columns, rows, colour: false });
    expect(lines).toHaveLength(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test("states what is wrong, and shows no control characters of a name or a value", async () => {
    const { simulator, scene } = await home();
    await obey(simulator, `fault ${LIGHT} slow 300`);
    await obey(simulator, "fault light corrupt 0.5");
    const screen = render(scene(), FIRST_SCREEN, SIZE).join("\n");
    expect(screen).toContain("greeting  ! slow 300  on false");
    expect(screen).toContain("── Porch light /dev/light · line: corrupt 0.5 ─");
    expect(render(scene(["\u001b[2J"]), FIRST_SCREEN, SIZE)).toContain("\\u001b[2J");
  });

  test("has colours only when they are wanted", async () => {
    const { scene } = await home();
    expect(render(scene(), FIRST_SCREEN, SIZE).join("")).not.toContain("\u001b");
    expect(render(scene(), FIRST_SCREEN, { ...SIZE, colour: true }).join("")).toContain("\u001b[33mgreeting");
  });
});

describe("a key", () => {
  const on = (device: number, property = 0): Screen => ({ device, property, message: "" });

  test.each([
    ["enter at a switch turns it round", "\r", on(0, 0), `set ${LIGHT} Switch:0.on true`],
    ["left turns a level down by a twentieth of its range", "\u001b[D", on(0, 1), `set ${LIGHT} LightLevel:0.level 95`],
    ["right does not go past the end", "\u001b[C", on(0, 1), `set ${LIGHT} LightLevel:0.level 100`],
    ["enter at a button presses it", "\r", on(1, 0), `press ${BUTTON} Button:0.event press`],
    ["right goes to the next word", "\u001b[C", on(2, 0), 'set 02-50-4C-52-00-02 Thermostat:0.mode "cool"'],
    ["u unplugs the node", "u", on(1), "unplug 02-50-4C-52-00-00"],
    ["r reboots the node", "r", on(0), `reboot ${LIGHT}`],
    ["b makes its power fail", "b", on(0), `brownout ${LIGHT}`],
    ["f gives the first fault", "f", on(0), `fault ${LIGHT} slow 1000`],
    ["n heals", "n", on(0), `fault ${LIGHT} none`],
    ["+ doubles the speed", "+", on(0), "speed 2"],
    ["space stands still", " ", on(0), "speed 0"],
  ])("%s", async (_, input, screen, line) => {
    const { simulator, scene } = await home();
    expect(press(scene(), screen, input)).toEqual({ kind: "command", line });
    expect(await obey(simulator, line)).toMatchObject({ ok: true });
  });

  test("f goes through the faults and ends well", async () => {
    const { simulator, scene } = await home();
    const seen: string[] = [];
    for (let round = 0; round < 20 && seen.at(-1) !== "none"; round++) {
      const pressed = press(scene(), on(0), "f");
      if (pressed.kind !== "command") throw new Error(pressed.kind);
      await obey(simulator, pressed.line);
      seen.push(pressed.line.split(" ").slice(2).join(" "));
    }
    expect(seen).toEqual(["slow 1000", "silent", "refuse", "busy", "stuck", "wrong", "broken", "corrupt 0.2", "none"]);
  });

  test("u plugs in again what is unplugged", async () => {
    const { simulator, scene } = await home();
    await obey(simulator, "unplug light");
    expect(press(scene(), on(0), "u")).toEqual({ kind: "command", line: `plug ${LIGHT}` });
  });

  test("up and tab go round, and no key does nothing", async () => {
    const { scene } = await home();
    expect(press(scene(), on(0), "\u001b[A")).toMatchObject({ screen: { device: 2, property: 0 } });
    expect(press(scene(), on(1, 2), "\t")).toMatchObject({ screen: { device: 1, property: 0 } });
    expect(press(scene(), on(0), "z")).toEqual({ kind: "nothing" });
    expect([press(scene(), on(0), "q"), press(scene(), on(0), "\u0003")]).toEqual([{ kind: "quit" }, { kind: "quit" }]);
  });

  test("that comes with others is still distinguished from them", () => {
    expect(keysIn("\u001b[Af\u001b[Bq")).toEqual(["\u001b[A", "f", "\u001b[B", "q"]);
  });
});
