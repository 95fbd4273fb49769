import { expect, test } from "vitest";
import { listenForMetrics, metricsText } from "./metrics.ts";
import { STATUS } from "./status.fixture.ts";

const use = { residentBytes: 80_000_000, processorSeconds: 1.5 };

test("each metric has its help, its kind and its samples, in Prometheus' text format", () => {
  const text = metricsText(STATUS, use);
  expect(text).toContain(
    "# HELP porchlight_agent_devices Devices.\n# TYPE porchlight_agent_devices gauge\n" +
      'porchlight_agent_devices{state="live"} 1\nporchlight_agent_devices{state="away"} 1\n',
  );
  expect(text).toContain("\nporchlight_agent_tunnel_round_trip_seconds 0.0124\n");
  expect(text).toContain("\nprocess_resident_memory_bytes 80000000\n");
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+]+)$/);
});

test("what is not known has no sample and no heading", () => {
  const text = metricsText({ ...STATUS, tunnel: { ...STATUS.tunnel, roundTripMs: undefined } }, use);
  expect(text).not.toContain("round_trip");
});

test("a line's counters are exported under its name, with any character in the name", () => {
  const links = [{ name: 'serial /dev/"odd\\name\n', detail: { phase: "live", counters: { damaged: 3, words: "x" } } }];
  const text = metricsText({ ...STATUS, links }, use);
  expect(text).toContain('\nporchlight_agent_line_total{line="serial /dev/\\"odd\\\\name\\n",what="damaged"} 3\n');
  expect(text).not.toContain("words");
});

test("are served to this machine alone, at /metrics and nowhere else", async () => {
  await using server = await listenForMetrics(() => "porchlight_x 1\n", 0);
  const base = `http://127.0.0.1:${server.port}`;
  const answer = await fetch(`${base}/metrics`);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "porchlight_x 1\n",
  ]);
  expect((await fetch(`${base}/`)).status).toBe(404);
  expect((await fetch(`${base}/metrics`, { method: "POST" })).status).toBe(404);
  await expect(listenForMetrics(() => "", server.port)).rejects.toThrow("EADDRINUSE");
});
