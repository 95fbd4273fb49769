import { client, device, loggedRequest, webhook } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { Args } from "./args.ts";
import { UsageError } from "./failure.ts";
import { fieldsNamed, fieldsOfSchema, Where } from "./where.ts";

const fields = fieldsOfSchema(device);
const where = (...conditions: string[]) => new Where(new Args([], [], { where: conditions }), fields);

const lamp = {
  id: "dev_1",
  type: "physical",
  alias: "Hall Lamp",
  meta: { floor: 2, "$.model": "PL-1", tags: ["warm", "old"], nested: { deep: true } },
  connection: { state: "online" },
};

describe("a condition", () => {
  it.each([
    ["type=physical", true],
    ["type=virtual", false],
    ["type!=virtual", true],
    ["type!=physical", false],
    ["alias~lamp", true],
    ["alias~LAMP", true],
    ["alias~kettle", false],
    ["connection.state=online", true],
    ["meta.floor=2", true],
    ["meta.floor=02", false],
    ["meta.$.model=PL-1", true],
    ["meta.tags=old", true],
    ["meta.tags=new", false],
    ["meta.nested.deep=true", true],
    ["edgeId=", true],
    ["edgeId!=", false],
    ["alias=", false],
    ["meta.none=", true],
    ["alias=a=b", false],
  ])("%s: %s", (condition, holds) => {
    expect(where(condition).holds(lamp)).toBe(holds);
  });

  it("holds together with all others", () => {
    expect(where("type=physical", "connection.state=online").holds(lamp)).toBe(true);
    expect(where("type=physical", "connection.state=offline").holds(lamp)).toBe(false);
    expect(where().of([lamp])).toEqual([lamp]);
  });

  it.each(["", "type", "=x", "~x"])("%j is none", (text) => {
    expect(() => where(text)).toThrow(UsageError);
  });

  it("names the fields that there are when it is on another", () => {
    expect(() => where("status=online")).toThrow("There is no field `status` in this list.");
    try {
      where("connection.status=online");
    } catch (failure) {
      expect(failure).toMatchObject({
        exit: "usage",
        why: expect.stringMatching(/alias, meta\.KEY, .*connection\.state/),
      });
    }
  });
});

it("the fields are those of the API's schema", () => {
  expect([...fieldsOfSchema(client).keys()]).toEqual(expect.arrayContaining(["id", "connection.agentVersion"]));
  expect([...fieldsOfSchema(webhook).keys()]).toEqual(expect.arrayContaining(["events", "lastDelivery.state"]));
  expect([...fieldsOfSchema(loggedRequest).keys()]).toContain("status");
  expect([...fieldsNamed("a", "b").keys()]).toEqual(["a", "b"]);
});
