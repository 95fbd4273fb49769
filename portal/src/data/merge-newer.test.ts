/** An answer that was made before an event and comes after it. */
import type { Porchlight, StreamItem } from "@porchlight/sdk";
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { servicesQuery } from "./queries.ts";
import { valuesQuery, withDeviceValue } from "./values.ts";

const NOON = "2026-11-21 12:00:00Z";
const LATER = "2026-11-21 12:00:01Z";

function services(on: boolean, observedAt: string): ServiceList {
  const times = { modifiedAt: observedAt, observedAt };
  return {
    items: [
      {
        service: "Switch",
        index: "0",
        properties: [{ property: "on", type: "boolean", access: ["read"], value: on, ...times }],
      },
    ],
  };
}
const item = (on: boolean, observedAt: string): PropertyItem => ({
  ecosystemId: "eco_1",
  id: "env_1",
  deviceId: "dev_1",
  service: "Switch",
  index: "0",
  property: "on",
  value: on,
  modifiedAt: observedAt,
  observedAt,
});

/** Fetches services, and gives how they are answered. */
function fetching(queries: QueryClient) {
  const { promise, resolve } = Promise.withResolvers<ServiceList["items"]>();
  const api = { devices: { services: () => promise } } as unknown as Porchlight;
  const fetched = queries.fetchQuery({ ...servicesQuery(api, "dev_1"), staleTime: 0 });
  return { answer: (list: ServiceList) => resolve(list.items), fetched };
}

test("what an event told while it was on its way is not undone", async () => {
  const queries = new QueryClient();
  queries.setQueryData(["services", "dev_1"], services(true, NOON));
  const { answer, fetched } = fetching(queries);
  queries.setQueryData(["services", "dev_1"], services(false, NOON));
  answer(services(true, NOON));
  expect(await fetched).toEqual(services(false, NOON));
});

test("an answer that is plainly newer than that counts", async () => {
  const queries = new QueryClient();
  queries.setQueryData(["services", "dev_1"], services(true, NOON));
  const { answer, fetched } = fetching(queries);
  queries.setQueryData(["services", "dev_1"], services(false, NOON));
  answer(services(true, LATER));
  expect(await fetched).toEqual(services(true, LATER));
});

test("without an event in between the answer counts, whatever was known", async () => {
  const queries = new QueryClient();
  queries.setQueryData(["services", "dev_1"], services(true, LATER));
  const { answer, fetched } = fetching(queries);
  answer(services(false, NOON));
  expect(await fetched).toEqual(services(false, NOON));
});

test("the same goes for the values of many devices", async () => {
  const queries = new QueryClient();
  const key = ["values", "env_1"];
  queries.setQueryData(key, new Map([["dev_1", [item(true, NOON)]]]));
  const { promise, resolve } = Promise.withResolvers<StreamItem>();
  const events = async function* (): AsyncGenerator<StreamItem, void, undefined> {
    yield await promise;
  };
  const fetched = queries.fetchQuery({ ...valuesQuery({ events }, "env_1"), staleTime: 0 });
  queries.setQueryData<ReadonlyMap<string, readonly PropertyItem[]>>(key, (values) =>
    withDeviceValue(withDeviceValue(values ?? new Map(), item(false, NOON)), { ...item(true, NOON), index: "1" }),
  );
  resolve({ kind: "snapshot", sequence: 1, items: [item(true, NOON)] });
  expect((await fetched).get("dev_1")).toEqual([item(false, NOON), { ...item(true, NOON), index: "1" }]);
});
