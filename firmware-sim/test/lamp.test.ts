/** The C lamp with the real agent and cloud: what a firmware engineer sees first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../test/parts/eventually.ts";
import { Home } from "../../test/parts/home.ts";
import { Programs } from "./build.ts";
import { Lamp } from "./lamp.ts";

const ID = "02-50-4C-00-0C-01";

const stack = new AsyncDisposableStack();
let lamp: Lamp;
let home: Home;
beforeAll(async () => {
  const programs = stack.use(await Programs.make());
  const program = await programs.build("lamp", ["examples/lamp.c", "porchlight.c"]);
  lamp = stack.use(await Lamp.start(program, ["--id", ID]));
  home = stack.use(await Home.start({ serial: [lamp.port] }));
});
afterAll(() => stack.disposeAsync());

it("is set through the cloud, and answers with what it now is", async () => {
  expect(await home.put(ID, "LightColor.hue", 210.5)).toMatchObject({ status: 200, body: { value: 210.5 } });
  expect(await home.put(ID, "Switch.on", true)).toMatchObject({ status: 200, body: { value: true } });
  expect(await home.put(ID, "Effect.name", "candle")).toMatchObject({ status: 200, body: { value: "candle" } });
  await eventually(
    "the lamp says so",
    async () => lamp.last === "lamp: on, level 100, hue 210.5, saturation 60, effect candle at 10 rpm",
  );
});

it("is described with its own class, and what that does not have is refused before it is sent", async () => {
  const before = lamp.last;
  expect(await home.put(ID, "Effect.speed", 61)).toMatchObject({
    status: 400,
    body: { title: "Property Value Invalid" },
  });
  expect(await home.put(ID, "Effect.name", "disco")).toMatchObject({
    status: 400,
    body: { title: "Property Value Invalid" },
  });
  expect(lamp.last).toBe(before);
});

it("reports what is done at the lamp itself", async () => {
  expect((await home.put(ID, "Switch.on", true)).status).toBe(200);
  lamp.press("t");
  await eventually("the cloud has it", async () => (await home.cached(ID, "Switch.on"))?.value === false);
  const before = home.occurrences("Button").length;
  lamp.press("p");
  lamp.press("p");
  await eventually("both presses are events", async () => home.occurrences("Button").length === before + 2);
});

it("blinks when a person looks for it", async () => {
  expect(await home.put(ID, "Identify.active", true)).toMatchObject({ status: 200, body: { value: true } });
  await eventually("the lamp blinks", async () => lamp.last === "lamp: blinks for 30 s");
});

it("is read from the hardware by refresh", async () => {
  const path = `${home.path(ID, "LightLevel.level")}?refresh=true`;
  expect(await home.api.good("GET", path)).toMatchObject({ items: [{ value: 100 }] });
});
