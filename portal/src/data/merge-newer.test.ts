/** An answer that was made before an event and comes after it. */
import type { Porchlight } from "@porchlight/sdk";
import type { DeviceServicesList, ServiceList } from "@porchlight/shared/api";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { servicesQuery } from "./queries.ts";
import { environmentServicesKey, environmentServicesQuery } from "./services.ts";

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
/** Fetches services, and gives how they are answered. */
function fetching(queries: QueryClient) {
  const { promise, resolve } = Promise.withResolvers<ServiceList["items"]>();
  const api = { devices: { services: () => promise } } as unknown as Porchlight;
  const fetched = queries.fetchQuery({ ...servicesQuery(api, "dev_1"), staleTime: 0 });
  return { answer: (list: ServiceList) => resolve(list.items), fetched };
}

test("a response does not undo an event that arrived while it was in flight", async () => {
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

test("without an event in between the response counts", async () => {
  const queries = new QueryClient();
  queries.setQueryData(["services", "dev_1"], services(true, LATER));
  const { answer, fetched } = fetching(queries);
  answer(services(false, NOON));
  expect(await fetched).toEqual(services(false, NOON));
});

test("the same goes for the services of many devices", async () => {
  const queries = new QueryClient();
  const key = environmentServicesKey("env_1");
  queries.setQueryData(key, new Map([["dev_1", services(true, NOON)]]));
  const { promise, resolve } = Promise.withResolvers<DeviceServicesList["items"]>();
  const api = { environments: { services: () => promise } };
  const fetched = queries.fetchQuery({ ...environmentServicesQuery(api, "env_1"), staleTime: 0 });
  queries.setQueryData(key, new Map([["dev_1", services(false, NOON)]]));
  resolve(["dev_1", "dev_2"].map((deviceId) => ({ deviceId, services: services(true, NOON).items })));
  expect(await fetched).toEqual(
    new Map([
      ["dev_1", services(false, NOON)],
      ["dev_2", services(true, NOON)],
    ]),
  );
});
