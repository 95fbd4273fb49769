/** The C tables that are made of a simulated device describe just that device: compiled, asked, and compared with the simulator's own. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { decodeBody, decodeServices, FrameReader, type MessageOf } from "@porchlight/shared/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { readDefinitions } from "../src/index.ts";
import { cTables } from "../src/simulator/devices/c-tables.ts";
import { exampleFile } from "../src/simulator/devices/example-file.ts";
import { Programs } from "./build.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
/** More parts than any of these devices has. */
const PARTS = 6;
const run = promisify(execFile);

const stack = new AsyncDisposableStack();
let folder: string;
let programs: Programs;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-tables-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  programs = stack.use(await Programs.make());
});
afterAll(() => stack.disposeAsync());

/** What the C code says of a device, part by part. */
async function described(program: string, place: number): Promise<MessageOf<"DESCRIPTION">[]> {
  const asked = Array.from({ length: PARTS }, (_, part) => [String(place), String(part)]).flat();
  const { stdout } = await run(program, asked);
  const reader = new FrameReader(4095);
  return stdout.split("\n").flatMap((hex) =>
    reader.push(Buffer.from(hex, "hex")).flatMap((event) => {
      const stated = event.kind === "frame" ? decodeBody(event.body) : undefined;
      return stated?.kind === "message" && stated.message.type === "DESCRIPTION" ? [stated.message] : [];
    }),
  );
}

const BRIDGE = `nodes:
  - edgeId: 02-50-4C-70-00-0A
    about: {manufacturer: 'Say "hi" \\ ü??/', firmware: 1.0.0}
    devices:
      - {edgeId: 02-50-4C-70-00-01, kind: plug, name: First}
      - edgeId: 02-50-4C-70-00-02
        services:
          - {service: Switch, index: 1}
          - {service: Switch, index: 2}
          - service: Very-Own
            properties:
              - {property: littleStep, type: integer, min: -5, max: 4294967296, step: 3, access: [read]}
              - {property: fraction, type: number, min: 0.1, access: [read, write], unit: °C}
              - {property: mode, type: string, values: [a b, 'c"d'], access: [read, write, notify]}
              - {property: plan, type: json, access: [write]}
`;

/** A file's node, and its tables as a file. */
async function tablesOf(name: string, yaml: string) {
  const read = readDefinitions(yaml);
  const node = read.kind === "ok" ? read.nodes[0] : undefined;
  if (!node) throw new Error(`${name} has no node`);
  const tables = join(folder, `${name}.h`);
  await writeFile(tables, cTables(node));
  return { node, tables };
}

it.each([
  ["lamp", exampleFile("colour-light") ?? ""],
  ["kettle", exampleFile("custom") ?? ""],
  ["bridge", BRIDGE],
])("of a %s", async (name, yaml) => {
  const { node, tables } = await tablesOf(name, yaml);
  const defines = [`TABLES="${tables}"`, "PL_PROPERTIES_MAX=32", "PL_DEVICES_MAX=2"];
  const program = await programs.build(name, ["test/described.c"], defines);
  for (const [place, { services, about }] of node.devices.entries()) {
    const stated = decodeServices(await described(program, place));
    expect(stated.problems).toEqual([]);
    expect(stated.services).toEqual(services.filter(({ service }) => service !== "Identify"));
    expect(stated.about).toEqual(about ?? {});
  }
});

it("are what `new --c` prints", async () => {
  const file = join(folder, "kettle.yaml");
  await writeFile(file, exampleFile("custom") ?? "");
  const { tables } = await tablesOf("printed", exampleFile("custom") ?? "");
  const { stdout } = await run(process.execPath, [MAIN, "new", "--c", file]);
  expect(stdout).toBe(await readFile(tables, "utf8"));
});

it("that are too large for the sizes of the build are reported by the compiler", async () => {
  const { tables } = await tablesOf("large", BRIDGE);
  await expect(programs.build("large", ["test/described.c"], [`TABLES="${tables}"`])).rejects.toThrow(
    /build with -DPL_DEVICES_MAX=2/,
  );
});
