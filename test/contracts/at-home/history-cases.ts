/** What holds of the history of a home at each place that serves it (A11): of a device that two programs look back at, in the cloud and at home. */
import { describe, expect, it } from "vitest";
import { eventually } from "../../parts/eventually.ts";
import type { Reply, Side } from "./house.ts";

const title = ({ status, body }: Reply) => `${status} ${body?.title ?? "fine"}`;

export function historyCases(side: () => Side): void {
  const get = (path: string, headers = {}) => side().call("GET", path, { headers });
  const of = (selector: string, query = "") => `/api/devices/${side().lamp}/services/${selector}/history${query}`;

  describe("looking back", () => {
    it("returns what a property was, change by change and in steps", async () => {
      const set = `/api/devices/${side().lamp}/services/LightLevel.level`;
      for (const value of [41, 42, 42, 43]) await side().call("PUT", set, { body: { value } });
      const recorded = async () => {
        const { body } = await get(of("LightLevel.level"));
        return body.items[0].points.slice(-3).map(({ value }: { value: unknown }) => value);
      };
      await eventually("all of it is recorded", async () => JSON.stringify(await recorded()) === "[41,42,43]");
      const { body } = await get(of("LightLevel.level", "?resolution=1h&aggregate=last,max"));
      expect(body).toMatchObject({ resolution: "1h", items: [{ deviceId: side().lamp, kind: "number" }] });
      expect(body.items[0].points.at(-1)).toMatchObject({ last: 43 });
      expect(Object.keys(body.items[0].points.at(-1)).sort()).toEqual(["at", "knownSeconds", "last", "max"]);
    });

    it("returns the whole home, by the alias too", async () => {
      const { ecosystemId, lamp, button } = side();
      const { body } = await get(`/api/environments/${ecosystemId};house/services/Switch/history`);
      expect(body.items.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual([lamp, button]);
    });

    it("is not sent again to a caller that has it", async () => {
      const path = of("Switch", "?to=2026-01-01%2000:00:00Z");
      const { headers, status } = await get(path);
      expect(status).toBe(200);
      expect((await get(path, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
    });

    it.each([
      [of0("Nothing"), "404 Service Not Found"],
      [of0("LightLevel.hue"), "400 Service Property Invalid"],
      [of0("Switch", "?from=yesterday"), "400 Query Parameter Invalid"],
      [of0("Switch", "?resolution=2h"), "400 Query Parameter Invalid"],
      [of0("Switch", "?aggregate=mean&resolution=raw"), "400 Query Parameter Invalid"],
      [of0("Switch", "?timeZone=Mars"), "400 Query Parameter Invalid"],
      [of0("Switch", "?pageSize=10001"), "400 Page Size Invalid"],
      [of0("Switch", "?continuationToken=x"), "400 Continuation Token Invalid"],
      [of0("Switch", "?colour=red"), "400 No Query String Allowed"],
    ])("refuses %j", async ([selector, query], expected) => {
      expect(title(await get(of(selector, query)))).toBe(expected);
    });
  });
}

function of0(selector: string, query = ""): readonly [string, string] {
  return [selector, query];
}
