/** Versions of the API beside each other: a v1 that exists in this test only. */
import { silentLog } from "@porchlight/shared/kernel";
import { ApiVersions, httpDate } from "@porchlight/shared/rest";
import { expect, test } from "vitest";
import { z } from "zod";
import { buildServer } from "../server.ts";
import { defineOpenRoute, ok } from "./route.ts";

const answering = (text: string) => [
  defineOpenRoute({
    method: "GET",
    path: "/api/said/:id",
    operationId: "say",
    tag: "service",
    summary: "Say",
    answers: { 200: z.object({ text: z.string() }) },
    handle: async () => ok({ text }),
  }),
];
const server = buildServer({
  versions: new ApiVersions([
    { name: "v0", released: "2026-11-01" },
    { name: "v1", released: "2028-02-29" },
  ]),
  routes: answering("new"),
  older: { v0: answering("old") },
  authenticator: {
    knows: () => false,
    returning: () => undefined,
    authenticate: () => Promise.reject(new Error("nobody asks")),
  },
  log: silentLog,
  requestId: () => "r",
});

test("a path without a version, or with the newest, gets the newest, which announces no end", async () => {
  for (const url of ["/api/said/x", "/v1/api/said/x", "/v1/api/said/x/"]) {
    const { headers, body } = await server.inject(url);
    expect(JSON.parse(body)).toEqual({ text: "new" });
    expect(headers).toMatchObject({ "x-api-version": "v1" });
    expect([headers.deprecation, headers.sunset]).toEqual([undefined, undefined]);
  }
});

test("the previous version answers as it did, and states since when it is deprecated and when it ends", async () => {
  const { headers, body } = await server.inject("/v0/api/said/x");
  expect(JSON.parse(body)).toEqual({ text: "old" });
  expect(headers).toMatchObject({
    "x-api-version": "v0",
    deprecation: "@1835395200",
    sunset: "Thu, 01 Mar 2029 00:00:00 GMT",
  });
  expect((await server.inject("/v0/api/nothing")).headers.sunset).toBe("Thu, 01 Mar 2029 00:00:00 GMT");
  const put = await server.inject({ method: "PUT", url: "/v0/api/said/x" });
  expect([put.statusCode, put.headers.allow]).toEqual([405, "GET, HEAD"]);
});

test("another version is 404 API Version Not Found", async () => {
  for (const url of ["/v2/api/said/x", "/v10/api/said/x"])
    expect((await server.inject(url)).json()).toMatchObject({ title: "API Version Not Found" });
});

test("a header's date is the one of HTTP", () => {
  expect(httpDate(784_111_777_000)).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
  expect(httpDate(0)).toBe("Thu, 01 Jan 1970 00:00:00 GMT");
});
