/** Whoever reads the metrics of several workers reads one page that Prometheus takes. */
import { expect, test } from "vitest";
import { mergeMetrics } from "./merge-metrics.ts";

const page = (tunnels: number) => `# HELP porchlight_tunnels Hubs that are connected to this node
# TYPE porchlight_tunnels gauge
porchlight_tunnels ${tunnels}

# HELP took How long
# TYPE took histogram
took_bucket{le="0.1",route="/a} b"} 1
took_sum{route="/a} b"} 0.05
`;

test("samples of a name stand together under one help, each with its worker", () => {
  const pages = new Map([
    ["1", page(3)],
    ["2", page(5)],
  ]);
  expect(mergeMetrics(pages)).toBe(`# HELP porchlight_tunnels Hubs that are connected to this node
# TYPE porchlight_tunnels gauge
porchlight_tunnels{worker="1"} 3
porchlight_tunnels{worker="2"} 5

# HELP took How long
# TYPE took histogram
took_bucket{worker="1",le="0.1",route="/a} b"} 1
took_sum{worker="1",route="/a} b"} 0.05
took_bucket{worker="2",le="0.1",route="/a} b"} 1
took_sum{worker="2",route="/a} b"} 0.05
`);
});

test("what only one of them has is told of that one", () => {
  const pages = new Map([
    ["1", page(3)],
    ["2", "# HELP other Other\n# TYPE other gauge\nother 1\n"],
    ["3", ""],
  ]);
  expect(mergeMetrics(pages)).toContain('other{worker="2"} 1');
  expect(mergeMetrics(pages)).not.toContain('worker="3"');
});
