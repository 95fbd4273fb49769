/** The histogram of requests, as Prometheus reads it. */
import { expect, it } from "vitest";
import { RequestDurations } from "./metrics.ts";

it("counts each answer in every bucket that is not shorter, by route, method and status", () => {
  const durations = new RequestDurations();
  durations.observe("/api/devices", "GET", 200, 0.001);
  durations.observe("/api/devices", "GET", 200, 0.004);
  durations.observe("/api/devices", "GET", 200, 61);
  durations.observe("/api/devices", "GET", 404, 0.2);
  const lines = durations.text().split("\n");
  expect(lines.slice(0, 2)).toEqual([
    "# HELP porchlight_http_request_duration_seconds Requests by route and status, and how long their answers took",
    "# TYPE porchlight_http_request_duration_seconds histogram",
  ]);
  const of = (status: string) =>
    lines.filter((line) => line.includes(`method="GET",route="/api/devices",status="${status}"`));
  const bounds = ["0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "10", "60"];
  const counts = (status: string) => of(status).map((line) => Number(line.split(" ").at(-1)));
  expect(of("200").map((line) => /le="(.+?)"/.exec(line)?.[1])).toEqual([...bounds, "+Inf", undefined, undefined]);
  expect(counts("200")).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 61.005, 3]);
  expect(counts("404")).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0.2, 1]);
  expect(durations.text().endsWith("\n")).toBe(true);
});

it("writes what stands in a label so that it cannot be taken for another", () => {
  const durations = new RequestDurations();
  durations.observe('/a"b\\c\nd', "GET", 200, 1);
  expect(durations.text()).toContain('route="/a\\"b\\\\c\\nd"');
});
