/** Going through a collection: every item once, as few requests as that takes. */
import { expect, test } from "vitest";
import { Porchlight } from "./porchlight.ts";

/** A service with so many devices, that lists at most a thousand at once. */
function serviceWith(count: number) {
  const asked: URLSearchParams[] = [];
  const fetch = async (url: string) => {
    const { searchParams } = new URL(url);
    asked.push(searchParams);
    const from = Number(searchParams.get("continuationToken") ?? 0);
    const to = Math.min(from + Number(searchParams.get("pageSize") ?? 1000), count);
    const items = Array.from({ length: to - from }, (_, index) => ({ id: `dev_${from + index}` }));
    return Response.json({ items, ...(to < count && { continuationToken: String(to) }) });
  };
  return { asked, porchlight: new Porchlight({ baseUrl: "https://porchlight.example", fetch }) };
}

test("going through 10,001 devices gives exactly 10,001, each once", async () => {
  const { asked, porchlight } = serviceWith(10_001);
  const ids = new Set<string>();
  let count = 0;
  for await (const { id } of porchlight.devices.list()) {
    ids.add(id);
    count += 1;
  }
  expect([count, ids.size, asked.length]).toEqual([10_001, 10_001, 11]);
  expect(ids.has("dev_10000")).toBe(true);
});

test.each([0, 1, 999, 1000, 1001, 2000])(
  "a collection of %i is whole, and a full last page asks for no more",
  async (count) => {
    const { asked, porchlight } = serviceWith(count);
    expect(await porchlight.devices.list().all()).toHaveLength(count);
    expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 1000)));
  },
);

test("who leaves early has asked for nothing more, and every page has the same filter", async () => {
  const { asked, porchlight } = serviceWith(10_001);
  for await (const { id } of porchlight.devices.list({ environmentId: "env_1" }, { pageSize: 10 }))
    if (id === "dev_25") break;
  expect(asked.map((each) => [each.get("environmentId"), each.get("pageSize"), each.get("continuationToken")])).toEqual(
    [
      ["env_1", "10", null],
      ["env_1", "10", "10"],
      ["env_1", "10", "20"],
    ],
  );
});
