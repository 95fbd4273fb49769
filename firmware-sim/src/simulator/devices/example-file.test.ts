/** Every example that `porchlight-sim new` writes runs, and so do the lines of it that are comments. */
import { expect, test } from "vitest";
import { startHome } from "../simulator.fixture.ts";
import { exampleFile } from "./example-file.ts";
import { KINDS } from "./kinds.ts";

test.each(["custom", ...KINDS.keys()])("the example of a %s runs", async (kind) => {
  const { live, hubs, simulator } = await startHome(exampleFile(kind) ?? "");
  await live(10);
  expect(simulator.nodes[0]?.node.state).toBe("live");
  expect(hubs).toHaveLength(1);
});

test("there is no example of what is no kind", () => expect(exampleFile("toaster")).toBeUndefined());

test.each([
  "link: /tmp/example",
  "max: 1024",
  "win: 1",
  "faults: [corrupt 0.01, delay 200]",
  "fault: slow 300",
  "tcp: 0",
])("its line %s may be uncommented", async (line) => {
  const file = exampleFile("plug") ?? "";
  const uncommented = file.replace(`# ${line}`, line);
  expect(uncommented).not.toBe(file);
  await startHome(uncommented);
});

test("so may the two lines of TLS", async () => {
  const file = (exampleFile("plug") ?? "").replace("# tcp:", "tcp:").replace("# tls:", "tls:");
  const { simulator } = await startHome(file);
  expect(simulator.nodes[0]?.definition.network?.psk).toHaveLength(16);
});
