/** Many writes at once over real sockets, where a result and its record can come in one read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Home } from "../parts/home.ts";
import { HALL_SWITCH, LAMP, THERMOSTAT } from "../parts/simulator.ts";

let home: Home;
beforeAll(async () => {
  home = await Home.start();
});
afterAll(() => home[Symbol.asyncDispose]());

describe("many writes at once", () => {
  it("are each confirmed, and no command.completed event follows an answer", async () => {
    const round = (n: number) => [
      home.put(LAMP, "LightColor.hue", n),
      home.put(LAMP, "LightColor.saturation", n % 100),
      home.put(THERMOSTAT, "Thermostat.target", 5 + (n % 30)),
      home.put(HALL_SWITCH, "Switch:0.on", n % 2 === 0),
    ];
    for (let n = 1; n <= 60; n++) for (const answer of await Promise.all(round(n))) expect(answer.status).toBe(200);
    const events = home.events();
    expect(events.filter(({ type }) => type === "command.completed")).toEqual([]);
    const written = events.filter(({ type, data }) => type === "property.changed" && data.cause.kind === "command");
    expect(written.length).toBeGreaterThanOrEqual(60);
    expect(written.filter(({ data }) => data.cause.tokenId === undefined)).toEqual([]);
  });
});
