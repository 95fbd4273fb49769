/** The first command on a fresh machine: on each Node.js that people have, and after an installation that was interrupted. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUPPORTED, UNSUPPORTED } from "../parts/node-versions.ts";
import { NpmRegistry } from "../parts/npm-registry.ts";
import { casesOf } from "../parts/rounds.ts";
import { SmallDisk } from "../parts/small-disk.ts";
import { Checkout, PACKAGES, type Ran } from "./checkout.fixture.ts";

const [OLDEST = { node: "", npm: "" }] = SUPPORTED;

let registry: NpmRegistry;
beforeAll(async () => {
  registry = await NpmRegistry.start(PACKAGES);
});
afterAll(() => registry[Symbol.asyncDispose]());

/** The line of the started program, when the project's Node.js started it with all its parts. */
const STARTED = { isProjectNode: true, light: "on", args: ["--json", "two words"] };

const started = ({ code, stdout, stderr }: Ran): unknown => {
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
};

const isInstalling = ({ stderr }: Ran): boolean => stderr.includes("Installing the npm packages");

describe.each(casesOf([OLDEST, ...SUPPORTED.slice(-1)], SUPPORTED.slice(1, -1)))(
  "npm start with nothing but Node.js $node and npm $npm",
  (version) => {
    it("installs, and hands its arguments over to the project's Node.js; the next one installs nothing", async () => {
      using checkout = await Checkout.make(registry);
      const first = await checkout.start(version, ...STARTED.args).ended;
      expect(started(first)).toEqual(STARTED);
      expect(isInstalling(first)).toBe(true);
      const second = await checkout.start(version, ...STARTED.args).ended;
      expect(started(second)).toEqual(STARTED);
      expect(isInstalling(second)).toBe(false);
    });
  },
);

describe.each(UNSUPPORTED)("npm start with Node.js $node", (version) => {
  it("prints in one line what it needs, and installs nothing", async () => {
    using checkout = await Checkout.make(registry);
    const { code, stderr } = await checkout.start(version).ended;
    expect(code).toBe(1);
    const ours = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
    expect(ours).toEqual([`Porchlight needs Node.js 20 or later to install itself; this is Node.js ${version.node}.`]);
    expect(existsSync(join(checkout.folder, "node_modules"))).toBe(false);
  });
});

describe("an installation", () => {
  it.each(casesOf<"SIGINT" | "SIGKILL">(["SIGKILL"], ["SIGINT"]))(
    "that %s ends half-way is made anew by the next npm start",
    async (signal) => {
      using checkout = await Checkout.make(registry);
      const download = registry.hold("lamp");
      const interrupted = checkout.start(OLDEST);
      await download.asked;
      interrupted.signal(signal);
      expect((await interrupted.ended).code).not.toBe(0);
      // npm, too, has gone.
      await download.left;
      registry.release("lamp");
      expect(started(await checkout.start(OLDEST, ...STARTED.args).ended)).toEqual(STARTED);
    },
  );

  it("that left packages in part, which npm takes for whole, is made anew", async () => {
    using checkout = await Checkout.make(registry);
    await checkout.start(OLDEST).ended;
    // As SIGKILL leaves it: the file that marks a complete installation is written last.
    rmSync(join(checkout.folder, "node_modules", ".installed-of"));
    rmSync(join(checkout.folder, "node_modules", "lamp", "index.js"));
    expect(started(await checkout.start(OLDEST, ...STARTED.args).ended)).toEqual(STARTED);
  });

  it("of another lock file is made again, also when npm's own record states that it is there", async () => {
    using checkout = await Checkout.make(registry);
    await checkout.start(OLDEST).ended;
    rmSync(join(checkout.folder, "node_modules", "lamp"), { recursive: true });
    const lock = join(checkout.folder, "package-lock.json");
    writeFileSync(lock, `${readFileSync(lock, "utf8")}\n`);
    expect(started(await checkout.start(OLDEST, ...STARTED.args).ended)).toEqual(STARTED);
  });

  it("whose download broke off is tried once more by itself, and reports it", async () => {
    using checkout = await Checkout.make(registry);
    registry.breakOff("lamp");
    const ran = await checkout.start(OLDEST, ...STARTED.args).ended;
    expect(started(ran)).toEqual(STARTED);
    expect(ran.stderr).toContain("npm ended with status 1");
    expect(ran.stderr).toContain("Trying once more.");
  });

  it("without a registry reports it, and is made by the next npm start that has one", async () => {
    const lost = await NpmRegistry.start(PACKAGES);
    using checkout = await Checkout.make(lost);
    await lost[Symbol.asyncDispose]();
    const { code, stderr } = await checkout.start(OLDEST).ended;
    expect(code).toBe(1);
    expect(stderr).toContain("ECONNREFUSED");
    expect(stderr).toContain("The npm packages could not be installed: npm ended with status 1");
    checkout.ask(registry);
    expect(started(await checkout.start(OLDEST, ...STARTED.args).ended)).toEqual(STARTED);
  });

  it("on a full disk reports it, and is made when there is room again", async () => {
    using disk = new SmallDisk(4 * 2 ** 20);
    const folder = join(disk.path, "checkout");
    mkdirSync(folder);
    using checkout = await Checkout.make(registry, folder);
    disk.fill();
    const { code, stderr } = await checkout.start(OLDEST).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/ENOSPC|no space left/);
    expect(stderr).toContain("The npm packages could not be installed: npm could not write all files");
    disk.free();
    expect(started(await checkout.start(OLDEST, ...STARTED.args).ended)).toEqual(STARTED);
  });
});
