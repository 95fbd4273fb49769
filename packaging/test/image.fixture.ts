/** An image for containers, unpacked, and containers of it: run by runc, as Docker and Kubernetes do, with the network of this machine. Only root can. */
import { chownSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Program } from "../../test/parts/program.ts";
import { type Ran, runTool } from "./tool.fixture.ts";

/** umoci's form of an image's configuration for runc, as far as it is used here. */
interface RuntimeConfig {
  readonly process: { readonly user: { readonly uid: number; readonly gid: number }; readonly args: readonly string[] };
  readonly mounts: readonly { readonly destination: string }[];
  readonly linux: { readonly namespaces: readonly { readonly type: string }[] };
}

export interface Container {
  /** In the place of the image's own command. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of this machine that is the container's `/data`; given to the image's user. */
  readonly data: string;
  /** Folders and devices of this machine, by their places in the container. */
  readonly binds?: Readonly<Record<string, string>>;
  /** Groups of the user besides its own. */
  readonly groups?: readonly number[];
}

/** Until the end of the test, however that ends: all processes of a container end with the process that waits for it. */
const ENDING_WITH_TEST = [
  "setpriv",
  "--pdeathsig",
  "KILL",
  "unshare",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
];

export class Image {
  readonly #folder: string;
  readonly #config: RuntimeConfig;
  #count = 0;

  private constructor(folder: string, config: RuntimeConfig) {
    this.#folder = folder;
    this.#config = config;
  }

  /** @param archive as `npm run package:images` makes it; @param tag of the image in it */
  static async unpack(archive: string, tag: string, folder: string): Promise<Image> {
    const layout = join(folder, "layout");
    mkdirSync(layout, { recursive: true });
    await good(["tar", "xf", archive, "-C", layout]);
    // It refuses content that does not match its digest.
    await good(["umoci", "unpack", "--image", `${layout}:${tag}`, join(folder, "bundle")]);
    const config: RuntimeConfig = JSON.parse(readFileSync(join(folder, "bundle", "config.json"), "utf8"));
    return new Image(folder, config);
  }

  get layout(): string {
    return join(this.#folder, "layout");
  }

  get rootFolder(): string {
    return join(this.#folder, "bundle", "rootfs");
  }

  get user(): number {
    return this.#config.process.user.uid;
  }

  /** Starts a container. */
  start(name: string, container: Container): Program {
    const words = this.#command(container).map((word) => `'${word}'`);
    // Instead of Node.js and a main file, which are the first two words.
    return new Program(name, "-", [], {}, ["sh", "-c", `shift 2; exec ${words.join(" ")}`, name]);
  }

  /** Runs a command of the image to its end. */
  run(container: Container): Promise<Ran> {
    const [command = "", ...words] = this.#command(container);
    return runTool(command, words);
  }

  /** As `docker stop` does. */
  async stop(program: Program): Promise<{ readonly code: number | null }> {
    const [runc] = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, "utf8").trim().split(" ");
    process.kill(Number(runc), "SIGTERM");
    return await program.ended;
  }

  /** What runs a container with a read-only root, no capability, and a `/tmp` from which nothing runs: as `packaging/compose.yaml` has it. */
  #command({ args, env = {}, data, binds = {}, groups = [] }: Container): string[] {
    const bundle = mkdtempSync(join(this.#folder, "container-"));
    const { process: its, mounts, linux, ...config } = this.#config;
    const { uid, gid } = its.user;
    mkdirSync(data, { recursive: true });
    chownSync(data, uid, gid);
    const of = (destination: string, source: string) => ({ destination, source, type: "bind", options: ["rbind"] });
    // The kernel's own files are not needed, and the volume is a folder of the test.
    const left = mounts.filter(({ destination }) => !/^\/(?:data|sys|sys\/fs\/cgroup)$/.test(destination));
    const temporary = {
      ...{ destination: "/tmp", source: "tmpfs", type: "tmpfs" },
      options: ["nosuid", "nodev", "noexec", "mode=1777"],
    };
    const [program = ""] = its.args;
    const described = {
      ...config,
      root: { path: this.rootFolder, readonly: true },
      mounts: [...left, temporary, of("/data", data), ...Object.entries(binds).map((each) => of(...each))],
      process: {
        ...its,
        terminal: false,
        capabilities: {},
        user: { uid, gid, additionalGids: groups },
        args: args === undefined ? its.args : [program, ...args],
        env: [...envOf(its), ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      },
      linux: {
        ...linux,
        namespaces: linux.namespaces.filter(({ type }) => type !== "network"),
        resources: { devices: [{ allow: true, access: "rwm" }] },
      },
    };
    writeFileSync(join(bundle, "config.json"), JSON.stringify(described));
    const id = `porchlight-test-${process.pid}-${this.#folder.slice(-6)}-${this.#count++}`;
    const state = join(this.#folder, "runc");
    return [...ENDING_WITH_TEST, "runc", "--root", state, "run", "--bundle", bundle, id];
  }
}

function envOf(its: object): readonly string[] {
  return "env" in its && Array.isArray(its.env) ? its.env : [];
}

/** @throws Error with its whole output when it fails */
async function good([command = "", ...words]: readonly string[]): Promise<void> {
  const { status, output } = await runTool(command, words);
  if (status !== 0) throw new Error(`${command} ${words[0]}: status ${status}\n${output}`);
}
