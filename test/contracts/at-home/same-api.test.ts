/** The same cases against the cloud, and against the hub once its line is cut: a client works on when the internet is down. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readingCases, refreshCases, refusalCases, settingCases } from "./cases.ts";
import { eventCases } from "./event-cases.ts";
import { historyCases } from "./history-cases.ts";
import { House, type Side } from "./house.ts";
import { sceneCases } from "./scene-cases.ts";

let house: House;
let theSide: Side;
const side = () => theSide;

function allCases(): void {
  readingCases(side);
  refreshCases(side);
  settingCases(side);
  refusalCases(side);
  eventCases(side);
  historyCases(side);
  sceneCases(side);
}

describe("in the cloud", () => {
  beforeAll(async () => {
    house = await House.build();
    theSide = house.inTheCloud;
  });
  afterAll(() => house[Symbol.asyncDispose]());
  allCases();
});

describe("at home, with the line cut", () => {
  beforeAll(async () => {
    house = await House.build();
    await house.cut();
    theSide = house.atHome;
  });
  afterAll(() => house[Symbol.asyncDispose]());
  allCases();

  it("the cloud knows that the hub is away all the while", async () => {
    const { body } = await house.inTheCloud.call("PUT", `/api/devices/${side().lamp}/services/Switch.on`, {
      body: { value: true },
    });
    expect(body).toMatchObject({ title: "Hub Offline", outcome: "not_sent" });
  });
});
